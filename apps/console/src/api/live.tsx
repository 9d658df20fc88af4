/**
 * One subscription to the tenant's events. Data that an event outdates is read again, gathered for a moment; lists are left as
 * they are, and say how many changes wait.
 */
import type { StreamEvent } from '@parapet/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { signedIn } from './client'
import { outdates } from './outdated'
import { useSession } from './session'
import { onSocket } from './socket'

export type LiveState =
  | { readonly at: 'connecting' }
  | { readonly at: 'live' }
  | { readonly at: 'offline'; readonly since: number }

type Listener = (event: StreamEvent) => void

interface Live {
  readonly state: LiveState
  readonly listen: (listener: Listener) => () => void
}

const LiveContext = createContext<Live | null>(null)

export function useLive(): Live {
  const live = use(LiveContext)
  if (live === null) throw new Error('There is no live provider above this.')
  return live
}

/** Milliseconds in which changes are gathered before anything is read again. */
const gatherMs = 700
/** Without a socket the page asks by itself. */
const pollMs = 15_000

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { state: session } = useSession()
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>({ at: 'connecting' })
  const listeners = useMemo(() => new Set<Listener>(), [])
  // Of the last sign-in or proof of identity: the subscription goes over to its client.
  const me = session.at === 'in' ? session.me : null
  const isIn = me !== null

  useEffect(() => {
    if (me === null) return
    const gather = createGatherer(queries)
    const stopWatch = onSocket((open) => setState(open ? { at: 'live' } : offline))
    const subscription = signedIn().events.subscribe(['*'], (event) => {
      gather.add(event.channel)
      for (const listener of listeners) listener(event)
    })
    return () => {
      subscription.close()
      stopWatch()
      gather.stop()
    }
  }, [me, queries, listeners])

  useEffect(() => {
    if (state.at !== 'offline' || !isIn) return
    const timer = setInterval(() => void queries.invalidateQueries(), pollMs)
    return () => clearInterval(timer)
  }, [state, isIn, queries])

  const live = useMemo(
    () => ({
      state,
      listen: (listener: Listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }),
    [state, listeners],
  )
  return <LiveContext value={live}>{children}</LiveContext>
}

const offline = (now: LiveState): LiveState => (now.at === 'offline' ? now : { at: 'offline', since: Date.now() })

function createGatherer(queries: QueryClient) {
  const channels = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = (): void => {
    timer = null
    const told = [...channels]
    channels.clear()
    void queries.invalidateQueries({
      predicate: ({ queryKey: [path, kind] }) =>
        kind !== 'list' && typeof path === 'string' && told.some((channel) => outdates(channel, path)),
    })
  }
  return {
    add: (channel: string): void => {
      channels.add(channel)
      timer ??= setTimeout(flush, gatherMs)
    },
    stop: (): void => {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Events since the list was read that concern it, and how to start anew. */
export function useNews(concerns: (event: StreamEvent) => boolean): { readonly count: number; reset(): void } {
  const { listen } = useLive()
  const [count, setCount] = useState(0)
  useEffect(() => listen((event) => concerns(event) && setCount((now) => now + 1)), [listen, concerns])
  return { count, reset: () => setCount(0) }
}
