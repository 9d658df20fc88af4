/** The way to the identity provider: a flow that remembers what was asked, and the address that asks it. */

import { originOf } from '../../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import type { IamServices } from '../../services/iam-services.ts'
import type { Placed } from '../lookup.ts'
import { authorizationUrl, discover } from '../oidc/provider.ts'
import { oidcClient, samlParty } from '../providers/providers.ts'
import { requestUrl } from '../saml/service-provider.ts'
import { seal } from '../secrets.ts'
import { beginFlow, type Trier } from './flows.ts'

export interface Beginning {
  readonly flowId: string
  /** Of the browser that may exchange the code. */
  readonly codeChallenge: string
  /** Whether the person has to prove anew who they are, also where the provider remembers them. */
  readonly fresh: boolean
  /** Of a trial. */
  readonly trialBy: Trier | null
  readonly request: RequestInfo
}

/** Where the browser goes to sign in. @throws SsoRefusal */
export function begin(services: IamServices, placed: Placed, beginning: Beginning): Promise<string> {
  return (placed.connection.type === 'oidc' ? beginOidc : beginSaml)(services, placed, beginning)
}

const secretText = (services: IamServices): string =>
  Buffer.from(services.kernel.random.bytes(32)).toString('base64url')

async function beginOidc(services: IamServices, placed: Placed, beginning: Beginning): Promise<string> {
  const { kernel } = services
  const { connection, home } = placed
  const party = await oidcClient(services, connection)
  const secrets = { state: secretText(services), nonce: secretText(services), verifier: secretText(services) }
  const { redirectUri } = party
  const scopes = connection.oidc?.scopes ?? []
  const url = await authorizationUrl(await discover(party), {
    redirectUri,
    scopes,
    acrValues: connection.required_acr,
    fresh: beginning.fresh,
    secrets,
  })
  const address = { tenantId: home, rowId: beginning.flowId, column: 'sealed' } as const
  const sealed = await seal(kernel, address, JSON.stringify(secrets))
  await remember(services, placed, { beginning, request: secrets.state, sealed })
  return url
}

async function beginSaml(services: IamServices, placed: Placed, beginning: Beginning): Promise<string> {
  const requestId = `_${services.kernel.random.hex(20)}`
  const url = await requestUrl(await samlParty(services, placed.connection), { requestId, fresh: beginning.fresh })
  await remember(services, placed, { beginning, request: requestId, sealed: null })
  return url
}

function remember(
  { kernel }: IamServices,
  { connection, home }: Placed,
  asked: { readonly beginning: Beginning; readonly request: string; readonly sealed: Uint8Array | null },
): Promise<void> {
  const { beginning, request, sealed } = asked
  const { flowId: id, codeChallenge, trialBy } = beginning
  const row = { id, connectionId: connection.id, request, sealed, codeChallenge, trialBy }
  const scope = { tenantId: home, origin: originOf(beginning.request, null) }
  return kernel.db.tenant(scope, (tx) => beginFlow(kernel, tx, row))
}
