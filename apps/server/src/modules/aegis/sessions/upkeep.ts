/** Ends sessions without events and removes old ones with their events. */
import Type from 'typebox'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'
import { idleMs } from './place.ts'
import { sessions } from './tables.ts'

export const sessionRetention = defineSetting({
  key: 'aegis.activity_retention_days',
  schema: Type.Integer({ minimum: 7, maximum: 730 }),
  default: 30,
  scope: 'both',
  description: 'Days after its last event that a session of an agent is kept with its events.',
})

const dayMs = 86_400_000
const batch = 1_000

export const closeIdleSessions: JobDeclaration<unknown> = {
  kind: 'aegis.session.close',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: ({ ago }) => sql`exists (
    select from aegis_session idle
    where idle.tenant_id = tenant.id and idle.status = 'open' and idle.last_event_at <= ${ago(idleMs)})`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const now = kernel.clock.now()
      await tx.execute(sql`
        update aegis_session set status = 'closed', ended_at = last_event_at, updated_at = ${kernel.clock.iso()}
        where id in (
          select id from aegis_session where status = 'open' and last_event_at <= ${new Date(now - idleMs).toISOString()}
          order by last_event_at limit ${batch} for update)`)
    }),
}

/** The shortest time that a tenant may set: none is asked for less. */
const leastDays = 7

export const removeOldSessions: JobDeclaration<unknown> = {
  kind: 'aegis.session.remove',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ ago }) => sql`exists (
    select from aegis_session old
    where old.tenant_id = tenant.id and old.status in ('closed', 'killed') and old.last_event_at <= ${ago(leastDays * dayMs)})`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const days = kernel.settings.get(sessionRetention, tenantId)
      const before = new Date(kernel.clock.now() - days * dayMs).toISOString()
      while ((await removeBatch(tx, before)) === batch);
    }),
}

function removeBatch(tx: Tx, before: string): Promise<number> {
  return tx.execute(sql`
    delete from aegis_session where id in (
      select id from aegis_session 
      where status in ('closed', 'killed') and last_event_at < ${before} and ${notHeld(sessions)}
      order by last_event_at limit ${batch})`)
}
