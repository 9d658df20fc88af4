/**
 * Usage, bytes and model of an answer as received, before any filtering: the basis for charging. Tested in
 * received.test.ts.
 */
import type { AnswerEvent } from './call.ts'
import type { CallAnswer, WithAnswer } from './call-answer.ts'

/** Called for every event, so it adds up counts and stores nothing else. */
export function noteReceived({ answer }: WithAnswer, event: AnswerEvent): void {
  const counts: Written<CallAnswer> = answer
  if (event.type === 'usage') counts.usage = event.usage
  else if (event.type === 'start') {
    counts.answeredModel = event.model.slice(0, longestName) || answer.answeredModel
    counts.answeredId = event.id?.slice(0, longestId) || answer.answeredId
  } else counts.receivedBytes += bytesOf(event)
}

type Written<T> = { -readonly [K in keyof T]: T[K] }

const longestName = 256
const longestId = 128

/** Stores events that were inspected. */
export function keepInspected({ answer }: WithAnswer, events: readonly AnswerEvent[]): void {
  answer.inspected.push(...events)
}

/** Replaces the inspected events with those that may be sent, if more was removed from them. */
export function replaceInspected({ answer }: WithAnswer, events: readonly AnswerEvent[]): void {
  answer.inspected.splice(0, answer.inspected.length, ...events)
}

function bytesOf(event: AnswerEvent): number {
  switch (event.type) {
    case 'text':
    case 'tool_arguments':
      return Buffer.byteLength(event.text)
    case 'tool_call':
      return Buffer.byteLength(event.name)
    case 'extra':
      // Some servers send reasoning in a member that only callers of their form know.
      return Object.values(event.members).reduce<number>(
        (sum, member) => sum + (typeof member === 'string' ? Buffer.byteLength(member) : 0),
        0,
      )
    default:
      return 0
  }
}
