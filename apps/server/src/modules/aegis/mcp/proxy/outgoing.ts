/**
 * A request as its upstream wants it: of the same era as it came, or brought over to the other one. Tested in
 * bridge.test.ts.
 */
import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { toLegacy, toModern } from '../bridge/eras.ts'
import { type Line, openLine, openLongLine } from '../bridge/line.ts'
import type { HeldSession } from '../bridge/pool.ts'
import { questionCapabilities } from '../bridge/translate.ts'
import type { Asked } from '../call/types.ts'
import { conversationHeaders, modernParams } from '../upstream/ask.ts'
import { type Sending, send } from '../upstream/exchange.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { type Members, objectOf, type RpcId } from '../wire/json-rpc.ts'
import { metaKeys, mirrored, parameterHeaders } from '../wire/metadata.ts'
import type { ProxyServices } from './services.ts'

export interface Outgoing {
  readonly id: RpcId
  /** It belongs to a session of the upstream. */
  readonly isSession: boolean
  /** The upstream is asked in another way than it was, so that its questions are brought over to the client. */
  readonly isBridged: boolean
  /** @throws UpstreamFault */
  open(signal: AbortWatch): Promise<Line>
  /** The same request with the client's answers, of an upstream that asks in its results. */
  again(responses: Members, state: string | null): Outgoing
  /** The upstream's answer in the era of the caller. */
  adapt(answer: Members): Members
  /** Tells an upstream with sessions that the caller no longer waits. */
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
export async function outgoingOf(services: ProxyServices, sent: Sent): Promise<Outgoing> {
  const { caller, session } = sent.asked
  if (caller.server.row.era === 'modern') return modernOutgoing(services, sent, sent.asked.id)
  return session?.era === 'legacy' ? legacyOutgoing(services, sent) : bridgedOutgoing(services, sent)
}

/** Milliseconds of a stream of changes, which has no end of its own. */
const longestListenMs = 3_600_000

function sendingOf({ method }: Asked, message: Members, headers: Readonly<Record<string, string>>): Sending {
  return {
    ...{ method: 'POST' as const, message, headers },
    ...(method === 'subscriptions/listen' ? { totalMs: longestListenMs } : {}),
  }
}

const never = (): never => {
  throw new UpstreamFault('question', 'The MCP server cannot be asked again.')
}

function modernOutgoing(services: ProxyServices, { asked, params, schema }: Sent, id: RpcId): Outgoing {
  const { facts, session, method, caller } = asked
  const { upstream } = caller.server
  const isBridged = facts.era === 'legacy'
  const client = { clientInfo: clientInfoOf(session?.client), capabilities: session?.capabilities ?? {} }
  const message = { jsonrpc: '2.0', id, method, params: isBridged ? modernParams(params, client) : params }
  const headers = { ...mirrored(message), ...parameterHeaders(schema, objectOf(params.arguments)) }
  const sending = sendingOf(asked, message, headers)
  return {
    ...{ id, isSession: false, isBridged, abandon: () => undefined, sessionEnded: () => undefined },
    open: (signal) => openLine({ link: services.link, upstream, id, sending: { ...sending, signal } }),
    again: (inputResponses, requestState) => {
      const more = { inputResponses, ...(requestState === null ? {} : { requestState }) }
      return modernOutgoing(
        services,
        { asked, params: { ...params, ...more }, schema },
        `${services.kernel.random.hex(8)}`,
      )
    },
    adapt: isBridged ? toLegacy : (answer) => answer,
  }
}

export function clientInfoOf(client = ''): Members {
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
  const { upstream } = caller.server
  const sending = sendingOf(asked, message, headers)
  return {
    ...{ id, isSession: session.upstream !== null, isBridged: false, sessionEnded: () => undefined },
    open: (signal) => openLine({ link: services.link, upstream, id, sending: { ...sending, signal } }),
    again: never,
    adapt: (answer) => answer,
    abandon: () => cancelUpstream(services, upstream, { id, headers }),
  }
}

async function bridgedOutgoing(services: ProxyServices, { asked, params }: Sent): Promise<Outgoing> {
  const { caller, facts, session, keys, method } = asked
  const capabilities = questionCapabilities(facts.era === 'modern' ? facts.capabilities : (session?.capabilities ?? {}))
  const held = await services.pool.get({ caller, facts, conversation: keys.conversation, capabilities })
  const id = held.nextId()
  const meta = Object.fromEntries(Object.entries(objectOf(params._meta)).filter(([name]) => !ownKeys.has(name)))
  const { inputResponses: _responses, requestState: _state, _meta: _own, ...plain } = params
  const told = { ...plain, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) }
  const message = { jsonrpc: '2.0', id, method, params: told }
  const headers = conversationHeaders(held.conversation, message)
  const sending = sendingOf(asked, message, headers)
  return {
    ...{ id, isSession: held.conversation.sessionId !== null, isBridged: true },
    open: (signal) => openHeld(services, held, { id, headers, sending: { ...sending, signal } }),
    again: never,
    adapt: facts.era === 'modern' ? toModern : (answer) => answer,
    sessionEnded: () => services.pool.forget(held),
    abandon: () => cancelUpstream(services, caller.server.upstream, { id, headers }),
  }
}

interface OpeningHeld extends Cancelled {
  readonly sending: Sending
}

/** A client that takes no questions is not waited for. */
function openHeld(services: ProxyServices, { upstream, apart }: HeldSession, how: OpeningHeld): Promise<Line> {
  const { kernel, link } = services
  if (apart === null) return openLine({ link, upstream, ...how })
  const abandon = (): void => cancelUpstream(services, upstream, how)
  return openLongLine({ link, upstream, clock: kernel.clock, ...apart.join(), ...how, abandon })
}

/** A call that its client comes back to, on the line that was kept for it. */
export function resumedOutgoing(line: Line): Outgoing {
  return {
    ...{ id: line.id, isSession: true, isBridged: true, adapt: toModern, sessionEnded: () => undefined },
    ...{ open: () => Promise.resolve(line), again: never, abandon: line.abandon },
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
