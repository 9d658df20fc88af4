/** The legs of older transports: the stream of a session on which its server speaks first, and its end. Tested in proxy.test.ts. */
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import { EndlessAnswer, type StreamAnswer } from '../../../../kernel/module/route.ts'
import { overheard } from '../bridge/listening.ts'
import type { Caller } from '../call/types.ts'
import { mcpSettings } from '../declared/settings.ts'
import { conversationHeaders } from '../upstream/ask.ts'
import { send, type UpstreamAnswer } from '../upstream/exchange.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { type Members, objectOf, rpcCodes } from '../wire/json-rpc.ts'
import type { Session } from '../wire/session-token.ts'
import { keepAlive, writeEvent } from '../wire/sse.ts'
import { type Arrival, badMessage, enter } from './enter.ts'
import { noteListChange } from './list-change.ts'
import { clientInfoOf } from './outgoing.ts'
import { kept, type Messages } from './respond.ts'
import type { ProxyServices } from './services.ts'

/** Lifetime of a stream that is open for messages of the server. */
const streamMs = 3_600_000

/** The stream of a session on which the server speaks first. @throws API-007, API-013 */
export async function handleGet(services: ProxyServices, arrival: Arrival): Promise<StreamAnswer> {
  const { caller, session } = await enterSession(services, arrival)
  const upstream = await streamOf(services, caller, session).catch((error: unknown) => {
    if (!(error instanceof UpstreamFault)) throw error
    throw apiErrors.unavailable({ what: 'The MCP server was not reached.' }).causedBy(error)
  })
  if (upstream?.form !== 'stream') {
    upstream?.cancel()
    throw apiErrors.method({ allow: 'POST, DELETE' })
  }
  return new EndlessAnswer('text/event-stream', spoken(services, caller, upstream.messages), () => upstream.cancel())
}

/** Null for a server that has no such stream. @throws UpstreamFault */
async function streamOf(
  { link }: ProxyServices,
  { server, joined, request }: Caller,
  session: Session,
): Promise<UpstreamAnswer | null> {
  const { upstream, row } = server
  const { signal } = request
  if (session.era === 'modern') {
    if (joined !== null || row.era !== 'modern') return null
    const capabilities = objectOf(row.capabilities)
    return overheard({ link, upstream, capabilities, clientInfo: clientInfoOf(session.client), signal })
  }
  if (session.upstream === null) return null
  const headers = conversationHeaders({ era: 'legacy', version: session.version, sessionId: session.upstream }, {})
  return send(link, upstream, { method: 'GET', message: null, headers, signal, totalMs: streamMs })
}

/** A list that changed is checked at once; the client hears of it when the pins were. */
async function* spoken(
  services: ProxyServices,
  caller: Caller,
  messages: AsyncIterable<Members>,
): AsyncGenerator<string> {
  const own = (async function* (): Messages {
    try {
      yield* messages
    } catch (error) {
      if (!(error instanceof UpstreamFault)) throw error
    }
  })()
  for await (const message of kept(services.kernel.clock, own)) {
    if (message !== null) noteListChange(services, caller, message)
    yield message === null ? keepAlive : writeEvent(exactJson(message))
  }
}

/** Ends a session. @throws API-013 */
export async function handleDelete(services: ProxyServices, arrival: Arrival): Promise<void> {
  const { caller, session } = await enterSession(services, arrival)
  const { actor, request, tenantId, server } = caller
  await services.kernel.db.tenant({ tenantId, origin: originOf(request, actor) }, (tx) =>
    tx.audit('aegis.mcp.end', { target: `mcp_server:${server.row.id}` }),
  )
  if (session.era === 'modern' || session.upstream === null) return
  const headers = conversationHeaders({ era: 'legacy', version: session.version, sessionId: session.upstream }, {})
  try {
    const { cancel } = await send(services.link, caller.server.upstream, {
      method: 'DELETE',
      message: null,
      headers,
      totalMs: 5_000,
    })
    cancel()
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
  }
}

async function enterSession(services: ProxyServices, arrival: Arrival) {
  const caller = await enter(services, arrival)
  refuseWithoutSessions(services, caller)
  const session = services.sessions.open(caller.holder, caller.request.header('mcp-session-id') ?? '')
  if (session === null) throw apiErrors.notFound({ what: 'MCP session' })
  return { caller, session }
}

/** @throws API-001 */
export function refuseWithoutSessions({ kernel }: ProxyServices, { tenantId }: Caller): void {
  if (kernel.settings.get(mcpSettings, tenantId).legacy_sessions) return
  throw badMessage('This installation serves clients of the revision 2026-07-28 alone.', {
    code: rpcCodes.unsupportedVersion,
    id: null,
  })
}
