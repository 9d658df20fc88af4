/**
 * Retention runs: a dry run counts, an enforcing one removes, and one above the tenant's limit waits for a second person.
 * Schedules make a run of their own once a day. Tested in requests.test.ts.
 */
import { holds } from '../../../kernel/access/permissions.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { create } from '../../../kernel/resource/resource.ts'
import type { PlanLine, PolicyRow, RunRow } from '../declared/retention-schema.ts'
import { policies, runs } from '../declared/retention-tables.ts'
import { errors } from '../errors/errors.ts'
import { cutoffOf, planPolicy, purgeBatch } from '../retention/purge.ts'
import { purgeable } from '../retention/registry.ts'
import { approvalRows } from '../retention/settings.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { noteResults } from './erase.ts'
import { type Asking, newRun, policyRunJob, runAction, runResource, shownRun } from './intake.ts'

const dayMs = 86_400_000
/** A plan that moved less than this is still the one that was looked at. */
const driftShare = 0.05
const driftRows = 100

/** @throws API-001, API-013, AUTH-004, DGOV-014, DGOV-015 */
export function startPolicyRun({ kernel }: DataGovServices, { scope, actor, input }: Asking): Promise<RunRow> {
  if (!holds(actor.permissions, 'data-gov:admin')) throw authErrors.forbidden({ permission: 'data-gov:admin' })
  const { policy_ids: ids, dry_run: dryRun = false } = input
  if (ids === undefined)
    throw apiErrors
      .validation({ what: 'A retention run needs policies.' })
      .at([{ detail: 'This is required.', pointer: '/policy_ids' }])
  return kernel.db.tenant(scope, async (tx) => {
    const plan = await planOf(kernel, tx, await activePolicies(tx, ids))
    if (input.dry_run_id !== undefined) await refuseDrift(tx, input.dry_run_id, plan)
    return addRun(kernel, tx, { scope, ids, plan, dryRun, by: actor.userId, review: false })
  })
}

/** @throws API-001, DGOV-015 */
async function activePolicies(tx: Tx, ids: readonly string[]): Promise<readonly PolicyRow[]> {
  const rows = await tx.query(sql<PolicyRow>`
    select ${policies.columns} from data_gov_policy where id = any(${[...ids]}::uuid[])`)
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.findIndex((id) => !known.has(id))
  if (unknown >= 0)
    throw apiErrors
      .validation({ what: 'The body names a policy that does not exist.' })
      .at([{ detail: 'There is no such policy.', pointer: `/policy_ids/${unknown}` }])
  const other = rows.find(({ status, kind }) => status !== 'active' || kind !== 'schedule')
  if (other !== undefined)
    throw errors.illegalMove({
      what: `Only active schedules are run; "${other.name}" is a ${other.status} ${other.kind}.`,
    })
  return rows
}

async function planOf(kernel: Kernel, tx: Tx, list: readonly PolicyRow[]): Promise<readonly PlanLine[]> {
  const plan: PlanLine[] = []
  for (const policy of list) plan.push(...(await planPolicy(kernel, tx, policy)))
  return plan
}

const rowsOf = (plan: readonly PlanLine[]): number => plan.reduce((sum, line) => sum + line.to_erase, 0)

/** @throws API-013, DGOV-014 */
async function refuseDrift(tx: Tx, dryRunId: string, plan: readonly PlanLine[]): Promise<void> {
  const was = rowsOf((await runs.need(tx, dryRunId)).plan)
  const is = rowsOf(plan)
  if (Math.abs(is - was) > Math.max(driftRows, driftShare * was)) throw errors.drifted({ was, is })
}

interface Adding {
  readonly scope: TenantScope
  readonly ids: readonly string[]
  readonly plan: readonly PlanLine[]
  readonly dryRun: boolean
  readonly by: string | null
  /** Its method asks a person in any case. */
  readonly review: boolean
}

async function addRun(kernel: Kernel, tx: Tx, { ids, plan, dryRun, by, review }: Adding): Promise<RunRow> {
  const most = kernel.settings.get(approvalRows, tx.tenantId)
  const waits = !dryRun && (review || rowsOf(plan) > most)
  const row: RunRow = {
    ...newRun(kernel, tx, kernel.random.uuid()),
    ...{ dry_run: dryRun, policy_ids: [...ids], plan: [...plan], requested_by: by },
    status: dryRun ? 'completed' : waits ? 'awaiting_approval' : 'fulfilling',
    completed_at: dryRun ? kernel.clock.iso() : null,
    due_at: new Date(kernel.clock.now() + 7 * dayMs).toISOString(),
  }
  await create(tx, runResource, row, { action: runAction, after: shownRun })
  if (row.status === 'fulfilling') await tx.enqueue({ kind: policyRunJob, key: row.id, payload: { run_id: row.id } })
  return row
}

export const policyRuns: JobDeclaration<DataGovServices> = {
  kind: policyRunJob,
  lane: 'long',
  maxAttempts: 10,
  leaseMs: 60_000,
  everyMs: null,
  run: runPolicies,
}

async function runPolicies({
  services,
  tenantId,
  payload,
  signal,
  complete,
}: JobContext<DataGovServices>): Promise<void> {
  const { kernel } = services
  const id = String(payload.run_id)
  const read = { tenantId, readOnly: true }
  const run = await kernel.db.tenant(read, (tx) => runs.get(tx, id))
  if (run === null || run.status !== 'fulfilling') return
  // A policy that has ended since removes nothing any more.
  const list = await kernel.db.tenant(read, (tx) =>
    tx.query(sql<PolicyRow>`
      select ${policies.columns} from data_gov_policy where id = any(${run.policy_ids}::uuid[]) and status = 'active'`),
  )
  for (const policy of list) {
    const cutoff = cutoffOf(policy, kernel.clock.now())
    if (cutoff === null) continue
    for (const one of purgeable(kernel, policy.categories))
      for (let gone = 1; gone > 0; ) {
        signal.throwIfAborted()
        gone = await kernel.db.tenant({ tenantId }, async (tx) => {
          const count = await purgeBatch(tx, one, cutoff)
          if (count > 0) await noteResults(tx, id, { [one.table.name]: count })
          return count
        })
      }
  }
  await complete(async (tx) => {
    const held = run.plan.some(({ to_keep: kept }) => kept.length > 0)
    await runs.patchVersion(tx, id, { status: held ? 'partial' : 'completed', completed_at: kernel.clock.iso() })
  })
}

/** Once a day each active schedule counts what is past its maximum, and makes a run where there is something. */
export const scheduleJob: JobDeclaration<DataGovServices> = {
  kind: 'data_gov.schedules',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ now }) => sql`exists (
    select from data_gov_policy held where held.tenant_id = tenant.id and held.status = 'active'
      and held.kind = 'schedule' and held.next_run_at <= ${now})`,
  run: ({ tenantId, kernel }) => kernel.db.tenant({ tenantId }, (tx) => runDue(kernel, tx)),
}

async function runDue(kernel: Kernel, tx: Tx): Promise<void> {
  const due = await tx.query(sql<PolicyRow>`
    select ${policies.columns} from data_gov_policy
    where status = 'active' and kind = 'schedule' and next_run_at <= ${kernel.clock.iso()}
    order by next_run_at limit 50 for update`)
  for (const policy of due) {
    const plan = await planPolicy(kernel, tx, policy)
    const open = await tx.first(sql`
      select id from data_gov_run
      where ${policy.id} = any(policy_ids) and status in ('awaiting_approval', 'fulfilling') limit 1`)
    if (rowsOf(plan) > 0 && open === null)
      await addRun(kernel, tx, {
        ...{ scope: { tenantId: tx.tenantId }, ids: [policy.id], plan, dryRun: false, by: policy.created_by },
        review: policy.method === 'review',
      })
    await policies.patchVersion(tx, policy.id, {
      last_run_at: kernel.clock.iso(),
      next_run_at: new Date(kernel.clock.now() + dayMs).toISOString(),
    })
  }
}
