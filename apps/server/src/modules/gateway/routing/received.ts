/**
 * The beginning of an answer, read far enough to see that there is one. Until then a fault leads to another attempt; from
 * then on it can only end the answer. Tested in upstream-routes.test.ts.
 */
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { AnswerEvent } from '../call/call.ts'
import type { AnswerFlow } from '../call/call-answer.ts'
import { errors } from '../declared/errors.ts'
import { problemOf, UpstreamFault } from '../providers/fault.ts'

export interface Reading {
  readonly stream: boolean
  /** A provider's own filter counts as a fault, because another target may be asked. */
  readonly refuseFiltered: boolean
  readonly provider: string
  /** Fault of the target if its stream ended with this error; null if it was not at fault. */
  readonly faultOf: (error: unknown) => UpstreamFault | null
  /** The rest of a stream broke. */
  readonly broke: (fault: UpstreamFault) => void
  /** Nothing more will come. */
  readonly ended: () => void
}

/** @throws UpstreamFault before there is content */
export async function receive(events: AsyncGenerator<AnswerEvent>, reading: Reading): Promise<AnswerFlow> {
  const first: AnswerEvent[] = []
  for (let next = await events.next(); !next.done; next = await events.next()) {
    first.push(next.value)
    if (!reading.stream || facts.has(next.value.type)) continue
    if (reading.refuseFiltered && isFiltered(first)) {
      await events.return(undefined)
      throw filteredFault()
    }
    return { kind: 'stream', events: continued(first, events, reading) }
  }
  if (!first.some(({ type }) => type === 'finish' || type === 'embedding'))
    throw new UpstreamFault('broken', 'its answer ended early')
  if (reading.refuseFiltered && isFiltered(first)) throw filteredFault()
  reading.ended()
  return { kind: 'whole', events: first }
}

/** Facts about an answer come before it begins. */
const facts: ReadonlySet<AnswerEvent['type']> = new Set(['start', 'usage', 'extra', 'answer_extra'])

function isFiltered(events: readonly AnswerEvent[]): boolean {
  const ends = events.filter((event) => event.type === 'finish')
  const saysNothing = events.every((event) => event.type === 'finish' || facts.has(event.type))
  return saysNothing && ends.length > 0 && ends.every(({ reason }) => reason === 'content_filter')
}

function filteredFault(): UpstreamFault {
  return new UpstreamFault('content_filtered', 'its own filter withheld the answer')
}

/** The events read to see that the provider answers, then the rest. */
async function* continued(
  first: readonly AnswerEvent[],
  rest: AsyncGenerator<AnswerEvent>,
  { provider, faultOf, broke, ended }: Reading,
): AsyncGenerator<AnswerEvent> {
  try {
    yield* first
    yield* rest
  } catch (error) {
    const fault = faultOf(error)
    if (fault !== null) broke(fault)
    throw error instanceof UpstreamFault ? brokenProblem(error, provider) : error
  } finally {
    ended()
    await rest.return(undefined)
  }
}

function brokenProblem(fault: UpstreamFault, provider: string): ProblemError {
  const isBroken = fault.kind === 'connect' || fault.kind === 'server_error' || fault.kind === 'broken'
  return isBroken ? errors.streamBroken().causedBy(fault) : problemOf(fault, provider)
}
