import { isFromCache } from '../../cache/status.ts'
import type { AnswerEvent } from '../../call/call.ts'
import { type EventFilter, textFilter } from '../../call/event-filter.ts'
import { longestLookMs } from '../../detection/analyses.ts'
import { errors } from '../../errors.ts'
import { type ConditionCheck, variablesOf } from '../../policy/conditions.ts'
import { type CallState, shapeOf } from '../call-state.ts'
import { foundIn, notesOf } from '../findings.ts'
import { inTime } from '../in-time.ts'
import type { PipelineParts } from '../parts.ts'
import { stepClock } from '../run.ts'
import { allow, type Step, type StepOutcome } from '../step.ts'
import { inspected, wholeInTurns } from './12-output-flow.ts'
import { isMonitored, monitoredStream, passUnseen, recordToldHits } from './12-output-record.ts'
import { type Stop, textInspection } from './12-output-texts.ts'
import { topicCheck } from './12-output-topics.ts'
import { createTurns, isLargeAnswer } from './12-output-turns.ts'
import { wholeChecks } from './12-output-whole.ts'

interface Parts extends Partial<Pick<PipelineParts, 'topics'>> {
  readonly kernel: {
    readonly clock: { iso(): string; monotonic(): number; after(ms: number, work: () => void): { stop(): void } }
  }
}

/** Inspects every text of the answer before it can leave, a stream as it comes. An answer from the cache was inspected. */
export function outputInspection({ kernel, topics }: Parts): Step {
  return {
    n: 12,
    name: 'output_inspection',
    budgetMs: 1,
    limitMs: longestLookMs,
    onFailure: 'output_inspection',
    run: (state) => {
      const { answer } = state
      if (answer === null) return allow
      const before = notesOf(state)
      if (isFromCache(state.cache)) {
        recordToldHits(state)
        return notesOf(state) > before ? { decision: 'flag' } : allow
      }
      const timed = stepClock(kernel, state, 12)
      const stop: Stop = { stopped: false, message: null, problem: null }
      const looking = inspects(state) ? guarded(state, inspection(state, { clock: kernel.clock, stop })) : passThrough
      const filter = keeping(state, inspects(state) && isMonitored(state) ? watching(state, looking) : looking)
      const about = topics === undefined || !inspects(state) ? null : topicCheck({ topics }, state)
      const isOver = (): boolean => stop.problem !== null
      const turns = createTurns({ filter, timed, clock: kernel.clock, isOver })
      const inspecting = { filter, timed, turns, gathers: gathers(state), stop, about }
      if (answer.kind === 'whole' && isLargeAnswer(answer.events))
        return wholeInTurns(state, answer.events, inspecting).then(() => outcomeOf(state, before))
      state.answer = inspected(state, answer, inspecting)
      if (about !== null && state.error === null && answer.kind === 'whole')
        return inTime(state, 12, about.look()).then((looked) => {
          about.judge(looked)
          return notesOf(state) > before ? { decision: 'flag' } : allow
        })
      return outcomeOf(state, before)
    },
  }
}

function outcomeOf(state: CallState, before: number): StepOutcome {
  if (state.error !== null) return { decision: 'block', error: state.error, byPolicy: true }
  return notesOf(state) > before ? { decision: 'flag' } : allow
}

function inspects({ policy }: CallState): boolean {
  return policy.effective.output.enabled && policy.effective.mode !== 'off'
}

const passThrough: EventFilter = { push: (event) => [event], end: () => [] }

/** Lets everything go as it comes, and looks at it all the same. */
function watching(state: CallState, filter: EventFilter): EventFilter {
  state.failOpen.push(monitoredStream)
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
function gathers({ policy }: CallState): boolean {
  return policy.effective.streaming.mode === 'buffer'
}

/** Remembers what was released, for the log and the cache. */
function keeping(state: CallState, filter: EventFilter): EventFilter {
  const keep = (events: readonly AnswerEvent[]): readonly AnswerEvent[] => {
    state.inspected.push(...events)
    return events
  }
  return { push: (event) => keep(filter.push(event)), end: () => keep(filter.end()) }
}

/** A detector that fails ends the answer, unless the policy lets it pass unseen. */
function guarded(state: CallState, filter: EventFilter): EventFilter {
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

function inspection(state: CallState, { clock, stop }: Inspection): EventFilter {
  const texts = textFilter(textInspection(state, stop), { joined: true, ...shapeOf(state) })
  // Guarded by itself: what the texts have let go must not be lost with its failure.
  const whole = guarded(state, wholeChecks({ state, stop, conditions: () => brokenConditions(state, clock.iso()) }))
  const then = (events: readonly AnswerEvent[]): readonly AnswerEvent[] => events.flatMap((event) => whole.push(event))
  return stopping(state, { push: (event) => then(texts.push(event)), end: () => then(texts.end()) }, stop)
}

function brokenConditions(state: CallState, now: string): readonly ConditionCheck[] {
  const conditions = state.policy.conditions.filter(({ on }) => on.includes('output'))
  if (conditions.length === 0) return []
  const variables = variablesOf(state, now)
  return conditions.filter((condition) => condition.holds(variables))
}

/** Ends the answer at a block: with the text before it and `content_filter`, or with the problem. */
function stopping(state: CallState, filter: EventFilter, stop: Stop): EventFilter {
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
    state.blockedAt = 'output'
    state.blockedStep = { n: 12, name: 'output_inspection' }
    state.error = problem
    // What stands before the block leaves, as it would have in a piece of its own.
    const texts = events.filter(({ type }) => type === 'text' || type === 'tool_arguments' || type === 'extra')
    const isError = state.policy.effective.streaming.on_block === 'error' || !state.facts.asked.stream
    if (isError) stop.problem = problem
    // Last, so that what fails here ends a call that is blocked already.
    for (const tell of state.untold) tell()
    if (isError) return texts
    return [...texts, ...[...begun].map((choice) => ({ type: 'finish', choice, reason: 'content_filter' }) as const)]
  }
  return {
    push: (event) => (over ? [] : take(filter.push(event))),
    end: () => (over ? [] : take(filter.end())),
  }
}

function blockProblem(state: CallState, { message }: Stop) {
  const blocking = foundIn(state, 'output_inspection').filter(({ action }) => action === 'block')
  const problem = errors.outputBlocked({ names: [...new Set(blocking.map(({ rule }) => rule))] })
  return message === null ? problem : problem.at([{ detail: message, pointer: '' }])
}
