/**
 * Anthropic's form of an answer: its body, and its stream through stream.ts. Gateway data travels in headers. Tested in
 * stream.test.ts and with the vendor’s own client in ../../anthropic.test.ts.
 */

import type { WithAttempts } from '../../attempts/call-attempts.ts'
import type { AnswerEvent } from '../../call/call.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { foundIn } from '../../findings/findings.ts'
import { usageOf } from '../../money/usage.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
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
    model: () => state.attempts.served?.model ?? '',
    isExact: () => isExact(state),
    estimate: () => estimateOf(state),
  }
}

/** Estimated usage, for a provider that reported none. */
function estimateOf(state: WithPlan & WithAnswer): UsageBody {
  const usage = usageOf(state)
  return { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 }
}

/** All message ids have this prefix, whichever provider created them. */
function messageId(state: WithFacts): string {
  return vendorId('msg_', state)
}

/** Redacted or restored values in the answer may have a different length. */
function isExact(state: WithPlan & WithFindings): boolean {
  const hidden = foundIn(state, 'output_inspection').some(({ action }) => action === 'redact')
  return !hidden && state.plan.vault.entries().length === 0
}

function messageOf(
  state: WithFacts & WithPlan & WithAttempts & WithAnswer,
  events: readonly AnswerEvent[],
): MessageAnswer {
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
    model: seen.model || (state.attempts.served?.model ?? ''),
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
