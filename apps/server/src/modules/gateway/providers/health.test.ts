import { describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { type FaultKind, UpstreamFault } from './fault.ts'
import { createProviderHealth, type HealthChange, type OpenedBreaker } from './health.ts'
import type { Provider, Target } from './provider.ts'

const tenant = 't' as TenantId
const key = (id: string, weight = 1) => ({ id, value: 'v', weight, expiresAt: null })

const provider: Provider = {
  id: 'p',
  name: 'p',
  kind: 'openai',
  baseUrl: null,
  models: [],
  knownModels: [],
  timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
  secrets: [key('a', 3), key('b')],
  enabled: true,
}

const target: Target = { provider, model: 'm' }
const [keyA, keyB] = provider.secrets
const nothing: ReadonlySet<string> = new Set()

function setup(asked: Target = target) {
  let now = 1_000_000
  let fraction = 0
  const changes: HealthChange[] = []
  const news: OpenedBreaker[] = []
  const health = createProviderHealth({
    clock: { now: () => now },
    fraction: () => fraction,
    changed: (change) => changes.push(change),
    opened: (opened) => news.push(opened),
  })
  const fail = (kind: FaultKind, { retryAfterMs = null, secret = keyA, of = asked }: Failing = {}) =>
    health.failed(tenant, of, { fault: new UpstreamFault(kind, 'x', { retryAfterMs }), secret: secret ?? null })
  const keyNow = (spent = nothing): string | null => {
    const taken = health.take(asked, spent)
    return taken.kind === 'taken' ? (taken.secret?.id ?? 'none') : taken.kind
  }
  return {
    health,
    changes,
    news,
    fail,
    key: keyNow,
    times: (count: number, work: () => void) => Array.from({ length: count }, work),
    wait: (ms: number) => {
      now += ms
    },
    draw: (value: number) => {
      fraction = value
    },
  }
}

interface Failing {
  readonly retryAfterMs?: number | null
  readonly secret?: Provider['secrets'][number] | undefined
  readonly of?: Target
}

describe('health', () => {
  test('is kept for each key and model by itself', () => {
    const { health, fail, times, key } = setup()
    times(5, () => fail('server_error'))
    expect(key()).toBe('b')
    expect(health.restMs(target)).toBe(0)
    expect(health.restMs({ provider, model: 'other' })).toBe(0)
    times(5, () => fail('server_error', { secret: keyB }))
    expect([health.restMs(target), key()]).toEqual([30_000, 'open'])
    expect(health.view('p').map(({ keyId, state }) => [keyId, state])).toEqual([
      ['a', 'open'],
      ['b', 'open'],
    ])
  })

  test('is degraded with one breaker open, down with all, and healthy again when all are closed', () => {
    const { health, changes, fail, times, wait } = setup()
    health.succeeded(tenant, target, keyA ?? null)
    health.succeeded(tenant, target, keyB ?? null)
    times(5, () => fail('timeout'))
    times(5, () => fail('timeout', { secret: keyB }))
    wait(30_000)
    health.succeeded(tenant, target, keyA ?? null)
    health.succeeded(tenant, target, keyB ?? null)
    expect(changes.map(({ state }) => state)).toEqual(['healthy', 'degraded', 'down', 'degraded', 'healthy'])
  })

  test('a first failure makes nobody healthy', () => {
    const { changes, fail, times } = setup()
    times(4, () => fail('connect'))
    expect(changes).toEqual([])
    fail('connect')
    expect(changes.map(({ state }) => state)).toEqual(['down'])
  })

  test('does not mind what the caller did wrong', () => {
    const { health, changes, fail, times } = setup()
    times(20, () => fail('bad_request'))
    expect(health.restMs(target)).toBe(0)
    expect(changes).toEqual([])
  })

  test('is told to the others when a breaker opens, and believed when they tell it', () => {
    const one = setup()
    const other = setup()
    one.times(5, () => one.fail('server_error'))
    expect(one.news).toMatchObject([{ providerId: 'p', keyId: 'a', model: 'm', openUntil: 1_030_000, rests: 1 }])
    for (const news of one.news) other.health.adopt(news)
    expect(other.key()).toBe('b')
    expect(other.changes.map(({ state }) => state)).toEqual(['down'])
  })
})

describe('keys', () => {
  test('are drawn by their weight', () => {
    const { key, draw } = setup()
    const drawn = [0, 0.74, 0.76, 0.999].map((value) => {
      draw(value)
      return key()
    })
    expect(drawn).toEqual(['a', 'a', 'b', 'b'])
  })

  test('rest after a rate limit as long as the provider wants, else ten seconds doubling to five minutes', () => {
    const { health, fail, wait, key } = setup()
    fail('rate_limited', { retryAfterMs: 5000 })
    expect(key()).toBe('b')
    expect(health.take(target, new Set(['b']))).toEqual({ kind: 'limited', restMs: 5000 })
    wait(5000)
    expect(key(new Set(['b']))).toBe('a')
    for (const rest of [20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
      fail('rate_limited')
      expect(health.take(target, new Set(['b']))).toEqual({ kind: 'limited', restMs: rest })
      wait(rest)
    }
  })

  test('rest for as long as the provider wants where that is hours', () => {
    const { health, fail, wait } = setup()
    fail('rate_limited', { retryAfterMs: 7_200_000 })
    wait(7_199_999)
    expect(health.take(target, new Set(['b']))).toEqual({ kind: 'limited', restMs: 1 })
  })

  test('that were refused are used only when no other is left, and as before once they work', () => {
    const { health, fail, key, changes } = setup()
    fail('credential')
    expect(key()).toBe('b')
    expect(key(new Set(['b']))).toBe('a')
    expect(changes.map(({ state, reason }) => [state, reason])).toEqual([['degraded', 'credential refused']])
    health.succeeded(tenant, target, keyA ?? null)
    expect(key()).toBe('a')
  })

  test('of the version before stand in for the new one while it is refused', () => {
    const rotated = {
      ...provider,
      secrets: [
        { ...key('a'), version: 2 },
        { ...key('a@1'), standby: true },
      ],
    }
    const { fail, key: taken } = setup({ provider: rotated, model: 'm' })
    expect(taken()).toBe('a')
    fail('credential', { secret: rotated.secrets[0] })
    expect(taken()).toBe('a@1')
  })

  test('are not needed by a provider without any', () => {
    const { key } = setup({ provider: { ...provider, secrets: [] }, model: 'm' })
    expect(key()).toBe('none')
  })
})
