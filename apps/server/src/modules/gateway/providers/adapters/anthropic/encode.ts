/**
 * Anthropic's messages towards providers: the request body of a canonical call. Pure. Members that are not understood go
 * back to where they stood. Tested in encode.test.ts.
 */
import type { CanonicalCall, OutputFormat, Reasoning, Tool, Turn } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { type Block, encodeTurn, marked, shortened, withoutSilence } from './encode-blocks.ts'
import { anthropicForm } from './own-events.ts'
import { type Placed, putBackMembers } from './put-back.ts'

export interface AnthropicRequest {
  readonly model: string
  readonly stream: boolean
}

/** Most tokens a model writes, by its name as of the vendor's list of models; newer ones write no fewer. */
const mostTokens: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:instant|2|3-(?:opus|sonnet|haiku))/, 4096],
  [/claude-3-5/, 8192],
  [/claude-opus-4(?:-[01]|-2025|$)/, 32_000],
  [/claude/, 64_000],
]
/** For models unknown here, at servers that speak like the vendor. */
const mostTokensOfOthers = 8192

/** Tokens an answer may have where the caller did not say: the vendor wants a number, so it gets the largest. */
function defaultMaxTokens(model: string): number {
  return mostTokens.find(([pattern]) => pattern.test(model))?.[1] ?? mostTokensOfOthers
}

/** The body to send; fields the caller did not set are left out. */
export function encodeRequest(call: CanonicalCall, { model, stream }: AnthropicRequest): Record<string, unknown> {
  const { system, messages } = encodeTurns(call)
  const body: Record<string, unknown> = withoutNulls({
    model,
    max_tokens: call.maxTokens ?? defaultMaxTokens(model),
    system: system.blocks.length === 0 ? null : system.blocks,
    messages: messages.map(({ role, blocks }) => ({ role, content: blocks })),
    temperature: call.temperature,
    top_p: call.topP,
    top_k: call.topK,
    stop_sequences: call.stop.length > 0 ? call.stop : null,
    metadata: call.user === null ? null : { user_id: call.user },
    service_tier: tierOf(call.serviceTier),
    tools: call.tools.length > 0 ? call.tools.map(encodeTool) : null,
    tool_choice: encodeToolChoice(call),
    thinking: thinkingOf(call.reasoning),
    output_config: outputConfig(call),
    stream: stream ? true : null,
  })
  putBackMembers(body, call, { form: anthropicForm, systemOffset: system.offset, messagePlaces: messages })
  return { ...body, messages: messages.map(({ role, blocks }) => ({ role, content: shortened(blocks) })) }
}

interface EncodedTurns {
  readonly system: { readonly blocks: Block[]; readonly offset: number }
  readonly messages: readonly (Placed & { readonly role: string; readonly blocks: Block[] })[]
}

/**
 * System text stands apart, even if other turns came between; in this form later system messages stay where they are.
 * The parts of one message are joined again, and tool results share a message with the user's next text.
 */
function encodeTurns(call: CanonicalCall): EncodedTurns {
  const own = call.form === anthropicForm
  // Content from callers of this form is passed as it is; other forms have empty texts where a turn has no content.
  const blocksOf = (turn: Turn): Block[] => (own ? [...encodeTurn(turn)] : withoutSilence(encodeTurn(turn)))
  const isAbove = ({ role, at }: Turn): boolean => role === 'system' && !(own && at?.startsWith('/messages/') === true)
  const above = call.turns.filter(isAbove)
  const caller = above.findIndex(({ at }) => at === '/system')
  const messages: (Placed & { role: string; blocks: Block[] })[] = []
  for (const turn of call.turns.filter((each) => !isAbove(each))) {
    const role = turn.role === 'tool' ? 'user' : turn.role
    const at = own ? (/^\/messages\/\d+/.exec(turn.at ?? '')?.[0] ?? null) : null
    const last = messages.at(-1)
    const goesOn = last?.role === role && (at === null ? role === 'user' : last.at === at)
    const blocks = blocksOf(turn)
    if (goesOn) last.blocks.push(...blocks)
    else if (own || blocks.length > 0) messages.push({ role, at, blocks })
  }
  return {
    system: {
      blocks: above.flatMap(blocksOf),
      offset: above.slice(0, Math.max(0, caller)).flatMap(blocksOf).length,
    },
    messages,
  }
}

function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
}

function encodeTool(tool: Tool): Readonly<Record<string, unknown>> {
  if (tool.kind === 'opaque') return tool.value
  const { name, description, parameters, strict } = tool
  return {
    ...withoutNulls({ name, description, input_schema: parameters ?? { type: 'object', properties: {} }, strict }),
    ...marked(tool.cacheControl),
  }
}

function encodeToolChoice({ toolChoice: choice, parallelToolCalls: parallel, tools }: CanonicalCall): unknown {
  const oneAtATime = parallel === false ? { disable_parallel_tool_use: true } : {}
  if (choice === null) return parallel === false && tools.length > 0 ? { type: 'auto', ...oneAtATime } : null
  if (choice === 'none') return { type: 'none' }
  if (choice === 'auto') return { type: 'auto', ...oneAtATime }
  if (choice === 'required') return { type: 'any', ...oneAtATime }
  return { type: 'tool', name: choice.name, ...oneAtATime }
}

function thinkingOf(reasoning: Reasoning | null): unknown {
  if (reasoning === null) return null
  if ('budgetTokens' in reasoning) return { type: 'enabled', budget_tokens: reasoning.budgetTokens }
  return reasoning.effort === 'none' ? { type: 'disabled' } : null
}

function outputConfig({ reasoning, format }: CanonicalCall): unknown {
  const config = withoutNulls({ effort: effortOf(reasoning), format: formatOf(format) })
  return Object.keys(config).length === 0 ? null : config
}

function effortOf(reasoning: Reasoning | null): string | null {
  if (reasoning === null || !('effort' in reasoning) || reasoning.effort === 'none') return null
  return reasoning.effort === 'minimal' ? 'low' : reasoning.effort
}

function formatOf(format: OutputFormat): unknown {
  return format?.type === 'json_schema' ? { type: 'json_schema', schema: format.schema } : null
}

/** The vendor's own words for `auto` and `default`; it sells no other tier by the request. */
function tierOf(tier: string | null): string | null {
  if (tier === null || tier === 'auto') return tier
  if (tier === 'default') return 'standard_only'
  throw new UpstreamFault('bad_request', `This kind of provider has no service tier ${tier.slice(0, 64)}.`)
}
