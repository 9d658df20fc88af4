/**
 * Reads OpenAI's chat body. Every member is either understood or kept for a provider of the same form; none is lost.
 * Tested in read-chat.test.ts.
 */
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { type Asked, plainAsked } from '../../call/asked.ts'
import { type CanonicalCall, emptyCall, type Tool, type ToolCall, type Turn } from '../../call/call.ts'
import type { OpenAiChat, OpenAiMessage, OpenAiTool } from './chat-schema.ts'
import { readParts } from './read-parts.ts'
import { readEffort, readFormat, readToolChoice } from './read-settings.ts'
import { type VendorMembers, vendorMembers, wishesOfBody } from './vendor-members.ts'

/** Request of an OpenAI chat body, before the headers. */
export function askedOfOpenAiChat(body: OpenAiChat): Asked {
  return {
    operation: 'chat',
    dialect: 'openai',
    read: () => readOpenAiChat(body),
    ...plainAsked,
    model: body.model ?? null,
    stream: body.stream === true,
    includeUsage: body.stream_options?.include_usage === true,
    metadata: body.metadata ?? {},
  }
}

/** @throws API-001 for errors that the schema cannot express */
export function readOpenAiChat(body: OpenAiChat): CanonicalCall {
  refuseMisfits(body)
  const members = vendorMembers('openai_chat')
  const turns = body.messages.map((message, index) => readMessage(message, `/messages/${index}`, members))
  const tools = (body.tools ?? []).map((tool, index) => readTool(tool, `/tools/${index}`, members))
  const settings = {
    toolChoice: readToolChoice(body.tool_choice, members),
    format: readFormat(body.response_format, members),
    reasoning: readEffort(body.reasoning_effort, '/reasoning_effort', members),
  }
  if (body.stream_options) members.keepRest(body.stream_options, knownStreamOptions, '/stream_options')
  members.keepRest(body, knownMembers, '', wishesOfBody)
  return {
    ...emptyCall,
    form: 'openai_chat',
    turns,
    tools,
    ...settings,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    seed: body.seed ?? null,
    stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []),
    choices: body.n ?? 1,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    frequencyPenalty: body.frequency_penalty ?? null,
    presencePenalty: body.presence_penalty ?? null,
    logprobs: body.logprobs ?? null,
    topLogprobs: body.top_logprobs ?? null,
    parallelToolCalls: body.parallel_tool_calls ?? null,
    user: body.user ?? null,
    // A provider is never asked to store content, because the policy here decides on storage.
    store: typeof body.store === 'boolean' ? false : null,
    serviceTier: body.service_tier ?? null,
    metadata: body.metadata ?? {},
    extra: members.found,
  }
}

const knownMembers: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'n', 'seed', 'stop'],
  ...['frequency_penalty', 'presence_penalty', 'logprobs', 'top_logprobs', 'parallel_tool_calls', 'reasoning_effort'],
  ...['user', 'store', 'service_tier', 'tools', 'tool_choice', 'response_format', 'stream', 'stream_options'],
  'metadata',
])
const knownStreamOptions: ReadonlySet<string> = new Set(['include_usage'])

interface Misfit {
  readonly detail: string
  readonly pointer: string
}

function refuseMisfits(body: OpenAiChat): void {
  const misfits = [...retiredMembers(body), ...body.messages.flatMap(misfitsOf)]
  if (misfits.length > 0)
    throw apiErrors.validation({ what: misfits[0]?.detail ?? 'The body is not valid.' }).at(misfits.slice(0, 20))
}

/** The older form of tools would bypass a policy's rules on tools. */
function retiredMembers(body: OpenAiChat): readonly Misfit[] {
  return ['functions', 'function_call'].flatMap((name) =>
    Object.hasOwn(body, name) ? [{ detail: `Use tools in the place of ${name}.`, pointer: `/${name}` }] : [],
  )
}

function misfitsOf(message: OpenAiMessage, index: number): readonly Misfit[] {
  const at = `/messages/${index}`
  const { role, content } = message
  const calls = message.tool_calls ?? []
  const answers = message.tool_call_id ?? null
  // An assistant's turn may consist of only a refusal or a sound, which are kept unchanged.
  const needsContent = role !== 'assistant' && (content === undefined || content === null)
  const rules: readonly [broken: boolean, detail: string, field: string][] = [
    [needsContent, 'A message needs content.', 'content'],
    [calls.length > 0 && role !== 'assistant', 'Only an assistant message has tool calls.', 'tool_calls'],
    [role === 'tool' && answers === null, 'A tool message names the call it answers.', 'tool_call_id'],
    [role !== 'tool' && answers !== null, 'Only a tool message answers a call.', 'tool_call_id'],
  ]
  return rules.flatMap(([broken, detail, field]) => (broken ? [{ detail, pointer: `${at}/${field}` }] : []))
}

const knownOfMessage: ReadonlySet<string> = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id'])
/** Members of answers beside their text. Clients send them back as they got them, also to another model. */
const ofAnswers: ReadonlySet<string> = new Set(['annotations', 'reasoning_content', 'reasoning', 'reasoning_details'])

function readMessage(message: OpenAiMessage, at: string, members: VendorMembers): Turn {
  members.keepRest(message, knownOfMessage, at, message.role === 'assistant' ? ofAnswers : undefined)
  return {
    role: message.role === 'developer' ? 'system' : message.role,
    parts: readParts(message.content ?? [], `${at}/content`, members),
    toolCalls: readToolCalls(message.tool_calls ?? [], `${at}/tool_calls`, members),
    toolCallId: message.tool_call_id ?? null,
    name: message.name ?? null,
    ...(message.role === 'developer' ? { developer: true as const } : {}),
  }
}

const knownOfCall: ReadonlySet<string> = new Set(['id', 'type', 'function'])
/** Members of answers beside a tool call, such as the signature of the reasoning that led to it. */
const besideCalls: ReadonlySet<string> = new Set(['index', 'extra_content', 'provider_specific_fields'])
const knownOfCalled: ReadonlySet<string> = new Set(['name', 'arguments'])

type MessageCalls = Exclude<OpenAiMessage['tool_calls'], null | undefined>

/** Calls of the vendor's own kinds are kept together with the adjacent ones, because their order matters. */
function readToolCalls(calls: MessageCalls, at: string, members: VendorMembers): readonly ToolCall[] {
  if (calls.some((call) => call.function === undefined)) {
    members.keep(at, calls)
    return []
  }
  return calls.flatMap((call, index) => {
    if (call.function === undefined) return []
    members.keepRest(call, knownOfCall, `${at}/${index}`, besideCalls)
    members.keepRest(call.function, knownOfCalled, `${at}/${index}/function`)
    return [{ id: call.id, name: call.function.name, arguments: call.function.arguments }]
  })
}

const knownOfTool: ReadonlySet<string> = new Set(['type', 'function'])
const knownOfFunction: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict'])

function readTool(tool: OpenAiTool, at: string, members: VendorMembers): Tool {
  const { type, function: called } = tool
  if (type !== 'function' || called === undefined)
    return { kind: 'opaque', name: opaqueToolName(tool), form: 'openai_chat', value: { ...tool } }
  members.keepRest(tool, knownOfTool, at)
  members.keepRest(called, knownOfFunction, `${at}/function`)
  return {
    kind: 'function',
    name: called.name,
    description: called.description ?? null,
    parameters: called.parameters ?? null,
    strict: called.strict ?? null,
  }
}

/** The name compared with a policy's list of tools: the tool's own, otherwise its type. */
export function opaqueToolName(tool: { readonly type: string }): string {
  const inner: unknown = Reflect.get(tool, tool.type)
  const named = [tool, inner].find((one) => typeof one === 'object' && one !== null && 'name' in one)
  const name: unknown = named === undefined ? undefined : Reflect.get(named, 'name')
  return typeof name === 'string' && name !== '' ? name : tool.type
}
