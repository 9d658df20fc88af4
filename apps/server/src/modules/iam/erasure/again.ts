/**
 * Erasures outlive backups: each is recorded next to the backups, by ids alone, and in the state of the account. When a
 * database starts, from any backup, every person with a record who is present again is erased again before the
 * program serves requests. Tested in the admin module's replace.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import type { UserRow } from '../accounts/status.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import { erase } from './erase.ts'
import { eraseAbroad } from './erase-subject.ts'
import { eraseLate } from './jobs.ts'

export interface Erased {
  readonly tenantId: TenantId
  readonly userId: string
}

/** Erasures known from the records beside the backups and from the running database. */
export async function knownErasures({ kernel }: IamServices): Promise<readonly Erased[]> {
  const found: Erased[] = [...(await kernel.backups.erasures())]
  for (const tenantId of await kernel.tenants()) {
    const rows = await kernel.db.read(tenantId, sql<{ id: string }>`select id from iam_user where status = 'erased'`)
    found.push(...rows.map(({ id }) => ({ tenantId, userId: id })))
  }
  return found
}

/** Erases those not erased yet; returns their number. No heir is named: duties were handed over the first time. */
export async function eraseAgain(
  services: IamServices,
  tenantId: TenantId,
  userIds: readonly string[],
): Promise<number> {
  let count = 0
  for (const id of new Set(userIds)) if (await eraseOne(services, tenantId, id)) count += 1
  return count
}

async function eraseOne(services: IamServices, tenantId: TenantId, id: string): Promise<boolean> {
  const { db } = services.kernel
  const done = await db.tenant({ tenantId }, async (tx) => {
    const user = await tx.first(sql<UserRow>`select ${users.columns} from iam_user where id = ${id} for update`)
    if (user === null || user.status === 'erased') return false
    const removed = await erase(services, tx, user, null)
    await tx.audit('iam.user.erase', {
      target: `user:${id}`,
      before: { status: user.status },
      after: { status: 'erased', rows_removed: removed, source: 'note' },
    })
    await eraseLate(services, tx, id)
    return true
  })
  if (done) await eraseAbroad(db, id)
  return done
}

export function createErasureReplay(services: IamServices): Activity {
  const { kernel } = services
  return {
    name: 'erasures',
    start: async () => {
      const there = new Set(await kernel.tenants())
      const notes = (await kernel.backups.erasures()).filter(({ tenantId }) => there.has(tenantId))
      let count = 0
      for (const tenantId of new Set(notes.map((note) => note.tenantId))) {
        const ids = notes.filter((note) => note.tenantId === tenantId).map(({ userId }) => userId)
        count += await eraseAgain(services, tenantId, await notErased(services, tenantId, ids))
      }
      if (count > 0) kernel.log.warn({ people: count }, 'people whom a restore had brought back were erased again')
    },
    stop: async () => undefined,
  }
}

async function notErased({ kernel }: IamServices, tenantId: TenantId, ids: readonly string[]) {
  const rows = await kernel.db.read(
    tenantId,
    sql<{ id: string }>`select id from iam_user where id = any(${[...ids]}::uuid[]) and status <> 'erased'`,
  )
  return rows.map(({ id }) => id)
}
