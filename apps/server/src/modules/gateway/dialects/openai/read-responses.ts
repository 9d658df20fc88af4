/**
 * Reads OpenAI's Responses body. It is stateless: a provider is never asked to store an answer. Every member is either
 * understood or kept for a provider of the same form; none is lost. Tested in read-responses.test.ts.
 */
import Type from 'typebox'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { fits } from '../../../../kernel/schema/fits.ts'
import { type Asked, plainAsked } from '../../call/asked.ts'
import {
  type CanonicalCall,
  emptyCall,
  type OutputFormat,
  type Tool,
  type ToolChoice,
  type Turn,
} from '../../call/call.ts'
import { opaqueToolName } from './read-chat.ts'
import { readItems } from './read-items.ts'
import { readEffort } from './read-settings.ts'
import type { OpenAiResponses, ResponsesTool } from './responses-schema.ts'
import { type VendorMembers, vendorMembers, wishesOfBody } from './vendor-members.ts'

/** Turns before a call, or the reason why they are unavailable. @throws ProblemError */
export type Before = () => readonly Turn[]

/** Request of a Responses body, before the headers. */
export function askedOfResponses(body: OpenAiResponses, before: Before = () => []): Asked {
  return {
    operation: 'responses',
    dialect: 'openai',
    read: () => readResponses(body, before()),
    ...plainAsked,
    model: body.model ?? null,
    stream: body.stream === true,
    includeUsage: true,
    metadata: body.metadata ?? {},
  }
}

/** @throws API-001 for errors that the schema cannot express */
export function readResponses(body: OpenAiResponses, before: readonly Turn[] = []): CanonicalCall {
  const members = vendorMembers('openai_responses')
  const instructions = body.instructions ? [instructionTurn(body.instructions)] : []
  const turns = [...instructions, ...before, ...readItems(body.input, members)]
  const tools = (body.tools ?? []).map((tool, index) => readTool(tool, `/tools/${index}`, members))
  const settings = {
    toolChoice: readToolChoice(body.tool_choice, members),
    format: readFormat(body.text?.format, members),
    reasoning: readEffort(body.reasoning?.effort, '/reasoning/effort', members),
  }
  refuseStored(body)
  keepUnread(body, members)
  return {
    ...emptyCall,
    form: 'openai_responses',
    turns,
    tools,
    ...settings,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    maxTokens: body.max_output_tokens ?? null,
    logprobs: wantsLogprobs(body) ? true : null,
    topLogprobs: body.top_logprobs ?? null,
    parallelToolCalls: body.parallel_tool_calls ?? null,
    user: body.user ?? null,
    store: false,
    serviceTier: body.service_tier ?? null,
    metadata: body.metadata ?? {},
    extra: members.found,
  }
}

function instructionTurn(text: string): Turn {
  return {
    role: 'system',
    parts: [{ type: 'text', text }],
    toolCalls: [],
    toolCallId: null,
    name: null,
    at: '/instructions',
  }
}

const knownMembers: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'previous_response_id', 'max_output_tokens', 'temperature', 'top_p'],
  ...['top_logprobs', 'parallel_tool_calls', 'tools', 'tool_choice', 'text', 'reasoning', 'store', 'background'],
  ...['truncation', 'service_tier', 'user', 'metadata', 'stream', 'include'],
])
const logprobsWish = 'message.output_text.logprobs'
/** Requests sealed reasoning from a vendor that seals it; others show theirs, or have none. */
const sealedWish = 'reasoning.encrypted_content'
const none: ReadonlySet<string> = new Set()
/** Settings for showing reasoning. */
const wishesOfReasoning: ReadonlySet<string> = new Set(['summary', 'generate_summary'])

function wantsLogprobs({ include, top_logprobs: top }: OpenAiResponses): boolean {
  return (include ?? []).includes(logprobsWish) || (top ?? 0) > 0
}

/**
 * @throws API-001 for a conversation stored at the provider: its earlier turns would not be inspected here, and new
 * ones would be stored there
 */
function refuseStored(body: OpenAiResponses): void {
  if (!('conversation' in body) || body.conversation === null || body.conversation === undefined) return
  const detail = 'Conversations are not kept at the provider. Send what went before, or a previous_response_id.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/conversation' }])
}

/** Omits members that request nothing, and keeps members that request something only the vendor supports. */
function keepUnread(body: OpenAiResponses, members: VendorMembers): void {
  if (body.text) members.keepRest(body.text, new Set(['format']), '/text')
  if (body.reasoning) members.keepRest(body.reasoning, new Set(['effort']), '/reasoning', wishesOfReasoning)
  if (body.background === true) members.keep('/background', true)
  if (body.truncation !== 'disabled') members.keep('/truncation', body.truncation)
  const wishes = (body.include ?? []).filter((wish) => wish !== logprobsWish)
  const isOptional = wishes.every((wish) => wish === sealedWish)
  if (wishes.length > 0) members.keepRest({ include: wishes }, none, '', isOptional ? new Set(['include']) : none)
  members.keepRest(body, knownMembers, '', wishesOfBody)
}

const knownOfTool: ReadonlySet<string> = new Set(['type', 'name', 'description', 'parameters', 'strict'])

function readTool(tool: ResponsesTool, at: string, members: VendorMembers): Tool {
  const { type, name, description, parameters, strict } = tool
  if (type !== 'function' || name === undefined)
    return { kind: 'opaque', name: opaqueToolName(tool), form: 'openai_responses', value: { ...tool } }
  members.keepRest(tool, knownOfTool, at)
  return {
    kind: 'function',
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
    at,
  }
}

const NamedTool = Type.Object({ type: Type.Literal('function'), name: Type.String() })

function readToolChoice(choice: OpenAiResponses['tool_choice'], members: VendorMembers): ToolChoice {
  if (choice === null || choice === undefined) return null
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (fits(NamedTool, choice)) return { name: choice.name }
  members.keep('/tool_choice', choice)
  return null
}

const JsonSchemaFormat = Type.Object({
  type: Type.Literal('json_schema'),
  name: Type.String(),
  schema: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
  strict: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})
const knownOfFormat: ReadonlySet<string> = new Set(['type', 'name', 'schema', 'strict'])

function readFormat(
  format: Readonly<Record<string, unknown>> | null | undefined,
  members: VendorMembers,
): OutputFormat {
  if (format === null || format === undefined) return null
  if (fits(JsonSchemaFormat, format)) {
    members.keepRest(format, knownOfFormat, '/text/format')
    return { type: 'json_schema', name: format.name, schema: format.schema, strict: format.strict ?? null }
  }
  const { type } = format
  // Text is the default format of an answer.
  if (type === 'text') return null
  if (type === 'json_object') return { type }
  members.keep('/text/format', format)
  return null
}
