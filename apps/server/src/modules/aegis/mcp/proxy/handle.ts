/** The way of a message through the firewall. Tested in proxy.test.ts. */
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { Answer } from '../../../../kernel/module/route.ts'
import { ContentTooLarge } from '../bridge/carrier.ts'
import { refusals, refused } from '../call/refusals.ts'
import type { Asked, Caller, Incoming } from '../call/types.ts'
import { conversationHeaders } from '../upstream/ask.ts'
import { send } from '../upstream/exchange.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { type Members, resultOf, rpcCodes } from '../wire/json-rpc.ts'
import type { Session } from '../wire/session-token.ts'
import { questionName } from './ask-client.ts'
import { type Arrival, badMessage, enter, read } from './enter.ts'
import { within } from './joined.ts'
import { isServed } from './joined-server.ts'
import { discovered, listed } from './local.ts'
import { legacyMethods, legacyNotifications, modernMethods } from './methods.ts'
import { note } from './note.ts'
import { openClientSession } from './open-session.ts'
import { only, pass } from './pass.ts'
import { type Messages, type Reply, respond } from './respond.ts'
import type { ProxyServices } from './services.ts'
import { refuseWithoutSessions } from './session-legs.ts'
import { callTool } from './tool-call.ts'

const accepted = (): Answer<null> => new Answer<null>(null, { status: 202 })

/** @throws API-001, API-013, AEGIS-007, AEGIS-008 */
export async function handlePost(
  services: ProxyServices,
  arrival: Arrival,
  message: Members,
): Promise<Reply | Answer<null>> {
  const caller = await enter(services, arrival)
  const incoming = read(services, caller, message)
  if (incoming.facts.era === 'legacy') refuseWithoutSessions(services, caller)
  if (incoming.method === null || incoming.id === null) return takeLoose(services, incoming)
  return answer(services, { ...incoming, id: incoming.id, method: incoming.method })
}

async function answer(services: ProxyServices, asked: Asked): Promise<Reply> {
  const { method, facts, caller, id } = asked
  const away = isServed(caller.server)
  if (away !== null) {
    await note(services, asked, { decision: 'denied', outcome: 'denied', errorCode: refusals[away].errorCode })
    return new Answer<Members>({ ...refused(id, refusals[away], method === 'tools/call') })
  }
  const known = facts.era === 'modern' ? modernMethods : legacyMethods
  if (!known.has(method)) return unknownMethod(asked)
  if (method === 'initialize') return openClientSession(services, asked)
  const messages = messagesOf(services, asked)
  return respond(services.kernel.clock, asked, asked.session === null ? messages : claimed(services, asked, messages))
}

/** Two requests of one id in a session would share their answers and cancellations. @throws API-001 as -32600 */
function claimed({ running }: ProxyServices, { session, id }: Asked, messages: Messages): Messages {
  const release = session === null ? () => undefined : running.claim(session, id)
  if (release === null)
    throw badMessage('A request of this session with the same id is under way. Use another id.', {
      code: rpcCodes.invalidRequest,
      id,
    })
  return (async function* (): Messages {
    try {
      yield* messages
    } finally {
      release()
    }
  })()
}

function messagesOf(services: ProxyServices, asked: Asked): Messages {
  if (asked.method === 'tools/call')
    return callTool(services, asked.caller.joined === null ? asked : (within(asked) ?? asked))
  if (asked.method === 'tools/list') return list(services, asked)
  const own = ownAnswer(asked)
  if (own !== null) return only(own)
  return asked.caller.joined === null ? pass(services, asked) : only({ ...refused(asked.id, refusals.noMethod, false) })
}

async function* list(services: ProxyServices, asked: Asked): Messages {
  await note(services, asked, { decision: 'allowed', outcome: 'succeeded' })
  yield listed(asked)
}

function ownAnswer(asked: Asked): Members | null {
  if (asked.method === 'server/discover') return discovered(asked)
  return asked.method === 'ping' ? { ...resultOf(asked.id, {}) } : null
}

/** The modern revision answers it with 404. @throws API-013 */
function unknownMethod({ facts, id }: Asked): Reply {
  if (facts.era === 'modern')
    throw apiErrors.notFound({ what: 'method' }).withMembers({ rpc_code: rpcCodes.methodNotFound, rpc_id: id })
  return new Answer<Members>({ ...refused(id, refusals.noMethod, false) })
}

/** A notification, or the client's answer to a question of the server: passed on as it is within its session. */
async function takeLoose(services: ProxyServices, incoming: Incoming): Promise<Answer<null>> {
  const { method, session, message, caller, facts } = incoming
  if (facts.era === 'modern' || session === null) {
    if (method === null)
      throw badMessage('The message is no request and no notification.', {
        code: rpcCodes.invalidRequest,
        id: incoming.id,
      })
    return accepted()
  }
  if (method !== null && !legacyNotifications.has(method))
    throw badMessage('The notification is not supported.', { code: rpcCodes.invalidRequest, id: null })
  if (method === 'notifications/cancelled' && (await isCancelled(services, incoming, session))) return accepted()
  if (session.era === 'modern') {
    if (method === null && typeof incoming.id === 'string')
      await takeAnswer(services, caller, { name: questionName(session.id, incoming.id), message })
    return accepted()
  }
  const conversation = { era: 'legacy' as const, version: session.version, sessionId: session.upstream }
  const headers = conversationHeaders(conversation, message)
  try {
    const { cancel } = await send(services.link, caller.server.upstream, { method: 'POST', message, headers })
    cancel()
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    throw apiErrors.unavailable({ what: 'The MCP server was not reached.' }).causedBy(error)
  }
  return accepted()
}

interface GivenAnswer {
  readonly name: string
  readonly message: Members
}

/** The answer to a question of the bridge. @throws API-001 where it is too large to be carried to its call */
async function takeAnswer(
  { answers }: ProxyServices,
  { tenantId }: Caller,
  { name, message: { result, error } }: GivenAnswer,
): Promise<void> {
  try {
    await answers.take(tenantId, name, error === undefined ? { result } : { error })
  } catch (error) {
    if (!(error instanceof ContentTooLarge)) throw error
    throw badMessage('The answer is too large.', { code: rpcCodes.inspectionLimit, id: null })
  }
}

/** Whether the request was ended here, which tells its upstream too. */
async function isCancelled(
  { running }: ProxyServices,
  { caller, params }: Incoming,
  session: Session,
): Promise<boolean> {
  const { requestId: id } = params
  return (typeof id === 'string' || typeof id === 'number') && running.cancel(caller.tenantId, session, id)
}
