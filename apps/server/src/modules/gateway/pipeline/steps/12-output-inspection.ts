import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AnswerEvent } from '../../call/call.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import type { WithFacts } from '../../call/facts.ts'
import { keepInspected, noteReceived } from '../../call/received.ts'
import { createTurns, isLargeAnswer } from '../../call/texts/answer-turns.ts'
import { type EventFilter, textFilter } from '../../call/texts/event-filter.ts'
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
import type { InspectedWhole } from '../contract/whole-inspection.ts'
import { type Inspecting, inspected, wholeInTurns } from '../progress/answer-flow.ts'
import { inTime, isGivenUp } from '../progress/in-time.ts'
import { allow, type StepOutcome } from '../progress/outcome.ts'
import { stepClock } from '../progress/step-clock.ts'
import type { Stop } from './12-output-pieces.ts'
import { blockedAtOutput, isMonitored, passUnseen, recordHit, recordToldHits } from './12-output-record.ts'
import { textInspection } from './12-output-texts.ts'
import { topicCheck } from './12-output-topics.ts'
import { wholeChecks } from './12-output-whole.ts'
import type { PipelineParts } from './parts.ts'

interface Parts extends Partial<Pick<PipelineParts, 'topics' | 'wholes'>> {
  /** The event loop has no other work, so everything is inspected at once. */
  readonly alone?: true
  readonly kernel: {
    readonly clock: { iso(): string; monotonic(): number; after(ms: number, work: () => void): { stop(): void } }
  }
}

type Reads = 'facts' | 'life' | 'plan' | 'findings' | 'cached' | 'answer' | 'progress'
type Changed = 'findings' | 'answer' | 'progress'
type Call = Given<Reads, Changed>

/** Inspects every text of the answer before it can leave, a stream as it comes. An answer from the cache was inspected. */
export function outputInspection({ kernel, topics, wholes, alone }: Parts): Step<Reads, Changed> {
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
      const looking = inspects(state) ? answerFilter(state, { clock: kernel.clock, stop }) : passThrough
      const filter = keeping(state, inspects(state) && isMonitored(state) ? watching(state, looking) : looking)
      const about = topics === undefined || !inspects(state) ? null : topicCheck({ topics }, state)
      const isOver = (): boolean => stop.problem !== null
      const turns = createTurns({ filter, timed, clock: kernel.clock, isOver })
      const judge = async (): Promise<void> => about?.judge(await about.look())
      const inspecting = { filter, timed, turns, gathers: gathers(state), stop, judge }
      const judged = (): StepOutcome | Promise<StepOutcome> => {
        if (about === null || state.progress.error !== null || answer.kind !== 'whole') return outcomeOf(state, before)
        return inTime(state, 12, about.look()).then((looked) => {
          about.judge(looked)
          return outcomeOf(state, before)
        })
      }
      if (answer.kind === 'whole' && alone !== true && isLargeAnswer(answer.events))
        return large(state, answer.events, { ...inspecting, wholes: inspects(state) ? wholes : undefined }).then(judged)
      state.write({ answer: { flow: inspected(state, answer, inspecting) } })
      return judged()
    },
  }
}

interface InspectingLarge extends Inspecting {
  readonly wholes: PipelineParts['wholes'] | undefined
}

/** In a thread where one is free, else in turns. */
async function large(
  state: Call,
  events: readonly AnswerEvent[],
  { wholes, ...inspecting }: InspectingLarge,
): Promise<void> {
  let inspected: InspectedWhole | null | undefined
  await nextTurn()
  try {
    inspected = await wholes?.inspect(state, events)
  } catch (error) {
    if (isGivenUp(state, 12)) return
    state.life.abort.throwIfAborted()
    passUnseen(state, error)
    inspected = { events, hits: [], failOpen: [], block: null }
  }
  if (inspected == null) return wholeInTurns(state, events, inspecting)
  if (isGivenUp(state, 12)) return
  state.life.abort.throwIfAborted()
  for (const event of events) noteReceived(state, event)
  for (const hit of inspected.hits) recordHit(state, hit)
  for (const part of inspected.failOpen) passOpen(state, part)
  keepInspected(state, inspected.events)
  if (inspected.block !== null) {
    const problem = blockProblem(state, inspected.block)
    state.write(blockedAtOutput(problem))
    throw problem
  }
  state.write({ answer: { flow: { kind: 'whole', events: inspected.events } } })
}

function outcomeOf(state: Call, before: number): StepOutcome {
  if (state.progress.error !== null) return { decision: 'block', error: state.progress.error, byPolicy: true }
  return notesOf(state) > before ? { decision: 'flag' } : allow
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

/** All that is looked for in an answer; a block is told by `stop`. */
export function answerFilter(state: Call, inspection: Inspection): EventFilter {
  return guarded(state, filterOf(state, inspection))
}

function filterOf(state: Call, { clock, stop }: Inspection): EventFilter {
  const texts = textFilter(textInspection(state, stop), { joined: true, ...shapeOf(state) })
  // Guarded by itself: text already released by the text filters must not be lost with its failure.
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
    // Content before the block leaves, as it would have in a piece of its own.
    const texts = events.filter(({ type }) => type === 'text' || type === 'tool_arguments' || type === 'extra')
    const isError = state.plan.policy.effective.streaming.on_block === 'error' || !state.facts.asked.stream
    if (isError) stop.problem = problem
    // Last, so that a failure here ends a call that is already blocked.
    for (const tell of state.findings.untold) tell()
    if (isError) return texts
    return [...texts, ...[...begun].map((choice) => ({ type: 'finish', choice, reason: 'content_filter' }) as const)]
  }
  return {
    push: (event) => (over ? [] : take(filter.push(event))),
    end: () => (over ? [] : take(filter.end())),
  }
}

function blockProblem(state: WithFindings, { message }: Pick<Stop, 'message'>) {
  const blocking = foundIn(state, 'output_inspection').filter(({ action }) => action === 'block')
  const problem = errors.outputBlocked({ names: [...new Set(blocking.map(({ rule }) => rule))] })
  return message === null ? problem : problem.at([{ detail: message, pointer: '' }])
}
