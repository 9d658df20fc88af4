import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { type Asked, plainAsked } from '../../call/asked.ts'
import {
  type CanonicalCall,
  emptyCall,
  type OutputFormat,
  type Part,
  type Tool,
  type ToolChoice,
  type Turn,
} from '../../call/call.ts'
import type { ChatMessage, ChatRequest } from '../../schemas/chat-schema.ts'

interface Fault {
  readonly detail: string
  readonly pointer: string
}

/** Request of an enveloped chat body. */
export function askedOfChat(body: ChatRequest): Asked {
  return {
    operation: 'chat',
    dialect: 'parapet',
    read: () => readChat(body),
    ...plainAsked,
    provider: body.provider ?? null,
    model: body.model ?? null,
    policy: body.policy_id ?? null,
    stream: body.stream === true,
    includeUsage: true,
    saidAgentId: body.agent_id ?? null,
    metadata: body.metadata ?? {},
    cache: body.cache === undefined ? null : { mode: body.cache.mode ?? null, maxAgeS: body.cache.max_age_s ?? null },
    retention: body.retention ?? null,
    timeoutMs: body.timeout_ms ?? null,
  }
}

/** The canonical call of an enveloped chat request. @throws API-001 for errors that the schema cannot express */
export function readChat(body: ChatRequest): CanonicalCall {
  const faults = body.messages.flatMap(messageFaults)
  if (faults.length > 0)
    throw apiErrors.validation({ what: 'The messages do not fit together.' }).at(faults.slice(0, 20))
  return {
    ...emptyCall,
    turns: body.messages.map(readTurn),
    tools: (body.tools ?? []).map(readTool),
    toolChoice: readToolChoice(body.tool_choice),
    format: readFormat(body.response_format),
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    seed: body.seed ?? null,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []),
    choices: body.n ?? 1,
    maxTokens: body.max_tokens ?? null,
    metadata: body.metadata ?? {},
  }
}

function messageFaults(message: ChatMessage, index: number): readonly Fault[] {
  const at = `/messages/${index}`
  const { role, content, tool_calls: calls, tool_call_id: answers } = message
  const hasContent = content !== undefined && content !== null
  const rules: readonly [broken: boolean, detail: string, field: string][] = [
    [!hasContent && calls === undefined, 'A message needs content or tool calls.', 'content'],
    [calls !== undefined && role !== 'assistant', 'Only an assistant message has tool calls.', 'tool_calls'],
    [role === 'tool' && answers === undefined, 'A tool message names the call it answers.', 'tool_call_id'],
    [role !== 'tool' && answers !== undefined, 'Only a tool message answers a call.', 'tool_call_id'],
    [role !== 'user' && hasImage(message), 'Only a user message holds images.', 'content'],
  ]
  return rules.flatMap(([broken, detail, field]) => (broken ? [{ detail, pointer: `${at}/${field}` }] : []))
}

function hasImage({ content }: ChatMessage): boolean {
  return Array.isArray(content) && content.some((part) => part.type === 'image_url')
}

function readTurn(message: ChatMessage): Turn {
  return {
    role: message.role === 'developer' ? 'system' : message.role,
    parts: readParts(message.content ?? []),
    toolCalls: (message.tool_calls ?? []).map(({ id, function: call }) => ({
      id,
      name: call.name,
      arguments: call.arguments,
    })),
    toolCallId: message.tool_call_id ?? null,
    name: message.name ?? null,
  }
}

function readParts(content: Exclude<ChatMessage['content'], null | undefined>): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image', url: part.image_url.url, detail: part.image_url.detail ?? null },
  )
}

function readTool({ function: tool }: Exclude<ChatRequest['tools'], undefined>[number]): Tool {
  return {
    kind: 'function',
    name: tool.name,
    description: tool.description ?? null,
    parameters: tool.parameters ?? null,
    strict: tool.strict ?? null,
  }
}

function readToolChoice(choice: ChatRequest['tool_choice']): ToolChoice {
  if (choice === undefined) return null
  return typeof choice === 'string' ? choice : { name: choice.function.name }
}

function readFormat(format: ChatRequest['response_format']): OutputFormat {
  if (format === undefined) return null
  if (format.type !== 'json_schema') return { type: format.type }
  const { name, schema, strict } = format.json_schema
  return { type: 'json_schema', name, schema, strict: strict ?? null }
}
