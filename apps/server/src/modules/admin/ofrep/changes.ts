/**
 * Tells who listens that flags have changed, by server-sent events in the form of OpenFeature's remote protocol: the
 * listener asks for the evaluation anew. Promises no more than one notice for changes that come together, and a sign of
 * life every 25 seconds; it keeps no past, because listeners ask anew whenever they connect. Tested in changes.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Clock } from '../../../kernel/base/clock.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { EndlessAnswer } from '../../../kernel/module/route.ts'
import type { FlagChanges } from '../services/flag-changes.ts'
import type { FlagStore } from '../services/flag-store.ts'

/** Streams of one process, and of one tenant in it. */
const mostStreams = { process: 5_000, tenant: 500 } as const
const signOfLifeMs = 25_000
/** A stream ends then and its client connects anew, which spreads clients over instances. */
const longestMs = 3_600_000

export interface ChangesParts {
  readonly clock: Pick<Clock, 'now' | 'after' | 'every'>
  readonly flags: Pick<FlagStore, 'onChange'>
}

export function createFlagChanges({ clock, flags }: ChangesParts): FlagChanges {
  const open = new Map<TenantId, number>()
  let all = 0
  const count = (tenantId: TenantId, by: 1 | -1): void => {
    const left = (open.get(tenantId) ?? 0) + by
    all += by
    if (left === 0) open.delete(tenantId)
    else open.set(tenantId, left)
  }
  return {
    open: (ticket, signal) => {
      if (ticket === null) throw authErrors.invalid()
      const { tenantId, endsAt } = ticket
      if (all >= mostStreams.process || (open.get(tenantId) ?? 0) >= mostStreams.tenant)
        throw apiErrors.tooMany({ what: 'There are too many streams of changes.' })
      const ends: (() => void)[] = []
      const inbox = createInbox(() => {
        count(tenantId, -1)
        for (const end of ends) end()
      })
      count(tenantId, 1)
      ends.push(
        flags.onChange(tenantId, () => inbox.put(notice)),
        stopper(clock.every(signOfLifeMs, () => inbox.put(signOfLife))),
        stopper(clock.after(Math.min(longestMs, endsAt - clock.now()), inbox.close)),
      )
      signal.addEventListener('abort', inbox.close, { once: true })
      return new EndlessAnswer('text/event-stream; charset=utf-8', frames(inbox), inbox.close)
    },
  }
}

const stopper = (timer: { stop(): void }) => (): void => timer.stop()

const notice = 'event: message\ndata: {"type":"refetchEvaluation"}\n\n'
const signOfLife = ':\n\n'
/** Milliseconds after which a client connects again. */
const greeting = 'retry: 3000\n\n'

interface Inbox {
  /** The same text is not put twice before it was taken. */
  put(text: string): void
  close(): void
  /** Changes so far, once there are any; null when it is closed. */
  take(): Promise<string | null>
}

/** @param closed is called once */
function createInbox(closed: () => void): Inbox {
  const waiting = new Set<string>()
  let isClosed = false
  let wake: () => void = () => {}
  return {
    put: (text) => {
      waiting.add(text)
      wake()
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      closed()
      wake()
    },
    take: async () => {
      while (waiting.size === 0 && !isClosed) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (isClosed) return null
      const text = [...waiting].join('')
      waiting.clear()
      return text
    },
  }
}

async function* frames(inbox: Inbox): AsyncGenerator<string> {
  try {
    yield greeting
    for (let text = await inbox.take(); text !== null; text = await inbox.take()) yield text
  } finally {
    inbox.close()
  }
}
