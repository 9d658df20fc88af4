/**
 * Anthropic's form of an answer: its body, and through stream.ts its stream. Ours travels in headers. Tested in
 * stream.test.ts and with the vendor’s own client in ../../anthropic.test.ts.
 */
import type { AnswerEvent } from '../../call/call.ts'
import { usageOf } from '../../call/usage.ts'
import type { CallState } from '../../pipeline/call-state.ts'
import { foundIn } from '../../pipeline/findings.ts'
import type { AnswerWriter, WriterContext } from '../dialect.ts'
import { vendorId } from '../openai/ids.ts'
import { rawHeaders, rawTrailers } from '../raw.ts'
import { endOf, gather, type UsageBody, usageBody } from './ending.ts'
import { foldBlocks } from './fold.ts'
import { requestIdHeader } from './form.ts'
import { createLayout } from './layout.ts'
import type { MessageAnswer } from './messages-schema.ts'
import { messageStream } from './stream.ts'

export const anthropicWriter: AnswerWriter<MessageAnswer> = {
  whole: ({ state }, events) => messageOf(state, events),
  headers: (context) => ({ ...rawHeaders(context), ...requestIdHeader(context.info.id) }),
  errorHeaders: rawHeaders,
  trailers: rawTrailers,
  stream: (context) => messageStream(streamFacts(context)),
}

function streamFacts({ state, info }: WriterContext) {
  return {
    id: messageId(state),
    requestId: info.id,
    model: () => state.served?.model ?? '',
    isExact: () => isExact(state),
    estimate: () => estimateOf(state),
  }
}

/** What was used as far as we can tell, where the provider did not say. */
function estimateOf(state: CallState): UsageBody {
  const usage = usageOf(state)
  return { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 }
}

/** Ids of messages begin like this, whoever made them. */
function messageId(state: CallState): string {
  return vendorId('msg_', state)
}

/** What was hidden in the answer, or put back into it, may be of another length. */
function isExact(state: CallState): boolean {
  const hidden = foundIn(state, 'output_inspection').some(({ action }) => action === 'redact')
  return !hidden && state.vault.entries().length === 0
}

function messageOf(state: CallState, events: readonly AnswerEvent[]): MessageAnswer {
  const { seen, see } = gather()
  const layout = createLayout({ isExact: () => false })
  const steps = events.flatMap((event) => {
    see(event)
    return layout.push(event)
  })
  const content = foldBlocks([...steps, ...layout.end()])
  const { usage, ...members } = seen.members
  return {
    id: seen.id ?? messageId(state),
    type: 'message',
    role: 'assistant',
    model: seen.model || (state.served?.model ?? ''),
    content: [...content],
    ...endOf(seen),
    ...members,
    ...seen.endMembers,
    usage: {
      ...(seen.usage === null ? estimateOf(state) : usageBody(seen.usage)),
      ...(typeof usage === 'object' ? usage : {}),
    },
  }
}
