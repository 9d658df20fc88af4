/**
 * Background jobs as their owners and administrators see them. Promises that a caller sees another's job only with
 * admin:read, and the installation's own only as its operator, and that a job that was cancelled does not count as
 * done, whatever its worker still does: `tx.cancel` explains how the worker stops. Tested in jobs.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { job } from '../../../kernel/jobs/tables.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { CancelledJob, Notice } from '../../../kernel/notices/notices.ts'
import { errors } from '../errors/errors.ts'
import type { ChangeJob, Job, JobFilter, Queue } from './schema.ts'
import { isIn, type JobRow, jobView, statusOf } from './view.ts'

type Parts = Pick<Kernel, 'clock' | 'jobKinds'>

interface ChangeParts extends Parts {
  readonly cancelled: Notice<CancelledJob>
}

interface List {
  readonly actor: Actor
  readonly filter: JobFilter
  readonly page: PageRequest
}

/** Own jobs; all of the tenant with admin:read, and of the installation for its operators. */
export async function listJobs(parts: Parts, tx: Tx, { actor, filter, page }: List): Promise<Page<Job>> {
  const all = holds(actor.permissions, 'admin:read')
  const where: SqlPart[] = [all ? sql`true` : sql`created_by = ${actor.userId}`]
  if (filter.id !== undefined) where.push(sql`id = ${filter.id}`)
  if (filter.kind !== undefined) where.push(sql`kind = ${filter.kind}`)
  if (filter.status !== undefined) where.push(isIn(filter.status))
  const found = await job.page(tx, page, join(where, ' and '))
  return { ...found, items: found.items.map((row) => seenBy(parts, actor, row)) }
}

/** @throws AUTH-004 without admin:read */
export function assertSeesQueues(actor: Actor): void {
  if (!holds(actor.permissions, 'admin:read')) throw authErrors.forbidden({ permission: 'admin:read' })
}

function seenBy({ jobKinds }: Parts, { operator }: Actor, row: JobRow): Job {
  return jobView(row, { operator, maxAttempts: jobKinds.get(row.kind)?.maxAttempts ?? null })
}

const hourMs = 3_600_000

/** Each kind of job, in what the transaction sees: one tenant, or under the system role all of them. */
export function queuesOf(tx: Pick<Tx, 'query'>, now: number): Promise<readonly Queue[]> {
  const at = new Date(now).toISOString()
  const hourAgo = new Date(now - hourMs).toISOString()
  return tx.query(sql<Queue>`
    select kind,
      count(*) filter (where ${isIn('queued')})::int as depth,
      count(*) filter (where ${isIn('running')})::int as running,
      count(*) filter (where ${isIn('failed')})::int as failed,
      count(*) filter (where ${isIn('dead')})::int as dead,
      count(*) filter (where ${isIn('completed')} and finished_at >= ${hourAgo}::timestamptz)::int
        as completed_last_hour,
      extract(epoch from ${at}::timestamptz - min(run_at) filter (where status = 'waiting'
        and run_at <= ${at}::timestamptz))::float8 as oldest_waiting_seconds
    from job group by kind order by kind`)
}

interface Change {
  readonly actor: Actor
  readonly id: string
  readonly body: ChangeJob
}

/** Puts a failed or dead job back in line, or calls one off. @throws ADM-015, API-001 when both are asked, API-013 */
export async function changeJob(parts: ChangeParts, tx: Tx, { actor, id, body }: Change): Promise<Job> {
  const before = await job.needForUpdate(tx, id)
  if (body.cancel === true && body.run_at !== undefined) throw eitherOr()
  if (body.cancel === true) await cancel(parts, tx, before)
  else await retry(parts, tx, { row: before, runAt: body.run_at })
  const after = await job.need(tx, id)
  await tx.audit(body.cancel === true ? 'admin.job.cancel' : 'admin.job.retry', {
    target: `job:${id}`,
    before: { kind: before.kind, status: statusOf(before), attempts: before.attempts },
    after: { status: statusOf(after), run_at: after.run_at },
  })
  return seenBy(parts, actor, after)
}

function eitherOr() {
  const detail = 'A job that is called off does not run at a time.'
  return apiErrors.validation({ what: detail }).at([{ detail, pointer: '/run_at' }])
}

async function cancel({ cancelled }: ChangeParts, tx: Tx, row: JobRow): Promise<void> {
  if (!(await tx.cancel(row.id))) throw errors.jobState({ status: statusOf(row) })
  await cancelled(tx, { id: row.id, kind: row.kind, payload: row.payload })
}

interface Retry {
  readonly row: JobRow
  readonly runAt: string | undefined
}

/** Resets the attempts: a person who asks for a retry has seen why the earlier ones failed. */
async function retry({ clock, jobKinds }: Parts, tx: Tx, { row, runAt }: Retry): Promise<void> {
  const status = statusOf(row)
  if ((status !== 'failed' && status !== 'dead') || !jobKinds.has(row.kind)) throw errors.jobState({ status })
  const twin = await tx.first(sql`
    select id from job
    where kind = ${row.kind} and key = ${row.key}::text and status = 'waiting' and id <> ${row.id}`)
  // A newer job of the same key waits already and does the same work.
  if (twin !== null) throw errors.jobState({ status: 'replaced' })
  await tx.execute(sql`
    update job set status = 'waiting', attempts = 0, progress = 0, error = null, lease_owner = null, lease_until = null,
      finished_at = null, run_at = ${runAt ?? clock.iso()}
    where id = ${row.id}`)
}
