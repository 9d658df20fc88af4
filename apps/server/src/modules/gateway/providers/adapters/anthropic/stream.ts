/** Anthropic's messages from providers: canonical events of the frames of a stream. Pure. Tested in stream.test.ts. */
import type { Static, TSchema } from 'typebox'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall } from '../../../call/call.ts'
import type { StreamDecoder } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { errorInAnswer } from '../../said-error.ts'
import { createBlockReader } from './blocks.ts'
import { answerExtra, endExtra, finishOf, startOf } from './decode.ts'
import { faultOfEvent, parseJson } from './errors.ts'
import { anthropicForm, restOf } from './own-events.ts'
import { type AnthropicUsage, BlockDelta, BlockStart, BlockStop, MessageDelta, MessageStart } from './schema.ts'
import { laterUsage, readUsage } from './usage.ts'

const knownOfStart = new Set(['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence'])
const knownOfEnd = new Set(['stop_reason', 'stop_sequence'])

export function createStreamDecoder({ form }: Pick<CanonicalCall, 'form'>): StreamDecoder {
  const keeps = form === anthropicForm
  const blocks = createBlockReader(keeps)
  let usage: AnthropicUsage = {}
  let counted = false
  let begun = false
  let finished = false
  const count = (found: AnthropicUsage | null | undefined): void => {
    if (!found) return
    usage = laterUsage(usage, found)
    counted = true
  }

  const usageNow = (): readonly AnswerEvent[] => (counted ? [{ type: 'usage', usage: readUsage(usage) }] : [])

  const read = (frame: unknown): readonly AnswerEvent[] => {
    switch (typeOf(frame)) {
      case 'message_start': {
        const { message } = checked(MessageStart, frame)
        begun = true
        count(message.usage)
        return [startOf(message), ...(keeps ? [answerExtra(restOf(message, knownOfStart))] : [])]
      }
      case 'content_block_start':
        return [...blocks.end(), ...blocks.begin(checked(BlockStart, frame).content_block)]
      case 'content_block_delta':
        return blocks.delta(checked(BlockDelta, frame).delta)
      case 'content_block_stop':
        checked(BlockStop, frame)
        return blocks.end()
      case 'message_delta': {
        const { delta, usage: found } = checked(MessageDelta, frame)
        count(found)
        if (!delta.stop_reason) return []
        finished = true
        const members = { ...restOf(delta, knownOfEnd), ...(found ? { usage: found } : {}) }
        return [...blocks.end(), ...(keeps ? endExtra(members, delta) : []), finishOf(delta), ...usageNow()]
      }
      case 'message_stop':
        // Some servers end their answer and give no reason.
        if (finished || !begun) return []
        finished = true
        return [...blocks.end(), finishOf({}), ...usageNow()]
      case 'error':
        throw faultOfEvent(errorInAnswer(frame, 'message') ?? { type: null, message: null })
      default:
        // `ping` and future kinds of events: the vendor's rule is to ignore them.
        return []
    }
  }
  return {
    push: ({ data }) => read(parseJson(data)),
    end: () => {
      if (!finished || blocks.open()) throw new UpstreamFault('broken', 'its stream ended early')
      return []
    },
  }
}

function typeOf(frame: unknown): unknown {
  return typeof frame === 'object' && frame !== null && 'type' in frame ? frame.type : null
}

function checked<S extends TSchema>(schema: S, frame: unknown): Static<S> {
  if (!fits(schema, frame)) throw new UpstreamFault('invalid', 'an event of its stream has another form')
  return frame
}
