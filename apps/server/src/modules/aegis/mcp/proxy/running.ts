/**
 * Calls under way on this instance: a hard kill switch ends those that it covers, and the cancellation of a client with
 * sessions ends its one, on whichever instance it runs. Tested in proxy.test.ts and sdk-matrix.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { Aborter, type AbortWatch } from '../../../../kernel/base/abort.ts'
import { isRecord } from '../../../../kernel/base/is-record.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { type CallSubject, subjectOf } from '../call/subject.ts'
import type { Asked } from '../call/types.ts'
import type { RpcId } from '../wire/json-rpc.ts'
import type { Session } from '../wire/session-token.ts'

/** As much of the kill list as running calls ask. */
export interface KillNews {
  /** Calls for each new switch that ends running calls; the listener says how many it ended. */
  onHardSwitch(listener: (covers: (subject: CallSubject) => boolean) => number): void
}

export interface RunningCalls {
  /** Registers a request, of a tool where it calls one; `signal` aborts with the caller's, a switch or a cancellation. */
  begin(asked: Asked, tool: string | null): Running
  /** Registers a call that waits for its client: a switch that covers it calls `end`. The answer takes it back. */
  keep(asked: Asked, tool: string | null, end: () => void): () => void
  /** Takes the id of a request in its session until the answer is called; null while a request there has it. */
  claim(session: Session, id: RpcId): (() => void) | null
  /** Ends the request of this id in a session. Gives false where another instance was asked to. */
  cancel(tenantId: TenantId, session: Session, id: RpcId): Promise<boolean>
}

export interface Running {
  readonly signal: AbortWatch
  wasKilled(): boolean
  end(): void
}

interface Entry {
  readonly subject: CallSubject
  readonly aborter: Aborter
  killed: boolean
}

const cancelTopic = 'aegis.mcp.cancel'

/** The id of a session is given out once, so that no other caller's request has this name. */
const nameOf = (session: Session, id: RpcId): string => `${session.id} ${JSON.stringify(id)}`

export function createRunning({ live, db }: Pick<Kernel, 'live' | 'db'>, kill: KillNews): RunningCalls {
  const entries = new Set<Entry>()
  const named = new Map<string, Entry>()
  endOnSwitch(kill, entries)
  const end = (name: string): boolean => {
    const entry = named.get(name)
    entry?.aborter.abort()
    return entry !== undefined
  }
  live.on(cancelTopic, (_key, data) => {
    if (isRecord(data) && typeof data.name === 'string') end(data.name)
  })
  return {
    begin: ({ caller, session, id }, tool) => {
      const { aborter, leave } = Aborter.following(caller.request.signal)
      const entry: Entry = { subject: subjectOf(caller, tool), aborter, killed: false }
      const name = session === null ? null : nameOf(session, id)
      entries.add(entry)
      if (name !== null) named.set(name, entry)
      return {
        signal: aborter,
        wasKilled: () => entry.killed,
        end: () => {
          leave()
          entries.delete(entry)
          if (name !== null && named.get(name) === entry) named.delete(name)
        },
      }
    },
    claim: createClaims(),
    keep: ({ caller }, tool, finish) => {
      const aborter = new Aborter()
      aborter.addEventListener('abort', finish)
      const entry: Entry = { subject: subjectOf(caller, tool), aborter, killed: false }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    cancel: async (tenantId, session, id) => {
      const name = nameOf(session, id)
      if (end(name)) return true
      await db.tenant({ tenantId }, (tx) => tx.announce(cancelTopic, tenantId, { name }))
      return false
    },
  }
}

function endOnSwitch(kill: KillNews, entries: ReadonlySet<Entry>): void {
  kill.onHardSwitch((covers) => {
    const covered = [...entries].filter(({ subject }) => covers(subject))
    for (const entry of covered) {
      entry.killed = true
      entry.aborter.abort()
    }
    return covered.length
  })
}

function createClaims(): RunningCalls['claim'] {
  const claimed = new Set<string>()
  return (session, id) => {
    const name = nameOf(session, id)
    if (claimed.has(name)) return null
    claimed.add(name)
    return () => void claimed.delete(name)
  }
}
