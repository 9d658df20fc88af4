import type { Config } from '../config/load.ts'
import type { HealthCheck } from '../health/checks.ts'
import type { Egress } from './fetch.ts'

/** Where calls to the outside go, for the log and for health: never with the credential. Null without a proxy. */
export function proxyInWords(config: Pick<Config, 'egressProxy' | 'egressProxyNames' | 'egressNoProxy'>) {
  if (config.egressProxy === null) return null
  const { origin } = new URL(config.egressProxy)
  return { proxy: origin, names: config.egressProxyNames, direct: config.egressNoProxy.join(', ') }
}

/**
 * Whether the proxy takes connections. Whether it lets calls through, they show themselves.
 * @throws TypeError where there is no proxy
 */
export function proxyCheck(
  config: Parameters<typeof proxyInWords>[0],
  { reachProxy }: Pick<Egress, 'reachProxy'>,
): HealthCheck {
  const observed = proxyInWords(config)
  if (observed === null || reachProxy === null) throw new TypeError('there is no proxy to check')
  const run: HealthCheck['run'] = async () => {
    await reachProxy()
    return { status: 'pass', observed }
  }
  return { name: 'egress_proxy', timeoutMs: 5_000, everyMs: 15_000, run }
}
