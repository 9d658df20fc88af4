/**
 * The job queue's statements: enqueue in the caller's transaction, claim with a lease, settle. A job runs at least once
 * and by one worker at a time while that worker renews its lease; no tenant waits behind another's thousand jobs.
 * Tested in worker.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { JobRequest, Origin, SystemTx } from '../db/port.ts'
import type { RecordContext } from '../db/recorders.ts'
import { json, type Sql, sql } from '../db/sql.ts'

export interface JobParts {
  readonly clock: Pick<Clock, 'iso' | 'now'>
  readonly random: Pick<Random, 'uuid'>
}

/** The requester: the job remembers the person, so that it can be shown to them. */
type JobOrigin = Pick<RecordContext, 'tenantId'> & { readonly origin?: Pick<Origin, 'actor'> }

/** The statement that adds one job. A waiting job of the same key is kept instead, at the earlier of both times. */
export function jobInsert(parts: JobParts, context: JobOrigin, request: JobRequest): Sql {
  const runAt = new Date(request.runAt ?? parts.clock.now()).toISOString()
  const id = request.id ?? parts.random.uuid()
  const by = context.origin?.actor?.userId ?? null
  const now = parts.clock.iso()
  const payload = json(request.payload)
  if (request.key === undefined) {
    return sql`
      insert into job (tenant_id, id, kind, payload, run_at, created_at, created_by)
      values (${context.tenantId}, ${id}, ${request.kind}, ${payload}, ${runAt}, ${now}, ${by})`
  }
  // The waiting job is locked until this transaction ends: a worker that took it now would not see our change,
  // and no worker would run it again. Shared, so that transactions asking for the same job do not wait for one another.
  return sql`
    with waiting as (
      select id from job
      where tenant_id = ${context.tenantId} and kind = ${request.kind} and key = ${request.key}
        and status = 'waiting' and run_at <= ${runAt}::timestamptz
      for share)
    insert into job (tenant_id, id, kind, key, payload, run_at, created_at, created_by)
    select ${context.tenantId}::uuid, ${id}::uuid, ${request.kind}::text, ${request.key}::text, ${payload}::jsonb,
      ${runAt}::timestamptz, ${now}::timestamptz, ${by}::uuid
    where not exists (select from waiting)
    on conflict (tenant_id, kind, key) where status = 'waiting' and key is not null
    do update set run_at = least(job.run_at, excluded.run_at)`
}

/** Topic of the live feed: the key is the id of a job that was cancelled. */
export const cancelledTopic = 'job.cancelled'

/** The statement that cancels a job which waits or runs. */
export function jobCancel({ clock }: Pick<JobParts, 'clock'>, { tenantId }: JobOrigin, id: string): Sql {
  return sql`
    update job set status = 'cancelled', lease_until = null, finished_at = ${clock.iso()}
    where tenant_id = ${tenantId} and id = ${id}::uuid and status in ('waiting', 'running')`
}

export interface ClaimedJob {
  readonly tenantId: TenantId
  readonly id: string
  readonly kind: string
  readonly key: string | null
  readonly payload: Readonly<Record<string, unknown>>
  /** This attempt's number, from 1. */
  readonly attempt: number
}

export interface Claim {
  readonly owner: string
  readonly kinds: readonly string[]
  /** Tenants that have had their share. */
  readonly but?: readonly string[]
  readonly limit: number
  /** ISO time up to which jobs are due. */
  readonly now: string
  /** The tenant served last; the walk goes on behind it. */
  readonly after: string | null
  readonly leaseMs: number
  /** Milliseconds by kind, for those whose lease is another. */
  readonly leases?: Readonly<Record<string, number>>
}

const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Claims at most one due job of each tenant, walking the tenants in a circle. Leases are measured by the database's
 * clock, because instances disagree about the time.
 */
export function claimJobs(tx: SystemTx, claim: Claim): Promise<readonly ClaimedJob[]> {
  const kinds = [...claim.kinds]
  const after = claim.after ?? nobody
  const but = [...(claim.but ?? [])]
  const leaseMs = sql`coalesce((${json(claim.leases ?? {})}::jsonb ->> job.kind)::float8, ${claim.leaseMs}::float8)`
  const due = sql`status = 'waiting' and run_at <= ${claim.now}::timestamptz and kind = any(${kinds}::text[])
    and tenant_id <> all(${but}::uuid[])`
  return tx.query(sql<ClaimedJob>`
    with recursive tenant as (
      (select tenant_id from job where ${due} order by tenant_id limit 1)
      union all
      select (select j.tenant_id from job j where ${due} and j.tenant_id > t.tenant_id order by j.tenant_id limit 1)
      from tenant t where t.tenant_id is not null),
    turn as (
      select tenant_id from tenant where tenant_id is not null
      order by (tenant_id > ${after}::uuid) desc, tenant_id limit ${claim.limit}),
    chosen as (
      select c.tenant_id, c.id from turn cross join lateral (
        select tenant_id, id from job where tenant_id = turn.tenant_id and ${due}
        order by run_at, id limit 1 for update skip locked) c)
    update job set status = 'running', attempts = attempts + 1, lease_owner = ${claim.owner}, started_at = ${claim.now},
      lease_until = clock_timestamp() + make_interval(secs => ${leaseMs} / 1000)
    from chosen where job.tenant_id = chosen.tenant_id and job.id = chosen.id
    returning job.tenant_id as "tenantId", job.id, job.kind, job.key, job.payload, job.attempts as attempt`)
}

/** Keeps a running job; false when it was taken away. */
export async function renewLease(
  tx: SystemTx,
  owner: string,
  kept: { readonly job: ClaimedJob; readonly leaseMs: number },
): Promise<boolean> {
  const { job, leaseMs } = kept
  const count = await tx.execute(sql`
    update job set lease_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    where ${mine(owner, job)}`)
  return count === 1
}

export function reportProgress(
  tx: Pick<SystemTx, 'execute'>,
  owner: string,
  step: { job: ClaimedJob; fraction: number },
): Promise<number> {
  const fraction = Math.min(1, Math.max(0, step.fraction))
  return tx.execute(sql`update job set progress = ${fraction} where ${mine(owner, step.job)}`)
}

export interface Done {
  readonly job: ClaimedJob
  readonly now: string
  /** JSON, or null for a job that has nothing to say. */
  readonly result: unknown
}

/** @returns whether it still was this worker's */
export async function finishJob(tx: Pick<SystemTx, 'execute'>, owner: string, done: Done): Promise<boolean> {
  const result = done.result === null ? null : json(done.result)
  const ended = await tx.execute(sql`
    update job set status = 'done', progress = 1, error = null, lease_until = null, finished_at = ${done.now},
      result = ${result}::jsonb
    where ${mine(owner, done.job)}`)
  return ended > 0
}

/** Whether the job still is this worker's, which it then stays until the transaction ends. */
export async function holdJob(tx: Pick<SystemTx, 'first'>, owner: string, job: ClaimedJob): Promise<boolean> {
  return (await tx.first(sql`select id from job where ${mine(owner, job)} for share`)) !== null
}

export interface Failure {
  readonly job: ClaimedJob
  readonly error: string
  /** When to try again; null when this was the last attempt. */
  readonly retryAt: string | null
  readonly now: string
}

/**
 * Puts a failed job back in line or ends it. When a newer one of its key already waits, that one does the work.
 * @returns whether it still was this worker's
 */
export async function failJob(tx: Pick<SystemTx, 'execute'>, owner: string, failure: Failure): Promise<boolean> {
  const { job, error, retryAt, now } = failure
  if (retryAt === null) {
    const ended = await tx.execute(sql`
      update job set status = 'dead', error = ${error}, lease_until = null, finished_at = ${now}
      where ${mine(owner, job)}`)
    return ended > 0
  }
  const replaced = sql`exists (select from job o where o.tenant_id = job.tenant_id and o.kind = job.kind
    and o.key = job.key and o.status = 'waiting')`
  const kept = await tx.execute(sql`
    update job set status = case when ${replaced} then 'replaced' else 'waiting' end,
      finished_at = case when ${replaced} then ${now}::timestamptz end,
      error = ${error}, lease_until = null, lease_owner = null, run_at = ${retryAt}
    where ${mine(owner, job)}`)
  return kept > 0
}

export interface SilentJob extends ClaimedJob {
  readonly owner: string
}

/** Running jobs whose worker has not renewed its lease. */
export function silentJobs(tx: SystemTx): Promise<readonly SilentJob[]> {
  return tx.query(sql<SilentJob>`
    select tenant_id as "tenantId", id, kind, key, payload, attempts as attempt, lease_owner as owner
    from job where status = 'running' and lease_until < clock_timestamp()
    order by lease_until limit 100 for update skip locked`)
}

function mine(owner: string, job: ClaimedJob): ReturnType<typeof sql> {
  return sql`tenant_id = ${job.tenantId} and id = ${job.id} and status = 'running' and lease_owner = ${owner}
    and attempts = ${job.attempt}`
}
