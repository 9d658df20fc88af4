/**
 * Runs a logged call again and compares both. Promises that it takes the path of every call (kill switch, policies,
 * limits, budgets and the log included), that it runs the kept call without original values, and that a dry run asks no
 * model, pays nothing and leaves nothing but the audit entry. Tested in replay.test.ts.
 */

import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { startCall } from '../answering/run-call.ts'
import { type Asked, plainAsked } from '../call/asked.ts'
import type { CanonicalCall } from '../call/call.ts'
import { errors } from '../declared/errors.ts'
import { beginCall } from '../pipeline/begin.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import { finishCall } from '../pipeline/finish.ts'
import type { Pipeline } from '../pipeline/order.ts'
import { runSteps } from '../pipeline/run.ts'
import { keptAnswer } from '../records/kept-content.ts'
import { openPayload } from '../records/payload.ts'
import { requestRow } from '../records/row.ts'
import { needRequest } from '../request-log/requests.ts'
import { findPayload } from '../request-log/resource/logged-request.ts'
import type { RequestRow } from '../schemas/request.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { compareSides } from './compare.ts'
import { forKeptCalls } from './placeholders.ts'
import { pipelineAt } from './policy-version.ts'
import type { NewReplay, Replay, ReplaySide } from './schema.ts'

export interface ReplayAsked {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly info: RequestInfo
  /** Either id of the call. */
  readonly id: string
  readonly body: NewReplay
}

interface Original {
  readonly row: RequestRow
  readonly call: CanonicalCall
  readonly answer: ReplaySide['answer']
}

/** @throws API-013, GW-001, GW-002, GW-010, GW-020, GW-028 */
export async function replayCall(services: GatewayServices, asked: ReplayAsked): Promise<Replay> {
  const { body, scope, actor, info } = asked
  if (body.route !== undefined) await needRoute(services, scope, body.route)
  const { row, call, answer } = await readOriginal(services, asked)
  const input = { actor, info, asked: askedAgain(row, call, body) }
  const pipeline =
    body.policy_id === undefined || body.policy_version === undefined
      ? services.pipeline
      : await pipelineAt(services, scope.tenantId, { policy: body.policy_id, version: body.policy_version })
  const run = { services, pipeline: forKeptCalls(pipeline), input, scope }
  const original = sideOf(row, answer)
  const replay = body.dry_run === true ? await runDry(run) : await runWhole(run)
  return { id: replay.id, original, replay, diff: compareSides(original, replay) }
}

/** A model of that name is something else. @throws GW-001 */
async function needRoute({ parts }: GatewayServices, { tenantId }: TenantScope, name: string): Promise<void> {
  const { routes = [] } = await parts.snapshots.get(tenantId)
  if (!routes.some((route) => route.name === name)) throw errors.unknownTarget({ what: `There is no route ${name}.` })
}

/** Somebody reads another's content here, so it is in the audit log before anything runs. */
async function readOriginal({ kernel }: GatewayServices, { scope, actor, id, body }: ReplayAsked): Promise<Original> {
  const { row, sealed } = await kernel.db.tenant(scope, async (tx) => {
    const found = await needRequest(tx, actor, id)
    await tx.audit('gateway.request.replay', { target: `request:${found.id}`, after: body })
    return { row: found, sealed: await findPayload(tx, found.id) }
  })
  const opened = sealed === null ? null : await openPayload(kernel.tenantKeys, scope.tenantId, sealed)
  if (opened?.kept?.whole !== true) throw errors.payloadNotRetained()
  return { row, call: opened.kept.call, answer: opened.payload.answer }
}

/** An answer out of the cache would compare a call with itself. */
function askedAgain(
  row: RequestRow,
  call: CanonicalCall,
  { route, model = route, policy_id: policy }: NewReplay,
): Asked {
  return {
    ...plainAsked,
    operation: row.operation,
    dialect: row.dialect,
    provider: model === undefined ? row.provider : null,
    model: model ?? row.model ?? row.requested_model,
    policy: policy ?? null,
    tags: row.tags,
    cache: { mode: 'off', maxAgeS: null },
    replays: row.id,
    read: () => call,
  }
}

interface Run {
  readonly services: GatewayServices
  readonly pipeline: Pipeline
  readonly input: { readonly actor: Actor; readonly info: RequestInfo; readonly asked: Asked }
  readonly scope: TenantScope
}

/** Errors of the replay's own request, which cannot be run; any other error of a call is its result. */
const mistakes: ReadonlySet<string> = new Set([
  errors.unknownTarget.code,
  errors.policyNotUsable.code,
  errors.killSwitch.code,
  errors.auditUnavailable.code,
])

async function runWhole({ services, pipeline, input, scope }: Run): Promise<ReplaySide> {
  const { kernel } = services
  const state = await startCall({ kernel, pipeline }, input)
  try {
    await finishCall(kernel, pipeline, state)
  } catch (error) {
    if (!(error instanceof ProblemError) || mistakes.has(error.code)) throw error
  }
  const row = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => needRequest(tx, input.actor, state.facts.id))
  return sideOf(row, state.attempts.served === null ? null : keptAnswer(state))
}

/** The steps that only look: no limit or budget is charged, no cache is asked, no model is called. */
const looking: ReadonlySet<number> = new Set([1, 2, 3, 5, 6, 7, 8, 10])

async function runDry({ services, pipeline, input }: Run): Promise<ReplaySide> {
  const { kernel } = services
  const state = beginCall(kernel, input, input.asked)
  try {
    const steps = pipeline.answering.filter(({ n }) => looking.has(n))
    await runSteps(kernel, steps, state)
  } finally {
    for (const cleanup of state.life.cleanups.splice(0).reverse()) cleanup()
  }
  if (state.progress.error !== null && mistakes.has(state.progress.error.code)) throw state.progress.error
  return { ...sideOf(unstoredRow(services, state), null), id: null, status: null }
}

function unstoredRow({ kernel }: GatewayServices, state: CallParts): RequestRow {
  return requestRow({
    state,
    status: state.progress.error === null ? 'completed' : 'blocked',
    auditId: state.facts.id,
    finishedAt: kernel.clock.iso(),
    nowMs: kernel.clock.monotonic(),
    recordedInMs: null,
    retention: 'metadata',
  })
}

function sideOf(row: RequestRow, answer: ReplaySide['answer']): ReplaySide {
  const { id, status, decision, error_code, blocked_step, provider, model, policies } = row
  const { security, usage, cost, steps, timings } = row
  const outcome = { id, status, decision, error_code, blocked_step, provider, model, policies }
  return { ...outcome, security, usage, cost, steps, timings, answer }
}
