/**
 * Where a browser that signed in at an OpenID provider ends its session there too (OpenID Connect RP-Initiated Logout
 * 1.0). The session here has ended by then, so a provider that does not answer delays no sign-out. Tested in
 * ../oidc/oidc.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { discover } from '../oidc/provider.ts'
import { reasonText } from '../refusals.ts'
import { type ConnectionRow, ssoConnections } from '../tables.ts'
import { oidcClient } from './providers.ts'

/** A person waits for this. */
const patienceMs = 3_000

/** The connection a session came from, if it is one of OpenID Connect. */
export async function connectionOfSession(
  { kernel }: IamServices,
  session: { readonly tenantId: TenantId; readonly id: string },
): Promise<ConnectionRow | null> {
  const [row] = await kernel.db.read(
    session.tenantId,
    sql<ConnectionRow>`
      select ${ssoConnections.columns} from iam_sso_connection
      where type = 'oidc'
        and id = (select connection_id from iam_sso_session where session_id = ${session.id})`,
  )
  return row ?? null
}

/** Null where the provider names no such address, or does not answer in time. */
export async function endSessionUrl(services: IamServices, connection: ConnectionRow): Promise<string | null> {
  try {
    const party = await oidcClient(services, connection)
    const fetch: typeof party.fetch = (url, options) =>
      party.fetch(url, { ...options, signal: AbortSignal.timeout(patienceMs) })
    const { end_session_endpoint: endpoint } = (await discover({ ...party, fetch })).serverMetadata()
    const url = endpoint === undefined ? null : new URL(endpoint)
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
    url.searchParams.set('client_id', party.clientId)
    return url.href
  } catch (error) {
    services.kernel.log.warn({ connection_id: connection.id, reason: reasonText(error) }, 'no end-session address')
    return null
  }
}
