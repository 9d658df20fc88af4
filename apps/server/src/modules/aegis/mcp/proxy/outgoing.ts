/**
 * A request as its upstream wants it: of the same era as it came, or brought over to the other one. Tested in
 * bridge.test.ts.
 */
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Asked } from '../call/types.ts'
import { conversationHeaders, modernParams } from '../upstream/ask.ts'
import { send } from '../upstream/exchange.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { type Members, objectOf, type RpcId } from '../wire/json-rpc.ts'
import { metaKeys, mirrored, parameterHeaders } from '../wire/metadata.ts'
import { toLegacy, toModern } from './eras.ts'
import type { ProxyServices } from './services.ts'

export interface Outgoing {
  readonly id: RpcId
  readonly message: Members
  readonly headers: Readonly<Record<string, string>>
  /** It belongs to a session of the upstream. */
  readonly isSession: boolean
  /** The upstream's answer in the era of the caller. */
  adapt(answer: Members): Members
  /** Tells an upstream with sessions that nobody waits any more. */
  abandon(): void
  /** The upstream says that it does not know the session. */
  sessionEnded(): void
}

export interface Sent {
  readonly asked: Asked
  readonly params: Members
  /** Of a tool: its pinned schema says which arguments stand in headers too. */
  readonly schema?: unknown
}

/** @throws UpstreamFault where a session has to be opened and is not */
export async function outgoingOf(services: ProxyServices, { asked, params, schema }: Sent): Promise<Outgoing> {
  const { caller, facts, session, method, id } = asked
  const { era } = caller.server.row
  if (era === 'modern') {
    const isBridged = facts.era === 'legacy'
    const told = isBridged
      ? modernParams(params, { clientInfo: clientInfoOf(session?.client), capabilities: {} })
      : params
    const message = { jsonrpc: '2.0', id, method, params: told }
    return {
      ...{ id, message, isSession: false, abandon: () => undefined, sessionEnded: () => undefined },
      headers: { ...mirrored(message), ...parameterHeaders(schema, objectOf(params.arguments)) },
      adapt: isBridged ? toLegacy : (answer) => answer,
    }
  }
  return session?.era === 'legacy'
    ? legacyOutgoing(services, { asked, params })
    : bridgedOutgoing(services, { asked, params })
}

function clientInfoOf(client = ''): Members {
  const at = client.lastIndexOf(' ')
  return at === -1
    ? { name: client === '' ? 'client' : client, version: '0' }
    : { name: client.slice(0, at), version: client.slice(at + 1) }
}

function legacyOutgoing(services: ProxyServices, { asked, params }: Sent): Outgoing {
  const { session, id, method, caller } = asked
  if (session === null) throw apiErrors.notFound({ what: 'MCP session' })
  const conversation = { era: 'legacy' as const, version: session.version, sessionId: session.upstream }
  const message = { jsonrpc: '2.0', id, method, ...(Object.keys(params).length === 0 ? {} : { params }) }
  const headers = conversationHeaders(conversation, message)
  return {
    ...{ id, message, headers, isSession: session.upstream !== null, sessionEnded: () => undefined },
    adapt: (answer) => answer,
    abandon: () => cancelUpstream(services, caller.server.upstream, { id, headers }),
  }
}

async function bridgedOutgoing(services: ProxyServices, { asked, params }: Sent): Promise<Outgoing> {
  const { caller, facts, keys, method } = asked
  const held = await services.pool.get({ caller, facts, conversation: keys.conversation })
  const id = held.nextId()
  const meta = Object.fromEntries(Object.entries(objectOf(params._meta)).filter(([name]) => !ownKeys.has(name)))
  const { inputResponses: _responses, requestState: _state, ...plain } = params
  const { _meta: _own, ...rest } = plain
  const message = {
    jsonrpc: '2.0',
    id,
    method,
    params: { ...rest, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) },
  }
  const headers = conversationHeaders(held.conversation, message)
  return {
    ...{ id, message, headers, isSession: held.conversation.sessionId !== null },
    adapt: facts.era === 'modern' ? toModern : (answer) => answer,
    sessionEnded: () => services.pool.forget(held),
    abandon: () => cancelUpstream(services, caller.server.upstream, { id, headers }),
  }
}

const ownKeys: ReadonlySet<string> = new Set(Object.values(metaKeys))

interface Cancelled {
  readonly id: RpcId
  readonly headers: Readonly<Record<string, string>>
}

/** A legacy upstream does not take a closed connection for the end of a request. */
function cancelUpstream(
  { kernel, link }: ProxyServices,
  upstream: Asked['caller']['server']['upstream'],
  { id, headers }: Cancelled,
): void {
  const params = { requestId: id, reason: 'The client is gone.' }
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
  const told = send(link, upstream, { method: 'POST', message, headers, totalMs: 5_000 }).then(
    (answer) => answer.cancel(),
    (error: unknown) => {
      if (!(error instanceof UpstreamFault)) throw error
    },
  )
  kernel.background('cancelling a call at an MCP server', told)
}
