/** Bedrock's Converse from providers: canonical events of an answer or of the frames of a stream. Pure. Tested in bedrock.test.ts. */
import type { Static, TSchema } from 'typebox'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, Usage } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import type { FinishReason } from '../../../call/finish-reason.ts'
import type { StreamDecoder } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'
import { createBlockReader } from './blocks.ts'
import { BedrockAnswer, type BedrockUsage, BlockDelta, BlockStart, BlockStop, MessageStop, Metadata } from './schema.ts'

/** It does not say which model answered. */
const start: AnswerEvent = { type: 'start', model: '', fingerprint: null }

/** Events of a complete answer. @throws UpstreamFault `invalid` */
export function decodeAnswer(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!fits(BedrockAnswer, answer)) throw new UpstreamFault('invalid', 'it is no answer of this kind')
  const blocks = createBlockReader()
  return [
    start,
    ...answer.output.message.content.flatMap((block) => blocks.whole(block)),
    finishOf(answer.stopReason),
    ...usageOf(answer.usage),
  ]
}

export function createStreamDecoder(): StreamDecoder {
  const blocks = createBlockReader()
  let finished = false
  const read = (event: string | null, value: unknown): readonly AnswerEvent[] => {
    switch (event) {
      case 'messageStart':
        return [start]
      case 'contentBlockStart': {
        const { contentBlockIndex: at, start: begun } = checked(BlockStart, value)
        return begun?.toolUse ? blocks.begin(at, begun.toolUse) : []
      }
      case 'contentBlockDelta': {
        const { contentBlockIndex: at, delta } = checked(BlockDelta, value)
        return blocks.delta(at, delta)
      }
      case 'contentBlockStop':
        return blocks.end(checked(BlockStop, value).contentBlockIndex)
      case 'messageStop':
        finished = true
        return [finishOf(checked(MessageStop, value).stopReason)]
      case 'metadata':
        return usageOf(checked(Metadata, value).usage)
      default:
        // Future kinds of events; the vendor's own clients ignore them.
        return []
    }
  }
  return {
    push: ({ event, data }) => read(event, parseJson(data)),
    end: () => {
      if (!finished) throw new UpstreamFault('broken', 'its stream ended early')
      return []
    },
  }
}

function checked<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (!fits(schema, value)) throw new UpstreamFault('invalid', 'an event of its stream has another form')
  return value
}

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
  refusal: 'content_filter',
}

/** The model wrote something that cannot be read; it may do better at the next try. */
const failures: ReadonlySet<string> = new Set(['malformed_model_output', 'malformed_tool_use'])

function finishOf(native: string): AnswerEvent {
  if (failures.has(native)) throw new UpstreamFault('server_error', `the answer ended with ${native}`)
  const reason = Object.hasOwn(reasons, native) ? reasons[native] : undefined
  return { type: 'finish', choice: 0, reason: reason ?? 'stop', native }
}

function usageOf(usage: BedrockUsage | null | undefined): readonly AnswerEvent[] {
  return usage ? [{ type: 'usage', usage: readUsage(usage) }] : []
}

/** The vendor counts cache reads and cache writes beside the input; we include them in it. */
function readUsage(usage: BedrockUsage): Usage {
  const cached = usage.cacheReadInputTokens ?? 0
  const written = usage.cacheWriteInputTokens ?? 0
  const long = (usage.cacheDetails ?? []).reduce((sum, one) => sum + (one.ttl === '1h' ? (one.inputTokens ?? 0) : 0), 0)
  const hour = Math.min(written, long)
  return countedTokens('upstream', {
    inputTokens: (usage.inputTokens ?? 0) + cached + written,
    cachedTokens: cached,
    cacheWrite5mTokens: written - hour,
    cacheWrite1hTokens: hour,
    outputTokens: usage.outputTokens ?? 0,
  })
}
