/**
 * The stream of Azure begins with its content filter's result for the prompt, in a chunk that names no model. Promises
 * that the answer still begins with the model that serves it. Tested in azure-openai.test.ts.
 */
import type { AnswerEvent, CanonicalCall } from '../../../call/call.ts'
import type { StreamDecoder } from '../../adapter.ts'
import type { StreamFrame } from '../../framing.ts'
import { createStreamDecoder as createOpenAiDecoder } from '../openai/decode.ts'

export function createStreamDecoder(call: CanonicalCall): StreamDecoder {
  const inner = createOpenAiDecoder(call)
  let held: StreamFrame | null = null
  let started = false
  return {
    push: (frame) => {
      if (!started && held === null && isNameless(frame)) {
        held = frame
        return []
      }
      const events = inner.push(frame)
      if (started || held === null) {
        started = true
        return events
      }
      started = true
      return afterStart(events, inner.push(held))
    },
    end: () => inner.end(),
  }
}

function afterStart([start, ...rest]: readonly AnswerEvent[], more: readonly AnswerEvent[]): readonly AnswerEvent[] {
  return start === undefined ? more : [start, ...more, ...rest]
}

function isNameless({ data }: StreamFrame): boolean {
  return /"choices"\s*:\s*\[\s*\]/.test(data) && !/"model"\s*:\s*"[^"]/.test(data)
}
