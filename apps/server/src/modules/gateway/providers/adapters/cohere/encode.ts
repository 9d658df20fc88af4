/** Cohere's chat (v2) towards providers: the request body of a canonical call. Pure. Tested in cohere.test.ts. */
import type { CanonicalCall, OutputFormat, Part, Reasoning, Tool, Turn } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'
import { tellingFailure } from '../failed-tools.ts'
import { textOfFile } from '../file-texts.ts'
import { withoutNulls } from '../openai/encode.ts'

export interface CohereRequest {
  readonly model: string
  readonly stream: boolean
}

/** The body to send; fields the caller did not set are left out. */
export function encodeRequest(call: CanonicalCall, { model, stream }: CohereRequest): Record<string, unknown> {
  const tools = toolsOf(call)
  return withoutNulls({
    model,
    // The vendor wants it said either way.
    stream,
    messages: call.turns.map((turn) => encodeTurn(tellingFailure(turn))),
    tools: tools.length > 0 ? tools.map(encodeTool) : null,
    strict_tools: tools.some((tool) => tool.kind === 'function' && tool.strict === true) ? true : null,
    tool_choice: encodeToolChoice(call),
    response_format: encodeFormat(call.format),
    temperature: call.temperature,
    p: call.topP,
    k: call.topK,
    seed: call.seed,
    max_tokens: call.maxTokens,
    stop_sequences: call.stop.length > 0 ? call.stop : null,
    frequency_penalty: call.frequencyPenalty,
    presence_penalty: call.presencePenalty,
    thinking: encodeThinking(call.reasoning),
  })
}

/** It cannot be told which tool to call, but it can be shown that one only. */
function toolsOf({ tools, toolChoice }: CanonicalCall): readonly Tool[] {
  if (toolChoice === null || typeof toolChoice === 'string') return tools
  return tools.filter(({ name }) => name === toolChoice.name)
}

function encodeToolChoice({ toolChoice: choice }: CanonicalCall): string | null {
  if (choice === null || choice === 'auto') return null
  return choice === 'none' ? 'NONE' : 'REQUIRED'
}

function encodeTool(tool: Tool): Readonly<Record<string, unknown>> {
  if (tool.kind === 'opaque') return tool.value
  const { name, description, parameters } = tool
  return {
    type: 'function',
    function: withoutNulls({ name, description, parameters: parameters ?? { type: 'object', properties: {} } }),
  }
}

function encodeFormat(format: OutputFormat): unknown {
  if (format === null || format.type !== 'json_schema') return format
  return { type: 'json_object', json_schema: format.schema }
}

/** It thinks or it does not, within a number of tokens. */
function encodeThinking(reasoning: Reasoning | null): unknown {
  if (reasoning === null) return null
  if ('budgetTokens' in reasoning) return { type: 'enabled', token_budget: reasoning.budgetTokens }
  return { type: reasoning.effort === 'none' ? 'disabled' : 'enabled' }
}

/** The model's reasoning before tool calls is its plan; other reasoning is part of its content. */
function encodeTurn(turn: Turn): Record<string, unknown> {
  const { role, toolCalls, toolCallId, parts } = turn
  if (toolCalls.length === 0) return withoutNulls({ role, content: encodeContent(parts), tool_call_id: toolCallId })
  const plan = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
  const said = parts.filter(({ type }) => type !== 'reasoning')
  return withoutNulls({
    role,
    content: said.length > 0 ? encodeContent(said) : null,
    tool_plan: plan === '' ? null : plan,
    tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
  })
}

function encodeContent(parts: readonly Part[]): unknown {
  const [only] = parts
  if (only === undefined) return ''
  if (parts.length === 1 && only.type === 'text') return only.text
  return parts.map(encodePart)
}

function encodePart(part: Part): Record<string, unknown> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: withoutNulls({ url: part.url, detail: part.detail }) }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text }
    case 'file':
      if (part.source === null) return { type: 'text', text: textOfFile(part) }
      break
    case 'audio':
      break
    default:
      return part satisfies never
  }
  throw new UpstreamFault('bad_request', 'This kind of provider takes text and images.')
}
