import { describe, expect, test } from 'vitest'
import type { TenantId } from '../../kernel/auth/actor.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { type CachedAnswer, createAnswerCache } from './answer-cache.ts'

const tenant = 't1' as TenantId
const other = 't2' as TenantId
const open = new AbortController().signal

const answer: CachedAnswer = {
  provider: 'p',
  model: 'm',
  storedAtMs: 1000,
  events: [{ type: 'finish', choice: 0, reason: 'stop' }],
}

/** Memory in the place of the store; a tenant's bytes are marked, so that another tenant cannot open them. */
function setup({ broken = false } = {}) {
  const stored = new Map<string, Uint8Array>()
  const now = { ms: 1000 }
  const writes: Promise<unknown>[] = []
  const kernel = {
    clock: { now: () => now.ms },
    background: (_name: string, work: Promise<unknown>) => writes.push(work),
    cache: {
      get: (owner: string, key: string) => {
        if (broken) throw new Error('the store is away')
        return stored.get(`${owner}:${key}`)
      },
      set: (owner: string, key: string, value: Uint8Array) => void stored.set(`${owner}:${key}`, value),
    },
    tenantKeys: {
      encrypt: async (_owner: string, _address: object, bytes: Uint8Array) => bytes.map((byte) => byte ^ 1),
      decrypt: async (_owner: string, _address: object, bytes: Uint8Array) => bytes.map((byte) => byte ^ 1),
    },
  } as unknown as Kernel
  return { cache: createAnswerCache(kernel), now, stored, written: () => Promise.all(writes) }
}

describe('a kept answer', () => {
  test('serves the next equal call of the same tenant only', async () => {
    const { cache, written } = setup()
    expect(await cache.find(tenant, 'k', null, open)).toEqual({ kind: 'miss' })
    cache.settle(tenant, 'k', { answer, ttlMs: 1000 })
    await written()
    expect(await cache.find(tenant, 'k', null, open)).toEqual({ kind: 'hit', answer })
    expect(await cache.find(other, 'k', null, open)).toEqual({ kind: 'miss' })
  })

  test('is stored so that it cannot be read there', async () => {
    const { cache, stored, written } = setup()
    cache.settle(tenant, 'k', { answer, ttlMs: 1000 })
    await written()
    expect([...stored.values()].map((bytes) => new TextDecoder().decode(bytes)).join()).not.toContain('finish')
  })

  test('that is older than the caller wants is not served', async () => {
    const { cache, now, written } = setup()
    cache.settle(tenant, 'k', { answer, ttlMs: 100_000 })
    await written()
    now.ms = 6001
    expect((await cache.find(tenant, 'k', 5000, open)).kind).toBe('miss')
    cache.settle(tenant, 'k', null)
    expect((await cache.find(tenant, 'k', 5001, open)).kind).toBe('hit')
  })
})

describe('equal calls under way', () => {
  test('wait for the first one and share its answer', async () => {
    const { cache } = setup()
    await cache.find(tenant, 'k', null, open)
    const waiting = [cache.find(tenant, 'k', null, open), cache.find(tenant, 'k', null, open)]
    cache.settle(tenant, 'k', { answer, ttlMs: 1000 })
    expect(await Promise.all(waiting)).toEqual([
      { kind: 'joined', answer },
      { kind: 'joined', answer },
    ])
  })

  test('ask for themselves when the first one gets none', async () => {
    const { cache } = setup()
    await cache.find(tenant, 'k', null, open)
    const waiting = cache.find(tenant, 'k', null, open)
    cache.settle(tenant, 'k', null)
    expect(await waiting).toEqual({ kind: 'miss' })
  })

  test('stop waiting when their caller goes away', async () => {
    const { cache } = setup()
    await cache.find(tenant, 'k', null, open)
    const caller = new AbortController()
    const waiting = cache.find(tenant, 'k', null, caller.signal)
    caller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
  })

  test('do not wait for one whose store failed', async () => {
    const { cache } = setup({ broken: true })
    await expect(cache.find(tenant, 'k', null, open)).rejects.toThrow('away')
    await expect(cache.find(tenant, 'k', null, open)).rejects.toThrow('away')
  })
})
