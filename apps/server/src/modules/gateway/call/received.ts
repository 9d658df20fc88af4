/** What came of an answer before anything was taken out of it, and from whom: that is what is paid for. Tested in received.test.ts. */
import type { CallState } from '../pipeline/call-state.ts'
import type { AnswerEvent } from './call.ts'

/** On the way of every event, so it adds up and keeps nothing. */
export function noteReceived(
  state: Pick<CallState, 'usage' | 'receivedBytes' | 'answeredModel'>,
  event: AnswerEvent,
): void {
  if (event.type === 'usage') state.usage = event.usage
  else if (event.type === 'start') state.answeredModel = event.model.slice(0, longestName) || state.answeredModel
  else state.receivedBytes += bytesOf(event)
}

const longestName = 256

function bytesOf(event: AnswerEvent): number {
  switch (event.type) {
    case 'text':
    case 'tool_arguments':
      return Buffer.byteLength(event.text)
    case 'tool_call':
      return Buffer.byteLength(event.name)
    case 'extra':
      // Some servers say what a model thinks in a member that only callers of their form know.
      return Object.values(event.members).reduce<number>(
        (sum, member) => sum + (typeof member === 'string' ? Buffer.byteLength(member) : 0),
        0,
      )
    default:
      return 0
  }
}
