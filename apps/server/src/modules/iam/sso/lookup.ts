import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { uuidPattern } from '../directory/tenant-id.ts'
import { type ConnectionRow, ssoConnections } from './tables.ts'

export interface Placed {
  readonly home: TenantId
  readonly connection: ConnectionRow
}

type Reader = Pick<Kernel, 'db'>

async function placed({ db }: Reader, kind: 'connection' | 'domain', name: string): Promise<Placed | null> {
  const [entry] = await db.read(
    platformTenant,
    sql<{ home: TenantId; connection_id: string }>`
      select home, connection_id from iam_sso_directory where kind = ${kind} and name = ${name}`,
  )
  if (entry === undefined) return null
  const [connection] = await db.read(
    entry.home,
    sql<ConnectionRow>`
      select ${ssoConnections.columns} from iam_sso_connection
      where id = ${entry.connection_id}
        and exists (select 1 from iam_tenant where id = ${entry.home} and status <> 'deleted')`,
  )
  return connection === undefined ? null : { home: entry.home, connection }
}

/** The active connection that owns the domain of this e-mail address, wherever it is. */
export async function connectionOfEmail(kernel: Reader, key: string): Promise<Placed | null> {
  const found = await placed(kernel, 'domain', key.slice(key.lastIndexOf('@') + 1))
  return found?.connection.status === 'active' ? found : null
}

/** An active connection by its id, for callers without a tenant. @throws API-013 */
export async function activeConnection(kernel: Reader, id: string): Promise<Placed> {
  const found = uuidPattern.test(id) ? await placed(kernel, 'connection', id.toLowerCase()) : null
  if (found?.connection.status !== 'active') throw apiErrors.notFound({ what: ssoConnections.noun })
  return found
}

/** A connection that takes answers: an active one, or one that an administrator is trying. @throws API-013 */
export async function answeredConnection(kernel: Pick<Kernel, 'db' | 'clock'>, id: string): Promise<Placed> {
  const found = await anyConnection(kernel, id)
  if (found.connection.status === 'active') return found
  const [trial] = await kernel.db.read(
    found.home,
    sql`
      select 1 as open from iam_sso_flow
      where connection_id = ${found.connection.id} and trial_by is not null and taken_at is null
        and expires_at > ${kernel.clock.iso()}
      limit 1`,
  )
  if (trial === undefined) throw apiErrors.notFound({ what: ssoConnections.noun })
  return found
}

/** @throws API-013 */
export function assertActive({ status }: ConnectionRow): void {
  if (status !== 'active') throw apiErrors.notFound({ what: ssoConnections.noun })
}

/** Like `activeConnection`, in any state: the identity provider is set up before the connection. @throws API-013 */
export async function anyConnection(kernel: Reader, id: string): Promise<Placed> {
  const found = uuidPattern.test(id) ? await placed(kernel, 'connection', id.toLowerCase()) : null
  if (found === null) throw apiErrors.notFound({ what: ssoConnections.noun })
  return found
}
