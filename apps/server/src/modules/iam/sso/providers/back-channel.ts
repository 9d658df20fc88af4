import type { JSONWebKeySet } from 'jose'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { endSessions } from '../../sessions/sessions.ts'
import type { GuardedFetch } from '../egress-fetch.ts'
import { activeConnection, type Placed } from '../lookup.ts'
import { type LogoutToken, logoutTokenLifeSeconds, verifyLogoutToken } from '../oidc/logout-token.ts'
import { discover } from '../oidc/provider.ts'
import { reasonText } from '../refusals.ts'
import { oidcClient } from './providers.ts'

export interface BackChannelLogout {
  readonly connectionId: string
  readonly token: string | undefined
  readonly request: RequestInfo
}

/**
 * Ends the sessions an OpenID provider names (OpenID Connect Back-Channel Logout 1.0): the one of its `sid`, or all of
 * its `sub`. @throws API-001 for every token that is not to be obeyed, as section 2.8 asks; API-013
 */
export async function logoutByProvider(services: IamServices, ask: BackChannelLogout): Promise<void> {
  const { kernel } = services
  const placed = await activeConnection(kernel, ask.connectionId)
  const token = await verified(services, placed, ask.token).catch((error: unknown) => {
    const facts = { request_id: ask.request.id, connection_id: ask.connectionId, reason: reasonText(error) }
    kernel.log.warn(facts, 'a logout token was refused')
    throw badToken().causedBy(error)
  })
  const isFirst = await obey(services, placed, { token, request: ask.request })
  if (!isFirst) throw badToken()
}

const badToken = () => apiErrors.validation({ what: 'The logout token was refused.' })

async function verified(
  services: IamServices,
  { connection }: Placed,
  token: string | undefined,
): Promise<LogoutToken> {
  if (token === undefined || connection.oidc === null) throw new Error('there is no logout token for this connection')
  const party = await oidcClient(services, connection)
  const { issuer, jwks_uri: address } = (await discover(party)).serverMetadata()
  if (address === undefined) throw new Error('the provider publishes no keys')
  const keys = await readKeys(party.fetch, address)
  return verifyLogoutToken(token, { issuer, clientId: party.clientId, keys, now: services.kernel.clock.now() })
}

/** The provider's public keys. @throws Error */
export async function readKeys(ask: GuardedFetch, address: string): Promise<JSONWebKeySet> {
  const answer = await ask(address, { headers: { accept: 'application/json' } })
  const body: unknown = answer.status === 200 ? await answer.json() : null
  if (typeof body === 'object' && body !== null && 'keys' in body && Array.isArray(body.keys))
    return { keys: body.keys }
  throw new Error(`the keys of the provider could not be read (${answer.status})`)
}

/** False when the token was obeyed before. */
function obey(
  services: IamServices,
  { connection, home }: Placed,
  { token, request }: { readonly token: LogoutToken; readonly request: RequestInfo },
): Promise<boolean> {
  const { kernel } = services
  const expires = new Date(kernel.clock.now() + 2 * logoutTokenLifeSeconds * 1000).toISOString()
  return kernel.db.tenant({ tenantId: home, origin: originOf(request, null) }, async (tx) => {
    const first = await tx.execute(sql`
      insert into iam_sso_logout_token (connection_id, jti, expires_at)
      values (${connection.id}, ${token.jti.slice(0, 255)}, ${expires})
      on conflict (tenant_id, connection_id, jti) do nothing`)
    if (first === 0) return false
    const named = token.sid === null ? sql`subject = ${token.sub}` : sql`idp_sid = ${token.sid}`
    const both = token.sid !== null && token.sub !== null ? sql`subject = ${token.sub}` : sql`true`
    const condition = sql`id in (
      select session_id from iam_sso_session where connection_id = ${connection.id} and ${named} and ${both})`
    const users = await tx.query(sql<{ user_id: string }>`select distinct user_id from iam_session where ${condition}`)
    const ended = await endSessions(services, tx, { condition, by: null, reason: 'identity_provider_logout' })
    await tx.audit('auth.sso_logout', {
      target: `sso_connection:${connection.id}`,
      after: { user_ids: users.map(({ user_id: id }) => id), sessions: ended },
    })
    return true
  })
}
