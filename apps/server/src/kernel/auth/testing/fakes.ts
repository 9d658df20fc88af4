/** Stand-ins at the ports for tests of credentials: a clock set by hand, keys in memory, a feed and transactions that only carry changes. */

import type { TenantId } from '../../access/actor.ts'
import type { Clock } from '../../base/clock.ts'
import { checkSignature, makeKeyPair, privateKeyOf, publicKeyOf, signBytes, thumbprint } from '../../crypto/ed25519.ts'
import type { Tx } from '../../db/port.ts'
import type { SigningKeys } from '../../keys/port.ts'
import type { ChangeSource } from '../../live/changes.ts'

export interface HandClock extends Clock {
  advance(ms: number): void
}

/** Timers run while the clock is advanced, in the order they are due. */
export function handClock(start = 1_700_000_000_000): HandClock {
  let now = start
  const timers = new Set<{ at: number; readonly every: number | null; readonly run: () => void }>()
  const add = (ms: number, every: number | null, run: () => void) => {
    const timer = { at: now + ms, every, run }
    timers.add(timer)
    return { stop: () => void timers.delete(timer) }
  }
  const next = (until: number) => [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
  return {
    now: () => now,
    iso: () => new Date(now).toISOString(),
    monotonic: () => now - start,
    after: (ms, run) => add(ms, null, run),
    every: (ms, run) => add(ms, ms, run),
    advance: (ms) => {
      const until = now + ms
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        now = timer.at
        if (timer.every === null) timers.delete(timer)
        else timer.at += timer.every
        timer.run()
      }
      now = until
    },
  }
}

export type HandFeed = ChangeSource & {
  /** Delivers a change as the live feed does. */
  deliver(topic: string, key: string, data: Readonly<Record<string, unknown>>, tenantId: string): void
  silence: number
}

export function handFeed(): HandFeed {
  const handlers = new Map<string, Set<Parameters<ChangeSource['on']>[1]>>()
  return {
    silence: 0,
    on: (topic, handler) => {
      const set = handlers.get(topic) ?? new Set()
      handlers.set(topic, set.add(handler))
      return () => void set.delete(handler)
    },
    lastContactMs() {
      return this.silence
    },
    deliver: (topic, key, data, tenantId) => {
      for (const handler of handlers.get(topic) ?? []) handler(key, JSON.parse(JSON.stringify(data)), tenantId)
    },
  }
}

/** A transaction that stores nothing; `commit` delivers what it announced. */
export function announcingTx(tenantId: TenantId, feed: HandFeed): Tx & { commit(): void } {
  const announced: (() => void)[] = []
  const unused = () => Promise.reject(new Error('not part of this test'))
  return {
    tenantId,
    origin: {
      actor: null,
      requestId: null,
      ip: null,
      userAgent: null,
      traceparent: null,
      causationDepth: 0,
      signal: null,
    },
    query: unused,
    first: unused,
    execute: () => Promise.resolve(1),
    audit: unused,
    auditAll: unused,
    emit: unused,
    emitAll: unused,
    enqueue: unused,
    cancel: unused,
    lock: unused,
    announce: async (topic, key, data = {}) => {
      announced.push(() => feed.deliver(topic, key, data, tenantId))
    },
    afterCommit: (run) => void announced.push(run),
    commit: () => {
      for (const run of announced) run()
    },
  }
}

/** Real Ed25519 keys that live in this object only; `rotate` makes the present one a verifying one. */
export function memorySigningKeys(): SigningKeys & { rotate(): void; readonly publicX: () => string } {
  const made: ReturnType<typeof newKey>[] = [newKey()]
  const active = () => made.at(-1) ?? newKey()
  return {
    rotate: () => void made.push(newKey()),
    publicX: () => active().x,
    sign: async (_, bytes) => ({ kid: active().kid, signature: signBytes(active().privateKey, bytes) }),
    verify: (purpose, kid, bytes, signature) => {
      const key = made.find((one) => one.kid === kid)
      return purpose === 'token' && key !== undefined && checkSignature(key.publicKey, bytes, signature)
    },
    activeKid: () => active().kid,
    jwks: () => ({
      keys: made.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' })),
    }),
  }
}

function newKey() {
  const pair = makeKeyPair()
  return {
    kid: thumbprint(pair.x),
    x: pair.x,
    privateKey: privateKeyOf(pair.privateKey),
    publicKey: publicKeyOf(pair.x),
  }
}
