/**
 * OpenAI's Responses body of a call that came in this form. Pure. Unknown members go back to their places, and nothing
 * is kept at the vendor. Tested in sdk-own-responses.test.ts.
 */
import type { CanonicalCall, OutputFormat, Tool, ToolChoice, Turn, VendorExtra } from '../../../../call/call.ts'
import { setAt } from '../../../../call/pointer.ts'
import { UpstreamFault } from '../../../fault.ts'
import { effortOf, type OpenAiRequest, withoutNulls } from '../encode.ts'
import { type Item, itemsOf } from './encode-items.ts'

export const responsesForm = 'openai_responses'

export function encodeResponses(call: CanonicalCall, { model, stream }: OpenAiRequest): Record<string, unknown> {
  const { instructions, rest } = withInstructions(call.turns)
  const own = call.extra.filter(({ form }) => form === responsesForm)
  const body = withoutNulls({
    model,
    instructions,
    input: encodeInput(rest, own),
    max_output_tokens: call.maxTokens,
    temperature: call.temperature,
    top_p: call.topP,
    top_logprobs: call.topLogprobs,
    parallel_tool_calls: call.parallelToolCalls,
    tools: call.tools.length > 0 ? call.tools.map(encodeTool) : null,
    tool_choice: encodeChoice(call.toolChoice),
    text: call.format === null ? null : { format: encodeFormat(call.format) },
    reasoning: call.reasoning === null ? null : { effort: effortOf(call.reasoning) },
    store: false,
    service_tier: call.serviceTier,
    user: call.user,
    include: call.logprobs === true ? [logprobsWish] : null,
    stream: stream ? true : null,
  })
  for (const member of own) if (!member.at.startsWith('/input/')) putBack(body, member)
  return body
}

const logprobsWish = 'message.output_text.logprobs'

/** System text before everything else stands apart; a policy's own words among it. */
function withInstructions(turns: readonly Turn[]): {
  readonly instructions: string | null
  readonly rest: readonly Turn[]
} {
  const end = turns.findIndex(({ role, at }) => role !== 'system' || (at !== '' && at !== '/instructions'))
  const leading = end < 0 ? turns : turns.slice(0, end)
  const texts = leading.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
  return { instructions: texts.length === 0 ? null : texts.join('\n\n'), rest: turns.slice(leading.length) }
}

function encodeInput(turns: readonly Turn[], extra: readonly VendorExtra[]): string | readonly object[] {
  const [only] = turns
  const [part] = only?.parts ?? []
  if (turns.length === 1 && only?.at === '/input' && part?.type === 'text') return part.text
  const inContents = new Set(extra.flatMap(({ at }) => /^(\/input\/\d+)\/(?:content|output)\//.exec(at)?.[1] ?? []))
  const items = turns.flatMap((turn) => itemsOf(turn, (at) => inContents.has(at)))
  for (const { at, value } of extra) {
    const [, index, rest = ''] = /^\/input\/(\d+)(\/.*)?$/s.exec(at) ?? []
    if (index === undefined) continue
    if (rest === '') insert(items, { at, value: { ...Object(value) } })
    else if (!setAt(items.find((item) => item.at === `/input/${index}`)?.value ?? {}, rest, value)) throw lost(at)
  }
  return items.map(({ value }) => value)
}

const indexOf = ({ at }: Pick<Item, 'at'>): number => Number(/^\/input\/(\d+)$/.exec(at ?? '')?.[1] ?? -1)

/** Before the first item that stood behind it. */
function insert(items: Item[], item: Item): void {
  const later = items.findIndex((other) => indexOf(other) > indexOf(item))
  items.splice(later < 0 ? items.length : later, 0, item)
}

function lost(at: string): UpstreamFault {
  return new UpstreamFault('bad_request', `There is no place for ${at}.`)
}

/** Wishes are added to those that were understood; an object we had nothing to put into is made anew. */
function putBack(body: Record<string, unknown>, { at, value }: VendorExtra): void {
  if (at === '/include' && Array.isArray(value)) {
    body.include = [...(Array.isArray(body.include) ? body.include : []), ...value]
    return
  }
  const [, parent] = /^\/(text|reasoning)\/[^/]+$/.exec(at) ?? []
  if (parent !== undefined) body[parent] ??= {}
  if (!setAt(body, at, value)) throw lost(at)
}

function encodeTool(tool: Tool): Readonly<Record<string, unknown>> {
  if (tool.kind === 'opaque') return tool.value
  const { name, description, parameters, strict } = tool
  return { type: 'function', ...withoutNulls({ name, description, parameters }), strict }
}

function encodeChoice(choice: ToolChoice): unknown {
  return choice === null || typeof choice === 'string' ? choice : { type: 'function', name: choice.name }
}

function encodeFormat(format: Exclude<OutputFormat, null>): object {
  if (format.type !== 'json_schema') return format
  const { type, name, schema, strict } = format
  return { type, ...withoutNulls({ name, schema, strict }) }
}
