/** Bedrock's Converse towards providers: the request body of a canonical call. The model stands in the address. Pure. Tested in encode.test.ts. */
import { exactJson } from '../../../../../kernel/base/exact-json.ts'
import type { CanonicalCall, OutputFormat, Tool, Turn } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { withoutNulls } from '../openai/encode.ts'
import type { Block } from './block.ts'
import { documentNamer } from './document-names.ts'
import { cachePoint, encodePart, encodeTurn } from './encode-blocks.ts'
import { modelFields } from './model-fields.ts'

/** The body to send; fields the caller did not set are left out. */
export function encodeRequest(call: CanonicalCall, model: string): Record<string, unknown> {
  const system = call.turns.filter(({ role }) => role === 'system').flatMap((turn) => turn.parts.flatMap(encodePart))
  return withoutNulls({
    system: system.length === 0 ? null : system,
    messages: encodeMessages(call.turns),
    inferenceConfig: inferenceConfig(call),
    toolConfig: encodeTools(call),
    outputConfig: encodeFormat(call.format),
    serviceTier: encodeTier(call.serviceTier),
    additionalModelRequestFields: modelFields(call, model),
  })
}

/** System text stands apart, even if other turns came between. Roles alternate, and tool results belong to the user. */
function encodeMessages(turns: readonly Turn[]): readonly unknown[] {
  const messages: { readonly role: 'user' | 'assistant'; readonly content: Block[] }[] = []
  const named = documentNamer()
  for (const turn of turns) {
    if (turn.role === 'system') continue
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const content = named(encodeTurn(turn))
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) messages.push({ role, content })
  }
  return messages
}

function inferenceConfig(call: CanonicalCall): unknown {
  const config = withoutNulls({
    maxTokens: call.maxTokens,
    temperature: call.temperature,
    topP: call.topP,
    stopSequences: call.stop.length > 0 ? call.stop : null,
  })
  return Object.keys(config).length === 0 ? null : config
}

/** It cannot be told to call none, so none is shown; a conversation with calls in it does not go without. */
function encodeTools({ tools, toolChoice: choice, turns }: CanonicalCall): unknown {
  if (tools.length === 0) return null
  if (choice === 'none') {
    if (turns.every(({ toolCalls, role }) => toolCalls.length === 0 && role !== 'tool')) return null
    throw new UpstreamFault(
      'bad_request',
      'This kind of provider cannot be kept from calling tools after it called some.',
    )
  }
  return withoutNulls({ tools: tools.flatMap(encodeTool), toolChoice: encodeToolChoice(choice) })
}

function encodeTool(tool: Tool): readonly unknown[] {
  if (tool.kind === 'opaque') return [tool.value]
  const { name, description, parameters, strict, cacheControl } = tool
  const inputSchema = { json: parameters ?? { type: 'object', properties: {} } }
  return [{ toolSpec: withoutNulls({ name, description, inputSchema, strict }) }, ...cachePoint(cacheControl)]
}

function encodeToolChoice(choice: Exclude<CanonicalCall['toolChoice'], 'none'>): unknown {
  if (choice === null) return null
  if (choice === 'auto') return { auto: {} }
  return choice === 'required' ? { any: {} } : { tool: { name: choice.name } }
}

function encodeFormat(format: OutputFormat): unknown {
  if (format?.type !== 'json_schema') return null
  const jsonSchema = { name: format.name, schema: exactJson(format.schema) }
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}

const tiers: ReadonlySet<string> = new Set(['default', 'priority', 'flex', 'reserved'])

/** The vendor's own choice is not asked for. */
function encodeTier(tier: string | null): unknown {
  if (tier === null || tier === 'auto') return null
  if (tiers.has(tier)) return { type: tier }
  throw new UpstreamFault('bad_request', `This kind of provider has no service tier ${tier.slice(0, 64)}.`)
}
