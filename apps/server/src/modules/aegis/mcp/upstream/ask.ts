/** A request of our own to an upstream, and its one answer. Tested in servers.test.ts. */
import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import { legacyVersions, modernVersion } from '../declared/words.ts'
import { isAnswerTo, type Members, objectOf, textOf } from '../wire/json-rpc.ts'
import { metaKeys, mirrored } from '../wire/metadata.ts'
import { send, type UpstreamLink } from './exchange.ts'
import { UpstreamFault } from './fault.ts'
import type { UpstreamServer } from './server.ts'

export const ownClient = { name: 'parapet', version: '1' } as const

/** An upstream with the revision that it speaks. */
export interface Conversation {
  readonly era: 'legacy' | 'modern'
  readonly version: string
  /** Of a legacy upstream that gives sessions. */
  readonly sessionId: string | null
}

export interface Question {
  readonly method: string
  readonly params: Members
  readonly signal?: AbortWatch
}

export interface Reply {
  readonly status: number
  readonly sessionId: string | null
  readonly result: Members | null
  readonly error: Members | null
}

/** Of a modern request; `params._meta` of the caller stays beside it. */
export function modernParams(
  params: Members,
  { clientInfo, capabilities }: { clientInfo?: Members | null; capabilities?: Members } = {},
): Members {
  const meta = {
    ...objectOf(params._meta),
    [metaKeys.version]: modernVersion,
    [metaKeys.clientInfo]: clientInfo ?? ownClient,
    [metaKeys.capabilities]: capabilities ?? {},
  }
  return { ...params, _meta: meta }
}

export function conversationHeaders(
  { era, version, sessionId }: Conversation,
  message: Members,
): Record<string, string> {
  if (era === 'modern') return mirrored(message)
  return {
    ...(message.method === 'initialize' ? {} : { 'mcp-protocol-version': version }),
    ...(sessionId === null ? {} : { 'mcp-session-id': sessionId }),
  }
}

/** @throws UpstreamFault */
export async function ask(
  link: UpstreamLink,
  server: UpstreamServer,
  conversation: Conversation,
  { method, params, signal }: Question,
): Promise<Reply> {
  const isModern = conversation.era === 'modern'
  const message = { jsonrpc: '2.0', id: 1, method, params: isModern ? modernParams(params) : params }
  const headers = conversationHeaders(conversation, message)
  const answer = await send(link, server, {
    method: 'POST',
    message,
    headers,
    ...(signal === undefined ? {} : { signal }),
  })
  const { status, sessionId } = answer
  for await (const reply of answer.messages) {
    const isOurs =
      isAnswerTo(reply, 1) ||
      (reply.error !== undefined && reply.id === undefined) ||
      (reply.error !== undefined && reply.id === null)
    if (!isOurs) continue
    answer.cancel()
    return {
      ...{ status, sessionId },
      result: reply.result === undefined ? null : objectOf(reply.result),
      error: reply.error === undefined ? null : objectOf(reply.error),
    }
  }
  return { status, sessionId, result: null, error: null }
}

/** A notification of our own. @throws UpstreamFault */
export async function tell(
  link: UpstreamLink,
  server: UpstreamServer,
  conversation: Conversation,
  method: string,
): Promise<void> {
  const message = { jsonrpc: '2.0', method }
  const answer = await send(link, server, {
    method: 'POST',
    message,
    headers: conversationHeaders(conversation, message),
  })
  for await (const _ of answer.messages) break
}

export interface Opening {
  readonly version: string
  readonly clientInfo: Members
  readonly capabilities: Members
}

export interface Opened {
  readonly conversation: Conversation
  /** The result of `initialize`. */
  readonly result: Members
}

/** Opens a legacy session. @throws UpstreamFault */
export async function openSession(
  link: UpstreamLink,
  server: UpstreamServer,
  { version, clientInfo, capabilities }: Opening,
): Promise<Opened> {
  const fresh: Conversation = { era: 'legacy', version, sessionId: null }
  const params = { protocolVersion: version, capabilities, clientInfo }
  const { status, result, sessionId } = await ask(link, server, fresh, { method: 'initialize', params })
  if (result === null)
    throw new UpstreamFault('status', `The MCP server refused to open a session (${status}).`, {
      detail: String(status),
    })
  const spoken = textOf(result.protocolVersion) ?? version
  if (!(legacyVersions as readonly string[]).includes(spoken))
    throw new UpstreamFault('status', 'The MCP server speaks a revision that is not supported.')
  const conversation: Conversation = { era: 'legacy', version: spoken, sessionId }
  await tell(link, server, conversation, 'notifications/initialized')
  return { conversation, result }
}

/** Ends a legacy session; one that does not end so ends by itself. */
export async function closeSession(
  link: UpstreamLink,
  server: UpstreamServer,
  conversation: Conversation,
): Promise<void> {
  if (conversation.sessionId === null) return
  const headers = conversationHeaders(conversation, {})
  try {
    const answer = await send(link, server, { method: 'DELETE', message: null, headers, totalMs: 5_000 })
    for await (const _ of answer.messages) break
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
  }
}
