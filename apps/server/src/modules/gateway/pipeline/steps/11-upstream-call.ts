import type { ProblemError } from '../../../../kernel/http/problem.ts'
import type { AnswerEvent } from '../../call/call.ts'
import { errors } from '../../errors.ts'
import { pause } from '../../providers/echo.ts'
import { faultRules, problemOf, UpstreamFault } from '../../providers/fault.ts'
import type { Target } from '../../providers/provider.ts'
import { askProvider } from '../../providers/upstream.ts'
import type { CallState } from '../call-state.ts'
import { callDeadlineMs } from '../deadline.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, block, type Step, type StepOutcome } from '../step.ts'

const backoffBaseMs = 250
const longestBackoffMs = 4000
const longestRetryAfterMs = 10_000

/** Asks the targets in turn until one answers. A stream counts as answered when its first content is there. */
export function upstreamCall(parts: PipelineParts): Step {
  return {
    n: 11,
    name: 'upstream_call',
    budgetMs: 0.5,
    onFailure: 'closed',
    run: async (state) => {
      if (state.answer !== null) return allow
      state.intent = parts.recorder.intent(state)
      // Its failure is looked at when the outcome is stored; until then it must not count as unhandled.
      state.intent.catch(() => {})
      const timer = parts.kernel.clock.after(callDeadlineMs(state), () =>
        state.abort.abort(errors.upstreamTimeout({ which: 'total' })),
      )
      state.cleanups.push(() => timer.stop())
      return askInTurn(parts, state)
    },
  }
}

async function askInTurn(parts: PipelineParts, state: CallState): Promise<StepOutcome> {
  const most = state.policy.effective.upstream.max_attempts
  const faults: Failed[] = []
  let at = 0
  // Keys that were refused or limited in this call, by provider.
  let spent = new Set<string>()
  for (let attempt = 0; attempt < most; attempt += 1) {
    const target = state.targets[at]
    if (target === undefined) break
    const fault = await attemptOnce(parts, state, { target, spent })
    if (fault === null) return allow
    faults.push({ fault, target })
    const move = nextMove(parts, { target, fault, spent, hasOther: at + 1 < state.targets.length })
    if (move === 'stop') break
    if (move === 'wait') await backOff(parts, state, { fault, attempt })
    if (move !== 'elsewhere') continue
    at += 1
    spent = new Set()
  }
  return block(finalProblem(faults))
}

interface Failed {
  readonly fault: UpstreamFault
  readonly target: Target
}

interface Choice extends Failed {
  readonly spent: ReadonlySet<string>
  readonly hasOther: boolean
}

/** Another key at once, another target, the same again after a while, or nothing more. */
function nextMove(
  { health }: PipelineParts,
  { target, fault, spent, hasOther }: Choice,
): 'again' | 'wait' | 'elsewhere' | 'stop' {
  const { next } = faultRules[fault.kind]
  if (next === 'never') return 'stop'
  const keyAtFault = fault.kind === 'rate_limited' || fault.kind === 'credential'
  if (keyAtFault) return health.keys.pick(target.provider, spent) ? 'again' : 'elsewhere'
  return next === 'elsewhere' || hasOther ? 'elsewhere' : 'wait'
}

function finalProblem(faults: readonly Failed[]): ProblemError {
  const last = faults.at(-1)
  if (last === undefined) return errors.noHealthyTarget()
  const provider = last.target.provider.name
  // Nothing was given out yet, so a connection that broke is a provider that did not answer.
  if (last.fault.kind === 'broken') return errors.upstreamFailed({ provider }).causedBy(last.fault)
  if (last.fault.kind !== 'rate_limited') return problemOf(last.fault, provider)
  const waits = faults.flatMap(({ fault }) => (fault.retryAfterMs === null ? [] : [fault.retryAfterMs]))
  const soonest = waits.length === 0 ? null : Math.min(...waits)
  return problemOf(
    new UpstreamFault('rate_limited', last.fault.message, { retryAfterMs: soonest, cause: last.fault }),
    provider,
  )
}

interface Attempt {
  readonly target: Target
  readonly spent: Set<string>
}

async function attemptOnce(
  parts: PipelineParts,
  state: CallState,
  { target, spent }: Attempt,
): Promise<UpstreamFault | null> {
  const { clock } = parts.kernel
  const secret = parts.health.keys.pick(target.provider, spent)
  if (secret === undefined)
    return new UpstreamFault('rate_limited', 'every key rests', {
      retryAfterMs: parts.health.keys.restMs(target.provider),
    })
  const startedMs = clock.monotonic()
  state.served = target
  const stream = state.facts.request.stream === true
  const events = askProvider(parts.kernel, { call: state.call, target, secret, stream, signal: state.abort.signal })
  const finished = (fault: UpstreamFault | null): void => {
    const ms = clock.monotonic() - startedMs
    state.upstreamMs += ms
    state.attempts.push({
      provider: target.provider.name,
      model: target.model,
      key_id: secret?.id ?? null,
      ok: fault === null,
      status: fault?.status ?? null,
      reason: fault === null ? null : `${fault.kind}: ${fault.message}`.slice(0, 300),
      ms: Math.round(ms * 1000) / 1000,
    })
  }
  try {
    await receive(state, events, stream)
    if (stream) state.ttftMs = clock.monotonic() - state.facts.startedMs
    finished(null)
    parts.health.succeeded(state.facts.tenantId, target.provider, secret?.id ?? null)
    return null
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    finished(error)
    if (secret !== null && (error.kind === 'rate_limited' || error.kind === 'credential')) spent.add(secret.id)
    parts.health.failed(state.facts.tenantId, target.provider, { fault: error, secretId: secret?.id ?? null })
    return error
  }
}

async function receive(state: CallState, events: AsyncGenerator<AnswerEvent>, stream: boolean): Promise<void> {
  const first: AnswerEvent[] = []
  for (let next = await events.next(); !next.done; next = await events.next()) {
    first.push(next.value)
    if (stream && isContent(next.value)) {
      state.answer = { kind: 'stream', events: continued(first, events) }
      return
    }
  }
  if (!first.some(({ type }) => type === 'finish')) throw new UpstreamFault('broken', 'its answer ended early')
  state.answer = { kind: 'whole', events: first }
}

function isContent({ type }: AnswerEvent): boolean {
  return type === 'text' || type === 'tool_call' || type === 'finish'
}

/** What was read to see that the provider answers, then the rest. From here on a fault can only end the answer. */
async function* continued(
  first: readonly AnswerEvent[],
  rest: AsyncGenerator<AnswerEvent>,
): AsyncGenerator<AnswerEvent> {
  try {
    yield* first
    yield* rest
  } catch (error) {
    throw error instanceof UpstreamFault ? brokenProblem(error) : error
  } finally {
    await rest.return(undefined)
  }
}

function brokenProblem(fault: UpstreamFault): ProblemError {
  const broken = fault.kind === 'connect' || fault.kind === 'server_error' || fault.kind === 'broken'
  return broken ? errors.streamBroken().causedBy(fault) : problemOf(fault, 'asked')
}

/** Full jitter: between nothing and a doubling bound, or what the provider asked for. */
async function backOff(
  { kernel }: PipelineParts,
  state: CallState,
  { fault, attempt }: { readonly fault: UpstreamFault; readonly attempt: number },
): Promise<void> {
  const bound = Math.min(longestBackoffMs, backoffBaseMs * 2 ** attempt)
  const ms =
    fault.retryAfterMs === null ? kernel.random.fraction() * bound : Math.min(fault.retryAfterMs, longestRetryAfterMs)
  await pause(ms, { clock: kernel.clock, signal: state.abort.signal })
}
