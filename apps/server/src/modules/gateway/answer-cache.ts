/**
 * Answers that may be given again. Promises that an answer only serves calls of the same partition (tenant, scope,
 * rules, target) and that equal calls under way wait for one answer; values are kept encrypted and with placeholders,
 * never restored. Does not promise to keep anything. Tested in answer-cache.test.ts and through the chat route.
 */
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { TenantId } from '../../kernel/auth/actor.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AnswerEvent } from './call/call.ts'

const Entry = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  storedAtMs: Type.Integer(),
  events: Type.Array(Type.Unsafe<AnswerEvent>({ type: 'object' })),
})
export type CachedAnswer = Static<typeof Entry>

export type Lookup =
  /** An answer from before, or one a call under way has just got. */
  | { readonly kind: 'hit' | 'joined'; readonly answer: CachedAnswer }
  /** Nobody has it: the caller asks for it and must call `settle`. */
  | { readonly kind: 'miss' }

export interface AnswerCache {
  /** `maxAgeMs` null takes any age. Waits for an equal call under way, unless the signal ends the wait. */
  find(tenantId: TenantId, key: string, maxAgeMs: number | null, signal: AbortSignal): Promise<Lookup>
  /** Makes this call the one others wait for, without looking. */
  claim(tenantId: TenantId, key: string): void
  /** Whether calls wait for the one that asks. */
  isAwaited(tenantId: TenantId, key: string): boolean
  /** Ends a `miss`: keeps the answer, or tells those who wait to ask for themselves. */
  settle(tenantId: TenantId, key: string, kept: { readonly answer: CachedAnswer; readonly ttlMs: number } | null): void
}

/** Bytes an entry may have before encryption. */
const largestEntry = 1_048_576
/** Equal calls under way that are remembered; more simply ask for themselves. */
const mostFlights = 10_000

interface Flight {
  readonly answer: Promise<CachedAnswer | null>
  readonly land: (answer: CachedAnswer | null) => void
  /** Calls that wait for it. */
  waiting: number
}

export function createAnswerCache(kernel: Kernel): AnswerCache {
  const flights = new Map<string, Flight>()
  const flightKey = (tenantId: TenantId, key: string): string => `${tenantId}:${key}`

  const takeOff = (id: string): void => {
    if (flights.has(id) || flights.size >= mostFlights) return
    let land: Flight['land'] = () => {}
    const answer = new Promise<CachedAnswer | null>((resolve) => {
      land = resolve
    })
    flights.set(id, { answer, land, waiting: 0 })
  }

  const isFresh = (answer: CachedAnswer, maxAgeMs: number | null): boolean =>
    maxAgeMs === null || kernel.clock.now() - answer.storedAtMs <= maxAgeMs

  return {
    find: async (tenantId, key, maxAgeMs, signal) => {
      const id = flightKey(tenantId, key)
      const flight = flights.get(id)
      if (flight === undefined) takeOff(id)
      const stored = await read(kernel, tenantId, key).catch((error: unknown) => {
        // Nobody will settle this flight, so nobody may wait for it.
        if (flight === undefined) land(flights, id, null)
        throw error
      })
      if (stored !== null && isFresh(stored, maxAgeMs)) {
        if (flight === undefined) land(flights, id, stored)
        return { kind: 'hit', answer: stored }
      }
      if (flight === undefined) return { kind: 'miss' }
      flight.waiting += 1
      const joined = await orAborted(flight.answer, signal).finally(() => {
        flight.waiting -= 1
      })
      return joined === null ? { kind: 'miss' } : { kind: 'joined', answer: joined }
    },
    isAwaited: (tenantId, key) => (flights.get(flightKey(tenantId, key))?.waiting ?? 0) > 0,
    claim: (tenantId, key) => takeOff(flightKey(tenantId, key)),
    settle: (tenantId, key, kept) => {
      land(flights, flightKey(tenantId, key), kept?.answer ?? null)
      if (kept !== null) kernel.background('keep an answer', write(kernel, tenantId, key, kept))
    },
  }
}

function land(flights: Map<string, Flight>, id: string, answer: CachedAnswer | null): void {
  flights.get(id)?.land(answer)
  flights.delete(id)
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const addressOf = (key: string) => ({ table: 'gateway_cache', column: 'answer', rowId: key })

async function read(kernel: Kernel, tenantId: TenantId, key: string): Promise<CachedAnswer | null> {
  const bytes = await kernel.cache.get(tenantId, key)
  if (bytes === undefined) return null
  const opened = await kernel.tenantKeys.decrypt(tenantId, addressOf(key), bytes)
  const entry: unknown = JSON.parse(new TextDecoder().decode(opened))
  return Value.Check(Entry, entry) ? entry : null
}

async function write(
  kernel: Kernel,
  tenantId: TenantId,
  key: string,
  { answer, ttlMs }: { readonly answer: CachedAnswer; readonly ttlMs: number },
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(answer))
  if (bytes.length > largestEntry) return
  await kernel.cache.set(tenantId, key, await kernel.tenantKeys.encrypt(tenantId, addressOf(key), bytes), ttlMs)
}
