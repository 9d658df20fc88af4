/**
 * Goes on with a run until it waits or ends. Every turn is one transaction under the lock of the run: the effect inside the
 * platform, the entry of the journal and the advance of the run are committed together, so that each effect is there exactly
 * once, whatever crashes. Steps that touch nothing share one commit. A call outside is journalled before and after; it is made at least once, with one
 * `Idempotency-Key`. Tested in engine.test.ts.
 */
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import { holds, permissionSet } from '../../../kernel/access/permissions.ts'
import { CelFault } from '../../../kernel/cel/program.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { tenantEgress } from '../../../kernel/egress/seamed.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { advanceStored } from './advance.ts'
import type { Step, StepInputs } from './declared/definition.ts'
import type { RunRow } from './declared/schema.ts'
import { filled, isTrue } from './expressions.ts'
import { callOutside, type OutsideCall } from './http-step.ts'
import { workInside } from './inside.ts'
import { type Opened, openRun, patchRun, patchStep, scopeIn } from './journal.ts'
import { settleFault, settleStep } from './outcome.ts'
import { permissionOf } from './permissions.ts'
import { runJobKind } from './run-job.ts'
import { beginWaiting, wakeDue } from './waiting.ts'

export const runJob: JobDeclaration<PlatformServices> = {
  kind: runJobKind,
  // It makes calls to other systems.
  lane: 'outside',
  maxAttempts: 20,
  leaseMs: 30_000,
  everyMs: null,
  run: ({ services, tenantId, payload, id, signal }: JobContext<PlatformServices>) =>
    advanceRun(services, { tenantId, runId: String(payload.run_id), jobId: id, signal }),
}

export interface Advancing {
  readonly tenantId: TenantId
  readonly runId: string
  readonly jobId: string
  readonly signal?: AbortSignal
}

/** Steps of one run of the job; a run that needs more goes on in another. */
const mostTurns = 500

type Turned =
  | { readonly kind: 'again' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'call'; readonly call: OutsideCall; readonly step: Step }

export async function advanceRun(services: PlatformServices, advancing: Advancing): Promise<void> {
  for (let turns = 0; turns < mostTurns; turns += 1) {
    const turned = await turn(services, advancing)
    if (turned.kind === 'stop') return
    if (turned.kind === 'call') await makeCall(services, advancing, turned)
  }
}

/** One transaction; what it throws as a refusal is an outcome of the step, stored in another. */
async function turn(services: PlatformServices, advancing: Advancing): Promise<Turned> {
  const { kernel } = services
  const { tenantId, runId, jobId } = advancing
  const acting = await actorOf(services, advancing)
  let current: Step | null = null
  try {
    return await kernel.db.tenant({ tenantId, origin: originOf(acting) }, async (tx) => {
      const opened = await openRun(tx, runId)
      if (opened === null || !isGoing(opened.run)) return { kind: 'stop' }
      if (isLeased(services, opened.run, jobId)) return comeBack(tx, opened.run)
      const fresh = (await wakeDue(kernel, tx, opened)) ? ((await openRun(tx, runId)) ?? opened) : opened
      const { next, changed } = await advanceStored(services, tx, fresh)
      if (next.kind !== 'run') return { kind: 'stop' }
      // An effect has a commit of its own: where it is refused, all that was decided before it stands.
      if (changed.length > 0) return { kind: 'again' }
      current = next.step
      return work(services, tx, { opened: fresh, step: next.step, acting, jobId })
    })
  } catch (error) {
    if (current === null || !(error instanceof ProblemError || error instanceof CelFault)) throw error
    const step: Step = current
    await kernel.db.tenant({ tenantId, origin: originOf(acting) }, (tx) =>
      settleFault(services, tx, { runId, step, error }),
    )
    return { kind: 'again' }
  }
}

interface Acting {
  readonly actor: Actor | null
  readonly refusal: ProblemError | null
  readonly run: Pick<RunRow, 'depth' | 'traceparent'> | null
}

/** The owner of the version with the rights of this moment, under the ceiling that it declares. */
async function actorOf({ kernel }: PlatformServices, { tenantId, runId, jobId }: Advancing): Promise<Acting> {
  const [run] = await kernel.db.read(
    tenantId,
    sql<Pick<RunRow, 'depth' | 'traceparent' | 'owner_id'> & { declared: readonly string[] }>`
      select run.depth, run.traceparent, run.owner_id, held.declared_permissions as declared from platform_run run
      join platform_workflow_version held on held.workflow_id = run.workflow_id and held.number = run.workflow_version
      where run.id = ${runId}`,
  )
  if (run === undefined) return { actor: null, refusal: null, run: null }
  try {
    const actor = await kernel.auth.actAs({
      ...{ tenantId, userId: run.owner_id, ceiling: permissionSet(run.declared) },
      job: { kind: runJobKind, id: jobId },
    })
    return { actor, refusal: null, run }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { actor: null, refusal: error, run }
  }
}

const originOf = ({ actor, run }: Acting) => ({
  actor,
  traceparent: run?.traceparent ?? null,
  causationDepth: run?.depth ?? 0,
})

const isGoing = ({ status }: RunRow): boolean => status === 'queued' || status === 'running' || status === 'waiting'

const isLeased = (
  { kernel }: PlatformServices,
  { lease_job: job, lease_until: until }: RunRow,
  jobId: string,
): boolean => job !== null && job !== jobId && until !== null && Date.parse(until) > kernel.clock.now()

/** Another job makes a call for this run: this one looks again when that can be over. */
async function comeBack(tx: Tx, { id, lease_until: until }: RunRow): Promise<Turned> {
  await tx.enqueue({ kind: runJobKind, key: id, payload: { run_id: id }, runAt: Date.parse(until ?? '') })
  return { kind: 'stop' }
}

interface Work {
  readonly opened: Opened
  readonly step: Step
  readonly acting: Acting
  readonly jobId: string
}

async function work(services: PlatformServices, tx: Tx, { opened, step, acting, jobId }: Work): Promise<Turned> {
  const { kernel } = services
  const { run, steps } = opened
  const row = steps.get(step.id)
  if (row === undefined) throw new Error('the step has no row')
  const at = kernel.clock.iso()
  if (run.status !== 'running') await patchRun(tx, kernel, run, { status: 'running', started_at: run.started_at ?? at })
  const scope = scopeIn(opened)
  // One that does not hold was decided before; one that cannot be decided is a fault of this step.
  if (step.if !== undefined) isTrue(step.if, scope)
  const actor = needActor(acting, step)
  // Items of a loop are filled in one by one, with `item` and `index`.
  const input =
    step.type === 'for_each' || step.type === 'condition' ? (step.with ?? {}) : filled(step.with ?? {}, scope)
  const begun = { attempts: row.attempts + 1, started_at: row.started_at ?? at, input_hash: canonicalHash(input) }
  if (step.type === 'http') {
    await patchStep(tx, row, { ...begun, status: 'running' })
    const seconds = step.timeout_seconds ?? 15
    const until = new Date(kernel.clock.now() + (seconds + 15) * 1_000).toISOString()
    await patchRun(tx, kernel, run, { lease_job: jobId, lease_until: until })
    const call = { ...(input as StepInputs['http']), key: `${run.id}:${step.id}`, seconds }
    return { kind: 'call', step, call }
  }
  await patchStep(tx, row, begun)
  if (step.type === 'approve' || step.type === 'delay') {
    await beginWaiting(services, tx, { opened, step, row, input })
    return { kind: 'again' }
  }
  const outcome = await workInside({ services, tx, actor, run, stepId: step.id }, { step, input, scope })
  await settleStep(services, tx, { row: { ...row, ...begun }, outcome })
  return { kind: 'again' }
}

/** @throws AUTH-018 for an owner who is gone, PLAT-013 where the step takes more than its run may do */
function needActor({ actor, refusal }: Acting, step: Step): Actor {
  if (actor === null) throw refusal ?? errors.permissionMissing({ permission: permissionOf(step) ?? 'platform:read' })
  const permission = permissionOf(step)
  if (permission !== null && !holds(actor.permissions, permission)) throw errors.permissionMissing({ permission })
  return actor
}

interface Calling {
  readonly call: OutsideCall
  readonly step: Step
}

async function makeCall(services: PlatformServices, advancing: Advancing, { call, step }: Calling): Promise<void> {
  const { kernel } = services
  const { tenantId, runId, signal } = advancing
  const egress = tenantEgress(kernel, { tenantId, target: 'platform.workflow' })
  const called = await callOutside({ egress }, call, signal)
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const opened = await openRun(tx, runId)
    const row = opened?.steps.get(step.id)
    if (opened === null || row === undefined || row.status !== 'running' || !isGoing(opened.run)) return
    await patchRun(tx, kernel, opened.run, { lease_job: null, lease_until: null })
    if (called.fault === null)
      await settleStep(services, tx, { row, outcome: { status: 'succeeded', output: called.output } })
    else await settleFault(services, tx, { runId, step, error: called.fault, output: called.output })
  })
}
