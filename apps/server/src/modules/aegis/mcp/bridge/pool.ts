/**
 * Sessions with older upstreams on behalf of clients that have none: one for each agent credential, server, conversation
 * and set of capabilities. They are held in this process alone and opened again where they are lost, because nothing of the
 * client depends on them. Tested in proxy/bridge.test.ts.
 */
import type { Clock } from '../../../../kernel/base/clock.ts'
import type { Caller } from '../call/types.ts'
import { legacyVersions } from '../declared/words.ts'
import { type Conversation, closeSession, openSession, ownClient } from '../upstream/ask.ts'
import type { UpstreamLink } from '../upstream/exchange.ts'
import type { UpstreamServer } from '../upstream/server.ts'
import type { Members } from '../wire/json-rpc.ts'
import type { MessageFacts } from '../wire/metadata.ts'
import { type Apart, listenApart } from './apart.ts'

export interface HeldSession {
  readonly key: string
  readonly conversation: Conversation
  readonly upstream: UpstreamServer
  /** Null where the client takes no questions. */
  readonly apart: Apart | null
  /** Ids of one session differ. */
  nextId(): number
}

export interface PoolKey {
  readonly caller: Caller
  readonly facts: MessageFacts
  readonly conversation: string
  /** Of the client, as far as questions take them. */
  readonly capabilities: Members
}

export interface SessionPool {
  /** @throws UpstreamFault */
  get(key: PoolKey): Promise<HeldSession>
  forget(session: HeldSession): void
  /** Ends all; for the end of the process. */
  close(): void
}

const mostSessions = 2_000
const idleMs = 10 * 60_000

interface Entry {
  readonly opening: Promise<HeldSession>
  usedAt: number
}

export function createPool(link: UpstreamLink, clock: Pick<Clock, 'now' | 'after' | 'every'>): SessionPool {
  const entries = new Map<string, Entry>()
  const end = (key: string, entry: Entry): void => {
    entries.delete(key)
    void entry.opening
      .then(({ upstream, conversation, apart }) => {
        apart?.close()
        return closeSession(link, upstream, conversation)
      })
      .catch(() => undefined)
  }
  clock.every(60_000, () => {
    for (const [key, entry] of entries) if (clock.now() - entry.usedAt > idleMs) end(key, entry)
  })
  const begin = (key: string, wanted: PoolKey): Entry => {
    const entry = { opening: open({ link, clock, key }, wanted), usedAt: clock.now() }
    entry.opening.catch(() => entries.delete(key))
    entries.set(key, entry)
    const [oldest] = entries
    if (entries.size > mostSessions && oldest !== undefined) end(...oldest)
    return entry
  }
  return {
    get: (wanted) => {
      const { caller, conversation, capabilities } = wanted
      const { holder, server } = caller
      const key = JSON.stringify([holder, server.row.url, conversation, capabilities])
      const entry = entries.get(key) ?? begin(key, wanted)
      entry.usedAt = clock.now()
      return entry.opening
    },
    forget: ({ key, apart }) => {
      apart?.close()
      entries.delete(key)
    },
    close: () => {
      for (const { opening } of entries.values()) opening.then(({ apart }) => apart?.close()).catch(() => undefined)
      entries.clear()
    },
  }
}

interface Place {
  readonly link: UpstreamLink
  readonly clock: Pick<Clock, 'after'>
  readonly key: string
}

async function open({ link, clock, key }: Place, { caller, facts, capabilities }: PoolKey): Promise<HeldSession> {
  const { upstream } = caller.server
  const clientInfo = facts.clientInfo ?? ownClient
  const { conversation } = await openSession(link, upstream, { version: legacyVersions[0], clientInfo, capabilities })
  const isAsked = Object.keys(capabilities).length > 0
  const apart = isAsked ? await listenApart({ link, clock, upstream, conversation }) : null
  let last = 0
  return {
    ...{ key, conversation, upstream, apart },
    nextId: () => {
      last += 1
      return last
    },
  }
}
