import type { WithAttempts } from '../../attempts/call-attempts.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { FinishReason } from '../../call/finish-reason.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { RawBody } from './chat-members.ts'
import { createdAt, vendorId } from './ids.ts'
import type { OwnResponse } from './own-response.ts'
import type { OpenItem } from './response-items.ts'
import { itemBody } from './response-items.ts'
import type { OpenAiResponses } from './responses-schema.ts'
import { responseUsage, withVendorUsage } from './usage.ts'

export interface ResponseFacts {
  readonly model: string
  readonly items: readonly OpenItem[]
  /** Null while the response is in progress. */
  readonly finish: FinishReason | null
}

/** Reasons for an incomplete answer, in the terms of this form. */
const incompleteReasons: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
}

export function statusOf(finish: FinishReason | null): 'in_progress' | 'completed' | 'incomplete' {
  if (finish === null) return 'in_progress'
  return incompleteReasons[finish] === undefined ? 'completed' : 'incomplete'
}

interface Ended {
  readonly own: OwnResponse
  readonly finish: FinishReason | null
}

/** Replaces items and members converted from another form with the vendor's own. */
export function withOwn(state: WithPlan & WithAnswer, body: RawBody, { own, finish }: Ended): RawBody {
  const output = own.output()
  if (finish === null || output.length === 0) return body
  const { usage, ...members } = own.members()
  return { ...body, ...members, output, usage: withVendorUsage(responseUsage(state), usage) }
}

/** Repeats the settings of the request, except for those that were not applied: nothing is stored at the provider. */
export function responseBody(
  state: WithFacts & WithPlan & WithAttempts & WithAnswer,
  asked: OpenAiResponses,
  facts: ResponseFacts,
): RawBody {
  const { model, items, finish } = facts
  const reason = finish === null ? undefined : incompleteReasons[finish]
  const status = statusOf(finish)
  return {
    id: vendorId('resp_', state),
    object: 'response',
    created_at: createdAt(state),
    status,
    background: false,
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    model: model || (state.attempts.served?.model ?? ''),
    output: finish === null ? [] : items.map((item) => itemBody(item, status)),
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: asked.previous_response_id ?? null,
    reasoning: { effort: asked.reasoning?.effort ?? null, summary: null },
    service_tier: asked.service_tier ?? 'default',
    store: false,
    temperature: asked.temperature ?? null,
    text: { format: asked.text?.format ?? { type: 'text' } },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? null,
    truncation: 'disabled',
    usage: finish === null ? null : responseUsage(state),
    user: asked.user ?? null,
    metadata: asked.metadata ?? {},
  }
}
