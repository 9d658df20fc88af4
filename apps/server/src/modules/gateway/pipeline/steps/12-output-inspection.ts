import type { AnswerEvent } from '../../call/call.ts'
import type { AnswerFlow, WithAnswer } from '../../call/call-answer.ts'
import type { WithFacts } from '../../call/facts.ts'
import { keepInspected, noteReceived } from '../../call/received.ts'
import { type EventFilter, textFilter, through } from '../../call/texts/event-filter.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { foundIn, notesOf, passOpen } from '../../findings/findings.ts'
import { monitoredStream } from '../../findings/monitored-stream.ts'
import { longestLookMs } from '../../inspection/analyses.ts'
import { variablesOf } from '../../inspection/condition-variables.ts'
import { shapeOf } from '../../plan/answer-shape.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { ConditionCheck } from '../../policy/conditions.ts'
import { isFromCache } from '../../words/cache-status.ts'
import type { Given, Step } from '../contract/step.ts'
import { inTime } from '../progress/in-time.ts'
import { allow } from '../progress/outcome.ts'
import { stepClock } from '../progress/step-clock.ts'
import type { Stop } from './12-output-pieces.ts'
import { blockedAtOutput, isMonitored, passUnseen, recordToldHits } from './12-output-record.ts'
import { textInspection } from './12-output-texts.ts'
import { type TopicCheck, topicCheck } from './12-output-topics.ts'
import { wholeChecks } from './12-output-whole.ts'
import type { PipelineParts } from './parts.ts'

interface Parts extends Partial<Pick<PipelineParts, 'topics'>> {
  readonly kernel: {
    readonly clock: { iso(): string; monotonic(): number; after(ms: number, work: () => void): { stop(): void } }
  }
}

type Reads = 'facts' | 'life' | 'plan' | 'findings' | 'cached' | 'answer' | 'progress'
type Changed = 'findings' | 'answer' | 'progress'
type Call = Given<Reads, Changed>

/** Inspects every text of the answer before it can leave, a stream as it comes. An answer from the cache was inspected. */
export function outputInspection({ kernel, topics }: Parts): Step<Reads, Changed> {
  return {
    n: 12,
    name: 'output_inspection',
    budgetMs: 1,
    limitMs: longestLookMs,
    onFailure: 'output_inspection',
    run: (state) => {
      const {
        answer: { flow: answer },
      } = state
      if (answer === null) return allow
      const before = notesOf(state)
      if (isFromCache(state.cached.status)) {
        recordToldHits(state)
        return notesOf(state) > before ? { decision: 'flag' } : allow
      }
      const timed = stepClock(kernel, state, 12)
      const stop: Stop = { stopped: false, message: null, problem: null }
      const inspecting = inspects(state)
        ? guarded(state, inspection(state, { clock: kernel.clock, stop }))
        : passThrough
      const filter = keeping(state, inspects(state) && isMonitored(state) ? watching(state, inspecting) : inspecting)
      const about = topics === undefined || !inspects(state) ? null : topicCheck({ topics }, state)
      state.write({
        answer: { flow: inspected(state, answer, { filter, timed, gathers: gathers(state), stop, about }) },
      })
      if (about !== null && state.progress.error === null && answer.kind === 'whole')
        return inTime(state, 12, about.look()).then((looked) => {
          about.judge(looked)
          return notesOf(state) > before ? { decision: 'flag' } : allow
        })
      if (state.progress.error !== null) return { decision: 'block', error: state.progress.error, byPolicy: true }
      return notesOf(state) > before ? { decision: 'flag' } : allow
    },
  }
}

function inspects({ plan: { policy } }: WithPlan): boolean {
  return policy.effective.output.enabled && policy.effective.mode !== 'off'
}

const passThrough: EventFilter = { push: (event) => [event], end: () => [] }

/** Lets everything go as it comes, and looks at it all the same. */
function watching(state: WithFindings, filter: EventFilter): EventFilter {
  passOpen(state, monitoredStream)
  return {
    push: (event) => {
      filter.push(event)
      return [event]
    },
    end: () => {
      filter.end()
      return []
    },
  }
}

/** Where the policy wants it, a stream begins when its answer is complete and was looked at as a whole. */
function gathers({ plan: { policy } }: WithPlan): boolean {
  return policy.effective.streaming.mode === 'buffer'
}

interface Inspecting {
  readonly filter: EventFilter
  readonly timed: <T>(work: () => T) => T
  readonly gathers: boolean
  readonly stop: Stop
  readonly about: TopicCheck | null
}

function inspected(state: WithAnswer, answer: AnswerFlow, inspecting: Inspecting): AnswerFlow {
  const { filter, timed, gathers, stop } = inspecting
  if (answer.kind === 'stream')
    return {
      kind: 'stream',
      events: gathers ? allAtOnce(state, answer.events, inspecting) : asTheyCome(state, answer.events, inspecting),
    }
  for (const event of answer.events) noteReceived(state, event)
  const whole = through(answer, filter, timed)
  if (stop.problem !== null) throw stop.problem
  return whole
}

/** What stands before a block leaves, however the answer was cut; then comes the problem. */
async function* asTheyCome(
  state: WithAnswer,
  events: AsyncIterable<AnswerEvent>,
  { filter, timed, stop, about }: Inspecting,
): AsyncGenerator<AnswerEvent> {
  let judging = false
  try {
    for await (const event of events) {
      noteReceived(state, event)
      judging = true
      const passed = timed(() => filter.push(event))
      judging = false
      yield* passed
      if (stop.problem !== null) break
    }
  } catch (error) {
    // What was held back when the provider broke off is inspected and sent; after a filter's own failure nothing is.
    if (!judging && stop.problem === null) yield* timed(() => filter.end())
    throw stop.problem ?? error
  }
  if (stop.problem === null) yield* timed(() => filter.end())
  if (stop.problem !== null) throw stop.problem
  about?.judge(await about.look())
}

async function* allAtOnce(
  state: WithAnswer,
  events: AsyncIterable<AnswerEvent>,
  { filter, timed, stop, about }: Inspecting,
): AsyncGenerator<AnswerEvent> {
  const whole: AnswerEvent[] = []
  for await (const event of events) {
    noteReceived(state, event)
    whole.push(event)
  }
  const passed = timed(() => [...whole.flatMap((event) => filter.push(event)), ...filter.end()])
  // Nothing has left yet, so a block refuses the whole answer.
  if (stop.problem !== null) throw stop.problem
  about?.judge(await about.look())
  yield* passed
}

/** Remembers what was released, for the log and the cache. */
function keeping(state: WithAnswer, filter: EventFilter): EventFilter {
  const keep = (events: readonly AnswerEvent[]): readonly AnswerEvent[] => {
    keepInspected(state, events)
    return events
  }
  return { push: (event) => keep(filter.push(event)), end: () => keep(filter.end()) }
}

/** A detector that fails ends the answer, unless the policy lets it pass unseen. */
function guarded(state: WithPlan & WithFindings & Writes<WithFindings>, filter: EventFilter): EventFilter {
  let broken = false
  const attempt = (work: () => readonly AnswerEvent[], unseen: readonly AnswerEvent[]): readonly AnswerEvent[] => {
    if (broken) return unseen
    try {
      return work()
    } catch (error) {
      broken = true
      passUnseen(state, error)
      return unseen
    }
  }
  return {
    push: (event) => attempt(() => filter.push(event), [event]),
    end: () => attempt(() => filter.end(), []),
  }
}

interface Inspection {
  readonly clock: Parts['kernel']['clock']
  readonly stop: Stop
}

function inspection(state: Call, { clock, stop }: Inspection): EventFilter {
  const texts = textFilter(textInspection(state, stop), { joined: true, ...shapeOf(state) })
  // Guarded by itself: what the texts have let go must not be lost with its failure.
  const whole = guarded(state, wholeChecks({ state, stop, conditions: () => brokenConditions(state, clock.iso()) }))
  const then = (events: readonly AnswerEvent[]): readonly AnswerEvent[] => events.flatMap((event) => whole.push(event))
  return stopping(state, { push: (event) => then(texts.push(event)), end: () => then(texts.end()) }, stop)
}

function brokenConditions(state: WithFacts & WithPlan & WithFindings, now: string): readonly ConditionCheck[] {
  const conditions = state.plan.policy.conditions.filter(({ on }) => on.includes('output'))
  if (conditions.length === 0) return []
  const variables = variablesOf(state, now)
  return conditions.filter((condition) => condition.holds(variables))
}

/** Ends the answer at a block: with the text before it and `content_filter`, or with the problem. */
function stopping(state: Call, filter: EventFilter, stop: Stop): EventFilter {
  let over = false
  const begun = new Set<number>()
  const take = (events: readonly AnswerEvent[]): readonly AnswerEvent[] => {
    for (const event of events) if ('choice' in event) begun.add(event.choice)
    if (!stop.stopped) {
      for (const event of events) if (event.type === 'finish') begun.delete(event.choice)
      return events
    }
    over = true
    const problem = blockProblem(state, stop)
    state.write(blockedAtOutput(problem))
    // What stands before the block leaves, as it would have in a piece of its own.
    const texts = events.filter(({ type }) => type === 'text' || type === 'tool_arguments' || type === 'extra')
    const isError = state.plan.policy.effective.streaming.on_block === 'error' || !state.facts.asked.stream
    if (isError) stop.problem = problem
    // Last, so that what fails here ends a call that is blocked already.
    for (const tell of state.findings.untold) tell()
    if (isError) return texts
    return [...texts, ...[...begun].map((choice) => ({ type: 'finish', choice, reason: 'content_filter' }) as const)]
  }
  return {
    push: (event) => (over ? [] : take(filter.push(event))),
    end: () => (over ? [] : take(filter.end())),
  }
}

function blockProblem(state: WithFindings, { message }: Stop) {
  const blocking = foundIn(state, 'output_inspection').filter(({ action }) => action === 'block')
  const problem = errors.outputBlocked({ names: [...new Set(blocking.map(({ rule }) => rule))] })
  return message === null ? problem : problem.at([{ detail: message, pointer: '' }])
}
