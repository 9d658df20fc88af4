/**
 * The safety lever: engaged, it stops all experiments of the tenant, or of the platform, and none starts. Promises that the
 * rules are dropped at the commit on every instance, whether their controllers live or not. Tested in experiments.test.ts.
 */
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { announceStop } from '../chaos/news.ts'
import type { ActiveExperiments, ExperimentAction } from '../declared/experiment-schema.ts'
import { leverEngaged, leverReleased } from './events.ts'

export type LeverState = ActiveExperiments['lever']

/**
 * Whether the lever of the platform is engaged: a row of whichever tenant its operator acted in. Asked before a transaction
 * of a tenant is opened, never in one: the embedded database has one connection.
 */
export async function isPlatformStopped({ db }: Pick<Kernel, 'db'>): Promise<boolean> {
  return db.system('safety lever', async (tx) => {
    const row = await tx.first(sql`select 1 as one from resilience_lever where engaged and id = 'platform' limit 1`)
    return row !== null
  })
}

/** The lever of the transaction's tenant, beside that of the platform. */
export async function leverState(tx: Tx, platform: boolean): Promise<LeverState> {
  const row = await tx.first(sql`select 1 as one from resilience_lever where engaged and id = 'tenant'`)
  return { tenant: row !== null, platform }
}

/** Both levers, for work that has no transaction open. */
export async function readLevers(kernel: Pick<Kernel, 'db'>, tenantId: TenantId): Promise<LeverState> {
  const platform = await isPlatformStopped(kernel)
  return kernel.db.tenant({ tenantId, readOnly: true }, (tx) => leverState(tx, platform))
}

/** @throws AUTH-004 */
export async function moveLever(
  kernel: Pick<Kernel, 'clock'>,
  tx: Tx,
  actor: Actor,
  { action, scope = 'tenant', note = null }: Pick<ExperimentAction, 'action' | 'scope'> & { note?: string | null },
): Promise<void> {
  const engaged = action === 'engage_lever'
  if (scope === 'platform' && !actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  if (!engaged && !holds(actor.permissions, 'resilience:admin'))
    throw authErrors.forbidden({ permission: 'resilience:admin' })
  await tx.lock('resilience.lever', scope)
  const before = await tx.first(sql<{ engaged: boolean }>`
    select engaged from resilience_lever where id = ${scope} for update`)
  await tx.execute(sql`
    insert into resilience_lever (tenant_id, id, engaged, changed_by, reason, changed_at)
    values (${tx.tenantId}, ${scope}, ${engaged}, ${actor.userId}, ${note}, ${kernel.clock.iso()})
    on conflict (tenant_id, id) do update set engaged = excluded.engaged, changed_by = excluded.changed_by,
      reason = excluded.reason, changed_at = excluded.changed_at`)
  await tx.audit('resilience.experiment.act', {
    target: `resilience_lever:${scope}`,
    before: { engaged: before?.engaged ?? false },
    after: { engaged },
    ...(note === null ? {} : { reason: note }),
  })
  if (engaged) await stopAll(tx, scope)
  if (engaged !== (before?.engaged ?? false))
    await tx.emit(engaged ? leverEngaged : leverReleased, scope, { scope, by: actor.userId, reason: note })
}

/** Controllers in other tenants find the lever of the platform at their next look; the rules are gone at once. */
async function stopAll(tx: Tx, scope: 'tenant' | 'platform'): Promise<void> {
  await tx.execute(sql`
    update resilience_experiment set stop_wanted = true, abort_cause = coalesce(abort_cause, 'lever')
    where status in ('ready', 'checking', 'injecting')`)
  await announceStop(tx, scope)
}
