/**
 * Steps 8 and 12, followed by the guards of other modules. If no guard judges a call, the step behaves as without
 * guards. Tested in guards.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'
import type { AnswerEvent } from '../call/call.ts'
import { replaceInspected } from '../call/received.ts'
import { provenanceAt } from '../call/texts/texts.ts'
import { errors } from '../declared/errors.ts'
import { blockedBy } from '../findings/findings.ts'
import type { PartName } from '../pipeline/contract/call-parts.ts'
import type { Given, Step } from '../pipeline/contract/step.ts'
import { inTime } from '../pipeline/progress/in-time.ts'
import { allow, block, type StepOutcome } from '../pipeline/progress/outcome.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { InputGuard, OutputGuard } from '../ports/call-guards.ts'
import { isFromCache } from '../words/cache-status.ts'
import { answerParts, withoutCutTexts } from './answer-texts.ts'
import { askAll, judging } from './ask.ts'
import { callParts, cutNames, keepableWithout, withoutCutParts } from './call-texts.ts'
import { combine, type Judgement } from './combine.ts'
import { guardedCall, problemFor, recordVerdicts } from './judge.ts'

interface Guarding<Side extends 'input' | 'output', G> {
  readonly kernel: { readonly clock: Pick<Clock, 'after'> }
  /** The guards of all modules. */
  readonly guards: { readonly [S in Side]: () => readonly G[] }
}

interface Asking<G> {
  readonly clock: Pick<Clock, 'after'>
  readonly asked: readonly G[]
}

type InputStep = Step<'facts' | 'life' | 'plan' | 'findings' | 'progress', 'plan' | 'findings'>
type InputCall = Parameters<InputStep['run']>[0]

/** Input guards get the call as changed by the policy; they do not get a call refused by the policy. */
export function guardedInput(step: InputStep, { guards, kernel }: Guarding<'input', InputGuard>): InputStep {
  const askedFor = (state: Pick<InputCall, 'facts' | 'life'>): readonly InputGuard[] => {
    const all = guards.input()
    return all.length === 0 ? all : judging(all, guardedCall(state))
  }
  return {
    ...step,
    evenWhenOff: (state) => askedFor(state).length > 0,
    run: (state) => {
      const asked = askedFor(state)
      const own = state.plan.policy.effective.mode === 'off' ? allow : step.run(state)
      return asked.length === 0 ? own : behindInput(state, own, { asked, clock: kernel.clock })
    },
  }
}

async function behindInput(
  state: InputCall,
  own: StepOutcome | Promise<StepOutcome>,
  { asked, clock }: Asking<InputGuard>,
): Promise<StepOutcome> {
  const outcome = await own
  if (isRefused(state, outcome)) return outcome
  const question = { call: guardedCall(state), parts: callParts(state), clock }
  const judgement = combine(await inTime(state, 8, askAll(asked, question)))
  recordVerdicts(state, judgement, 'content_policy')
  const problem = problemFor(judgement, 'call') ?? problemOfNames(state, judgement)
  if (problem !== null) {
    const blocking = judgement.said.find(({ decision }) => decision === 'block')
    blockedBy(state, provenanceAt(state.plan.call, blocking?.location ?? ''))
    return block(problem)
  }
  takeOut(state, judgement)
  return stricter(outcome, judgement)
}

/** A name cannot be replaced, so a name that would be removed is refused instead, as by a policy. */
function problemOfNames({ plan: { call } }: WithPlan, { cuts }: Judgement) {
  const [location] = cutNames(call, cuts)
  if (location === undefined) return null
  const names = [...new Set((cuts.get(location) ?? []).map(({ rule }) => rule))]
  return errors
    .contentPolicy({ names })
    .at([{ detail: 'It stands in a name, which cannot be redacted.', pointer: location }])
}

function takeOut(state: InputCall, { cuts }: Judgement): void {
  if (cuts.size === 0) return
  const { call, keepable } = state.plan
  const left = withoutCutParts(call, cuts)
  const kept = keepable === null ? null : keepable === call ? left : keepableWithout(keepable, call, cuts)
  state.write({ plan: { call: left, keepable: kept }, findings: { redacted: true } })
}

type OutputReads = 'facts' | 'life' | 'plan' | 'findings' | 'cached' | 'answer' | 'progress'
type OutputStep<R extends PartName> = Step<R, 'findings' | 'answer' | 'progress'>
type OutputCall = Given<OutputReads | 'attempts', 'findings' | 'answer' | 'progress'>

/** Output guards get the complete answer, including one from the cache; a stream is held back for them. */
export function guardedOutput(
  step: OutputStep<OutputReads>,
  { guards, kernel }: Guarding<'output', OutputGuard>,
): OutputStep<OutputReads | 'attempts'> {
  return {
    ...step,
    run: (state) => {
      const all = guards.output()
      if (all.length === 0 || state.answer.flow === null) return step.run(state)
      const asked = judging(all, guardedCall(state))
      return asked.length === 0 ? step.run(state) : behindOutput(state, step.run(state), { asked, clock: kernel.clock })
    },
  }
}

async function behindOutput(
  state: OutputCall,
  own: StepOutcome | Promise<StepOutcome>,
  asking: Asking<OutputGuard>,
): Promise<StepOutcome> {
  const outcome = await own
  const { flow } = state.answer
  if (isRefused(state, outcome) || flow === null) return outcome
  if (flow.kind === 'stream') {
    state.write({ answer: { flow: { kind: 'stream', events: heldBack(state, flow.events, asking) } } })
    return outcome
  }
  const judgement = await inTime(state, 12, judged(state, flow.events, asking))
  const events = enforced(state, flow.events, judgement)
  state.write({ answer: { flow: { kind: 'whole', events } } })
  return stricter(outcome, judgement)
}

async function* heldBack(
  state: OutputCall,
  coming: AsyncIterable<AnswerEvent>,
  asking: Asking<OutputGuard>,
): AsyncGenerator<AnswerEvent> {
  const events: AnswerEvent[] = []
  for await (const event of coming) events.push(event)
  yield* enforced(state, events, await judged(state, events, asking))
}

async function judged(
  state: OutputCall,
  events: readonly AnswerEvent[],
  { asked, clock }: Asking<OutputGuard>,
): Promise<Judgement> {
  const { served } = state.attempts
  const isCached = isFromCache(state.cached.status)
  const servedBy = served === null || isCached ? null : { provider: served.provider.name, model: served.model }
  return combine(await askAll(asked, { call: guardedCall(state), parts: answerParts(events, servedBy), clock }))
}

/** Events that may be sent. @throws ProblemError if none may */
function enforced(state: OutputCall, events: readonly AnswerEvent[], judgement: Judgement): readonly AnswerEvent[] {
  recordVerdicts(state, judgement, 'output_inspection')
  const error = problemFor(judgement, 'answer')
  if (error !== null) {
    const blockedStep = { n: 12, name: 'output_inspection' } as const
    state.write({ findings: { blockedAt: 'output' }, progress: { blockedStep, error } })
    throw error
  }
  if (judgement.cuts.size === 0) return events
  const left = withoutCutTexts(events, judgement.cuts)
  replaceInspected(state, left)
  state.write({ findings: { redacted: true } })
  return left
}

/** A block lifted by the policy's mode is not a block for guards. */
function isRefused({ plan: { policy } }: WithPlan, outcome: StepOutcome): boolean {
  return outcome.decision === 'block' && (!outcome.byPolicy || policy.effective.mode === 'enforce')
}

function stricter(outcome: StepOutcome, { decision }: Judgement): StepOutcome {
  if (outcome.decision === 'block' || outcome.decision === 'redact' || decision === 'allow') return outcome
  return { ...outcome, decision: decision === 'redact' ? 'redact' : 'flag' }
}
