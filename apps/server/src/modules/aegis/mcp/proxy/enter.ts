/**
 * Admission of a call to a server. Agents that are not active, kill switches and pages of a foreign origin are refused. Tested in proxy.test.ts.
 */
import type { Actor } from '../../../../kernel/access/actor.ts'
import { apiErrors, authErrors } from '../../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../../kernel/module/route.ts'
import { errors } from '../../errors/errors.ts'
import { subjectOf } from '../call/subject.ts'
import type { Caller, Incoming } from '../call/types.ts'
import { legacyVersions, modernVersion } from '../declared/words.ts'
import { conversationOf } from '../flow/conversation.ts'
import { type Members, objectOf, rpcCodes, textOf } from '../wire/json-rpc.ts'
import { readFacts } from '../wire/metadata.ts'
import type { Session } from '../wire/session-token.ts'
import { joinedServer, joinedSlug, serversOf } from './joined-server.ts'
import type { ProxyServices } from './services.ts'

export interface Arrival {
  readonly actor: Actor
  readonly request: RequestInfo
  readonly slug: string
}

/** @throws API-013, AEGIS-007, AEGIS-008, AUTH-004 */
export async function enter(services: ProxyServices, { actor, request, slug }: Arrival): Promise<Caller> {
  refuseStrangeOrigin(services, request)
  const { tenantId } = actor
  const known = services.snapshots.get(tenantId)
  const snapshot = known instanceof Promise ? await known : known
  const agent = actor.agentId === undefined ? undefined : snapshot.agents.get(actor.agentId)
  if (agent === undefined) throw errors.agentNotActive({ status: 'not registered' })
  if (agent.status !== 'active') throw errors.agentNotActive({ status: agent.status })
  // A server that none of the agent's tools is on does not exist for it.
  const own = serversOf(snapshot, agent)
  const server = slug === joinedSlug ? joinedServer(tenantId) : own.get(slug)
  if (server === undefined) throw apiErrors.notFound({ what: 'MCP server' })
  const holder = { tenantId, agentId: agent.id, keyId: actor.keyId, serverId: server.row.id }
  const joined = slug === joinedSlug ? own : null
  const { hasRestricted } = snapshot
  const caller: Caller = { tenantId, actor, agent, server, joined, hasRestricted, request, holder }
  if (!services.kill.fresh() || services.kill.isStopped(subjectOf(caller, null))) throw errors.killed()
  return caller
}

/** A page of another origin must not reach this address by way of somebody's browser (DNS rebinding). @throws AUTH-004 */
function refuseStrangeOrigin({ kernel }: ProxyServices, request: RequestInfo): void {
  const origin = request.header('origin')
  if (origin === undefined || origin === new URL(kernel.config.publicUrl).origin) return
  throw authErrors
    .forbidden({ permission: 'agent' })
    .withMembers({ rpc_message: 'The Origin of the request is not allowed.' })
}

/** @throws API-001 as -32020, -32022 or -32600, API-013 for a session that is over */
export function read(services: ProxyServices, caller: Caller, message: Members): Incoming {
  const { request, agent, actor } = caller
  const facts = readFacts(message, (name) => request.header(name))
  const id = typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null
  if ('mismatch' in facts) throw badMessage(facts.mismatch, { code: rpcCodes.headerMismatch, id })
  if ('unsupported' in facts)
    throw badMessage('Unsupported protocol version', {
      ...{ code: rpcCodes.unsupportedVersion, id },
      data: { supported: [modernVersion, ...legacyVersions], requested: facts.unsupported },
    })
  const session = facts.era === 'modern' ? null : sessionOf(services, caller, { message, id })
  const client = facts.clientInfo === null ? (session?.client ?? '') : clientOf(facts.clientInfo)
  const keys = conversationOf({
    ...{ sessionId: session?.id ?? null, meta: facts.meta, header: request.header('x-parapet-session') },
    ...{ keyId: actor.keyId, client, autonomy: agent.autonomy_level },
  })
  return {
    ...{ caller, message, id, method: textOf(message.method), params: objectOf(message.params) },
    ...{ facts, session, keys, startedMs: services.kernel.clock.monotonic() },
  }
}

export const clientOf = (info: Members): string =>
  `${(textOf(info.name) ?? '').slice(0, 64)} ${(textOf(info.version) ?? '').slice(0, 32)}`.trim()

interface Opening {
  readonly message: Members
  readonly id: string | number | null
}

function sessionOf(services: ProxyServices, { request, holder }: Caller, { message, id }: Opening): Session | null {
  if (message.method === 'initialize') return null
  const token = request.header('mcp-session-id')
  if (token === undefined)
    throw badMessage('A session is opened by initialize, and Mcp-Session-Id names it from then on.', {
      code: rpcCodes.invalidRequest,
      id,
    })
  const session = services.sessions.open(holder, token)
  // 404 tells a client to open another one.
  if (session === null) throw apiErrors.notFound({ what: 'MCP session' }).withMembers({ rpc_id: id })
  return session
}

interface Wrong {
  readonly code: number
  readonly id: string | number | null
  readonly data?: Members
}

export function badMessage(what: string, { code, id, data }: Wrong) {
  return apiErrors
    .validation({ what })
    .withMembers({ rpc_code: code, rpc_id: id, ...(data === undefined ? {} : { rpc_data: data }) })
}
