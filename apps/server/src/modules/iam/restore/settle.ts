/**
 * Prepares the state of a backup for use: people erased since are erased again, tenants deleted since are deleted
 * again, keys revoked since stay revoked, and all sessions are ended. It works on the restored state before that goes
 * live and reads the running one. All other changes since are undone, which is the purpose of a restore. Tested in the
 * admin module's replace.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { RestoredState } from '../../../kernel/backup/replace.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { revokeKeys } from '../api-keys/revocation.ts'
import { type Erased, eraseAgain, knownErasures } from '../erasure/again.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endSessions } from '../sessions/sessions.ts'
import { deleteTenant } from '../tenant-life/deletion.ts'

export interface Settled {
  readonly people_erased: number
  readonly tenants_deleted: number
  readonly keys_revoked: number
  readonly sessions_ended: number
}

const reason = 'restore'

export async function settleRestored(services: IamServices, state: RestoredState): Promise<Settled> {
  const inside = within(services, state)
  const deleted = await deleteAgain(inside, await deletedTenants(services))
  const erasures = await knownErasures(services)
  const totals = { people_erased: 0, tenants_deleted: deleted.size, keys_revoked: 0, sessions_ended: 0 }
  for (const tenantId of state.tenants.filter((id) => !deleted.has(id))) {
    totals.people_erased += await eraseAgain(inside, tenantId, usersOf(erasures, tenantId))
    totals.keys_revoked += await revokeAgain(services, inside, tenantId)
    totals.sessions_ended += await state.db.tenant({ tenantId }, (tx) =>
      endSessions(inside, tx, { condition: sql`true`, by: null, reason }),
    )
  }
  return totals
}

const usersOf = (erasures: readonly Erased[], tenantId: TenantId): readonly string[] =>
  erasures.filter((erased) => erased.tenantId === tenantId).map(({ userId }) => userId)

/** The module's rules, applied to the restored state. Changes are not announced: all sessions have ended. */
function within(services: IamServices, { db, tenantKeys }: RestoredState): IamServices {
  const { kernel } = services
  const silent = { rightsChanged: async () => undefined, revoke: async () => undefined }
  return { ...services, kernel: { ...kernel, db, tenantKeys, auth: { ...kernel.auth, ...silent } } }
}

function deletedTenants({ kernel }: IamServices): Promise<readonly { readonly id: TenantId }[]> {
  return kernel.db.system('tenants that are gone', (tx) =>
    tx.query(sql<{ id: TenantId }>`select id from iam_tenant where status = 'deleted'`),
  )
}

async function deleteAgain(
  inside: IamServices,
  gone: readonly { readonly id: TenantId }[],
): Promise<ReadonlySet<TenantId>> {
  const done = new Set<TenantId>()
  for (const { id } of gone) {
    const found = await inside.kernel.db.tenant({ tenantId: id }, (tx) =>
      tx.execute(sql`
        update iam_tenant set status = 'pending_deletion', deletion_scheduled_for = ${inside.kernel.clock.iso()}
        where id = ${id} and status <> 'deleted'`),
    )
    if (found === 0) continue
    await deleteTenant(inside, id, new AbortController().signal)
    done.add(id)
  }
  return done
}

async function revokeAgain({ kernel }: IamServices, inside: IamServices, tenantId: TenantId): Promise<number> {
  const revoked = await kernel.db.read(
    tenantId,
    sql<{ id: string }>`select id from iam_api_key where revoked_at is not null`,
  )
  const ids = revoked.map(({ id }) => id)
  return inside.kernel.db.tenant({ tenantId }, (tx) =>
    revokeKeys(inside, tx, { condition: sql`id = any(${ids}::uuid[])`, by: null, reason }),
  )
}
