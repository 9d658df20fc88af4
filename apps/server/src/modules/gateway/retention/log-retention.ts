/**
 * Removes calls from the log when their days are over, in small slices, because the tables are not partitioned.
 * Promises that a removal is announced in the audit log first, and that the audit entries of the calls stay, so that
 * the chain still verifies. Tested in retention.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'
import { requestPayloads } from '../records/tables.ts'
import { requestIntents, requests } from '../schemas/tables.ts'
import { logRetentionDays } from './settings.ts'

/** Days for which calls are kept where no setting says otherwise. */
export const logDays = logRetentionDays.default
const dayMs = 86_400_000
/** Rows of one transaction. */
const slice = 1000

interface Days {
  readonly kernel: Kernel
  readonly iam: Pick<IamApi, 'quotas'>
}

/** As `removeOldCalls`, with the tenant's own number of days: its setting, or less where its quota allows less. */
export async function removeCallsBySetting(
  { kernel, iam }: Days,
  tenantId: TenantId,
  signal: AbortSignal,
): Promise<void> {
  // A default in the place of a longer value that is not read yet would remove too much.
  await kernel.settings.ready()
  const wanted = kernel.settings.get(logRetentionDays, tenantId)
  const { retention_days: most = wanted } = await iam.quotas(tenantId)
  await removeOldCalls(kernel, tenantId, signal, Math.min(wanted, most))
}

type Remover = Pick<Kernel, 'db' | 'clock'>

export async function removeOldCalls(
  { db, clock }: Remover,
  tenantId: TenantId,
  signal: AbortSignal,
  days = logDays,
): Promise<void> {
  const before = new Date(clock.now() - days * dayMs).toISOString()
  if (!(await db.tenant({ tenantId }, (tx) => announce(tx, before)))) return
  for (const remove of [removeContent, removeCalls, removeIntents]) {
    let gone = slice
    while (gone === slice && !signal.aborted) gone = await remove(db, tenantId, before)
  }
}

/** False when there is nothing to remove. */
async function announce(tx: Tx, before: string): Promise<boolean> {
  const found = await tx.first(
    sql<{ calls: number; intents: number }>`
      select (select count(*)::int from gateway_request where created_at < ${before} and ${notHeld(requests)}) as calls,
        (select count(*)::int from gateway_request_intent
          where created_at < ${before} and ${notHeld(requestIntents)}) as intents`,
  )
  if (found === null || found.calls + found.intents === 0) return false
  await tx.execute(
    sql`
      insert into gateway_log_retention (removed_before) values (${before})
      on conflict (tenant_id) do update
      set removed_before = greatest(gateway_log_retention.removed_before, excluded.removed_before)`,
  )
  await tx.audit('gateway.requests.remove', {
    target: 'gateway:requests',
    after: { removed_before: before, calls: found.calls },
    reason: 'retention',
  })
  return true
}

/** Content with a longer retention than its call belongs to no call any more. */
function removeContent(db: Remover['db'], tenantId: TenantId, before: string): Promise<number> {
  return db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`
      delete from gateway_request_payload
      where id in (
        select id from gateway_request_payload
        where created_at < ${before} and ${notHeld(requestPayloads)} order by created_at, id limit ${slice})`),
  )
}

/** The log is append-only to the application, so the system removes. Feedback goes with its call. */
function removeCalls(db: Remover['db'], tenantId: TenantId, before: string): Promise<number> {
  return db.system('gateway log retention', (tx) =>
    tx.execute(sql`
      delete from gateway_request
      where tenant_id = ${tenantId} and id in (
        select id from gateway_request
        where tenant_id = ${tenantId} and created_at < ${before} and ${notHeld(requests)}
        order by created_at, id limit ${slice})`),
  )
}

function removeIntents(db: Remover['db'], tenantId: TenantId, before: string): Promise<number> {
  return db.system('gateway intent retention', (tx) =>
    tx.execute(sql`
      delete from gateway_request_intent
      where tenant_id = ${tenantId} and id in (
        select id from gateway_request_intent
        where tenant_id = ${tenantId} and created_at < ${before} and ${notHeld(requestIntents)}
        order by created_at, id limit ${slice})`),
  )
}
