import type { Actor } from '../../../../kernel/access/actor.ts'
import { assertFresh } from '../../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Precondition } from '../../../../kernel/http/answer/etag.ts'
import { hold, remove } from '../../../../kernel/resource/resource.ts'
import { revokeKeys } from '../../api-keys/revocation.ts'
import { errors } from '../../errors/errors.ts'
import { activeHolders } from '../../rights/administrators.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { endSessionsOf } from './changes.ts'
import { announceChange, connectionResource } from './connections.ts'
import { connectionView } from './views.ts'

export interface ConnectionRemoval {
  readonly actor: Actor
  readonly id: string
  readonly force: boolean
  readonly precondition: Precondition
}

/**
 * Deletes a connection with its links and sessions; the keys of its directory are revoked.
 * @throws API-012, API-013, AUTH-009, IAM-005 when no administrator could come in afterwards, IAM-007 when users could not
 */
export async function deleteConnection(services: IamServices, tx: Tx, ask: ConnectionRemoval) {
  const { kernel } = services
  assertFresh(ask.actor, kernel.clock)
  const held = await hold(tx, connectionResource, { id: ask.id, precondition: ask.precondition })
  const stranded = await usersWithoutWayIn(tx, ask.id)
  const administrators = await activeHolders(tx, 'iam:admin', kernel.clock.now())
  if (administrators.length > 0 && administrators.every(({ id }) => stranded.has(id))) throw errors.lastAdministrator()
  if (stranded.size > 0 && !ask.force)
    throw errors.inUse({ what: `${stranded.size} users would have no way to sign in. Say force to delete it anyway.` })
  await endSessionsOf(services, tx, { id: ask.id, actor: ask.actor })
  await tx.execute(sql`delete from iam_sso_directory where home = ${tx.tenantId} and connection_id = ${ask.id}`)
  const keys = await revokeKeys(services, tx, {
    ...{ condition: sql`sso_connection_id = ${ask.id}`, by: ask.actor.userId, reason: 'connection_deleted' },
  })
  const unlinked = await unlink(tx, ask.id)
  const lost = { users_unlinked: unlinked, keys_revoked: keys }
  const removed = await remove(tx, held, {
    action: 'iam.sso_connection.delete',
    before: connectionView(kernel, held.row),
    after: lost,
  })
  await announceChange(kernel, tx, { connection_id: ask.id, change: 'deleted', actor_id: ask.actor.userId })
  return { ...removed, ...lost }
}

/** Answers how many people were linked. Whom no connection knows any more is kept by people here. */
async function unlink(tx: Tx, id: string): Promise<number> {
  const unlinked = await tx.execute(sql`delete from iam_sso_identity where connection_id = ${id}`)
  await tx.execute(sql`
    update iam_user u set managed_by = 'local'
    where managed_by = 'sso' and not exists (
      select from iam_sso_identity other where other.tenant_id = u.tenant_id and other.user_id = u.id)`)
  return unlinked
}

/** People whose only way in is this connection: no password, no passkey, no other connection that is active. */
async function usersWithoutWayIn(tx: Tx, id: string): Promise<ReadonlySet<string>> {
  const rows = await tx.query(sql<{ id: string }>`
    select u.id
    from iam_user u
    where u.status not in ('deactivated', 'erased') and u.password_hash is null
      and exists (select 1 from iam_sso_identity own where own.user_id = u.id and own.connection_id = ${id})
      and not exists (
        select 1 from iam_factor f where f.user_id = u.id and f.kind = 'passkey' and f.status = 'active')
      and not exists (
        select 1
        from iam_sso_identity other
        join iam_sso_connection c on c.id = other.connection_id
        where other.user_id = u.id and other.connection_id <> ${id} and c.status = 'active')`)
  return new Set(rows.map((row) => row.id))
}
