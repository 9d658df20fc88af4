import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/load.ts'
import { textOfFile } from '../config/operator-file.ts'
import type { OwnAddresses } from '../net/own-addresses.ts'
import { createEgress, type Egress, type EgressProxy } from './fetch.ts'

type ProxyConfig = Pick<
  Config,
  'egressProxy' | 'egressProxyCredentialFile' | 'egressProxyNames' | 'egressNoProxy' | 'servicesCaFile'
>

/** The way out that the operator's settings allow. @throws Error with words for the operator */
export function operatorEgress(
  config: Pick<Config, 'privateUpstreams' | 'egressPorts'> & ProxyConfig,
  { monotonic }: Pick<Clock, 'monotonic'>,
  own?: OwnAddresses,
): Egress {
  const { privateUpstreams, egressPorts } = config
  const proxy = proxyOf(config)
  const ports = egressPorts.map(Number)
  return createEgress({ allowedPrivate: privateUpstreams, ports, proxy, now: monotonic, ...(own && { own }) })
}

function proxyOf(config: ProxyConfig): EgressProxy | null {
  const { egressProxy: url, egressProxyCredentialFile: credentialFile, servicesCaFile } = config
  if (url === null) {
    if (credentialFile === null && config.egressNoProxy.length === 0 && config.egressProxyNames === 'here') return null
    // An operator who meant a proxy would find out by calls that do not arrive.
    throw new Error(
      'Settings of a proxy for calls to the outside are set and the proxy is not: set PARAPET_EGRESS_PROXY.',
    )
  }
  const { username, password } = new URL(url)
  if (credentialFile !== null && `${username}${password}` !== '')
    throw new Error(
      'PARAPET_EGRESS_PROXY has a user or password, and PARAPET_EGRESS_PROXY_CREDENTIAL_FILE is set: leave one.',
    )
  const ca = servicesCaFile === null ? undefined : textOfFile(servicesCaFile)
  return { url, credentialFile, ca, names: config.egressProxyNames, direct: config.egressNoProxy }
}
