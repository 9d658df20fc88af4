/**
 * Opens a session with a client of an older revision. With an upstream that has sessions too, one is opened there; the
 * client gets a sealed id that holds both. Tested in proxy.test.ts.
 */
import { Answer } from '../../../../kernel/module/route.ts'
import { questionCapabilities } from '../bridge/translate.ts'
import { refusals, refused } from '../call/refusals.ts'
import type { Asked } from '../call/types.ts'
import { legacyVersions } from '../declared/words.ts'
import { ask } from '../upstream/ask.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { type Members, objectOf, textOf } from '../wire/json-rpc.ts'
import { type Session, sessionLifeMs } from '../wire/session-token.ts'
import { clientOf } from './enter.ts'
import { capabilitiesOf, initialized, negotiated } from './local.ts'
import { note } from './note.ts'
import type { ProxyServices } from './services.ts'

export async function openClientSession(services: ProxyServices, asked: Asked): Promise<Answer<Members>> {
  const { era } = asked.caller.server.row
  const opened = era === 'modern' ? ownOpening(asked) : await upstreamOpening(services, asked)
  if (opened === null) return new Answer<Members>({ ...refused(asked.id, refusals.upstream, false) })
  await note(services, asked, { decision: 'allowed', outcome: 'succeeded' })
  const session: Session = {
    ...{ id: services.kernel.random.hex(12), upstream: opened.sessionId, version: opened.version },
    ...{ era: era === 'modern' ? 'modern' : 'legacy', client: clientOf(objectOf(asked.params.clientInfo)) },
    capabilities: questionCapabilities(objectOf(asked.params.capabilities)),
    expires: services.kernel.clock.now() + sessionLifeMs,
  }
  const token = services.sessions.seal(asked.caller.holder, session)
  return new Answer<Members>(opened.answer, { headers: { 'mcp-session-id': token, 'cache-control': 'no-store' } })
}

interface OpenedSession {
  readonly sessionId: string | null
  readonly version: string
  readonly answer: Members
}

function ownOpening(asked: Asked): OpenedSession {
  const version = negotiated(asked.params)
  return {
    sessionId: null,
    version,
    answer: initialized(asked, { version, capabilities: unsubscribed(capabilitiesOf(asked)) }),
  }
}

/** A resource is not listened to over the bridge, because a modern server names it when the stream begins. */
function unsubscribed({ resources, ...others }: Members): Members {
  if (resources === undefined) return others
  const { subscribe: _no, ...rest } = objectOf(resources)
  return { ...others, resources: rest }
}

/** Null where the upstream does not open one; that is on record then. */
async function upstreamOpening(services: ProxyServices, asked: Asked): Promise<OpenedSession | null> {
  const version = negotiated(asked.params)
  const { upstream } = asked.caller.server
  try {
    const fresh = { era: 'legacy' as const, version, sessionId: null }
    const params = { ...asked.params, protocolVersion: version }
    const { result, sessionId } = await ask(services.link, upstream, fresh, { method: 'initialize', params })
    const spoken = textOf(result?.protocolVersion) ?? ''
    if (result === null || !(legacyVersions as readonly string[]).includes(spoken))
      throw new UpstreamFault('status', 'The MCP server opened no session.')
    const capabilities = capabilitiesOf({ caller: withCapabilities(asked, objectOf(result.capabilities)) })
    return { sessionId, version: spoken, answer: initialized(asked, { version: spoken, capabilities }) }
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    await note(services, asked, {
      decision: 'allowed',
      outcome: 'protocol_error',
      errorCode: refusals.upstream.errorCode,
    })
    return null
  }
}

function withCapabilities({ caller }: Asked, capabilities: Members): Asked['caller'] {
  return { ...caller, server: { ...caller.server, row: { ...caller.server.row, capabilities: { ...capabilities } } } }
}
