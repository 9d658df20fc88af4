/**
 * Reads Anthropic's messages body. Every member is either understood or kept for a provider of the same form; none is
 * lost. Tested in read.test.ts.
 */
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import { type Asked, plainAsked } from '../../call/asked.ts'
import { type CanonicalCall, emptyCall } from '../../call/call.ts'
import { type VendorMembers, vendorMembers } from '../openai/vendor-members.ts'
import type { MessagesBody } from './messages-schema.ts'
import { anthropicForm, wishes } from './read-blocks.ts'
import { readMessage, readSystem } from './read-messages.ts'
import { readFormat, readReasoning, readTier, readTool, readToolChoice } from './read-settings.ts'

type Headers = Pick<RequestInfo, 'header'>

/** Request of a messages body, before the common headers. */
export function askedOfMessages(body: MessagesBody, headers: Headers): Asked {
  return {
    operation: 'messages',
    dialect: 'anthropic',
    read: () => readMessages(body, headers),
    ...plainAsked,
    model: body.model ?? null,
    stream: body.stream === true,
    includeUsage: true,
    metadata: metadataOf(body),
  }
}

/** @throws API-001 for errors that the schema cannot express */
export function readMessages(body: MessagesBody, headers: Headers): CanonicalCall {
  refuseThread(body)
  const members = vendorMembers(anthropicForm)
  keepBetas(headers, members)
  const turns = [
    ...readSystem(body.system, members),
    ...body.messages.flatMap((message, index) => readMessage(message, `/messages/${index}`, members)),
  ]
  const tools = (body.tools ?? []).map((tool, index) => readTool(tool, `/tools/${index}`, members))
  const settings = {
    ...readToolChoice(body.tool_choice, members),
    reasoning: readReasoning(body, members),
    format: readFormat(body.output_config, members),
    serviceTier: readTier(body.service_tier, members),
  }
  members.keepRest(body, knownMembers, '', wishesOfBody)
  return {
    ...emptyCall,
    form: anthropicForm,
    turns,
    tools,
    ...settings,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    topK: body.top_k ?? null,
    stop: body.stop_sequences ?? [],
    maxTokens: body.max_tokens,
    user: typeof body.metadata?.user_id === 'string' ? body.metadata.user_id : null,
    metadata: metadataOf(body),
    extra: members.found,
  }
}

/**
 * An earlier thread would not be inspected here, would be missing at another provider, and would hold placeholders that
 * now have different values. @throws API-001 with the code that tells the vendor's clients to continue without a thread
 */
function refuseThread(body: MessagesBody): void {
  if (!('thread' in body) || body.thread === null || body.thread === undefined) return
  const detail = 'Message threads are not kept at the provider. Send the whole conversation, without a thread.'
  throw apiErrors
    .validation({ what: detail })
    .at([{ detail, pointer: '/thread' }])
    .withMembers({ vendor_code: 'thread_unsupported_request' })
}

const knownMembers: ReadonlySet<string> = new Set([
  ...['model', 'max_tokens', 'system', 'messages', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'stream'],
  ...['tools', 'tool_choice', 'thinking', 'output_config', 'service_tier', 'metadata'],
])

/** Members that only make a call cheaper: without them the model reads the whole input. */
const wishesOfBody: ReadonlySet<string> = new Set([...wishes, 'context_management'])

/** The vendor's own member is the name of the end user; other members are for the gateway. */
function metadataOf({ metadata }: MessagesBody): Readonly<Record<string, string>> {
  const said = Object.entries(metadata ?? {}).flatMap(([name, value]) =>
    name !== 'user_id' && typeof value === 'string' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(said)
}

const betaPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
const mostBetas = 32

/** Beta features are requested in a header; only the vendor knows their effect. */
function keepBetas(headers: Headers, members: VendorMembers): void {
  const said = headers.header('anthropic-beta') ?? ''
  const betas = said.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  if (betas.length > mostBetas || !betas.every((name) => betaPattern.test(name)))
    throw apiErrors.validation({ what: `anthropic-beta takes up to ${mostBetas} names with commas between them.` })
  // Each beta feature has a member of its own, which is not omitted; another vendor has no use for its name.
  members.keepRest({ betas }, new Set(), '', new Set(['betas']))
}
