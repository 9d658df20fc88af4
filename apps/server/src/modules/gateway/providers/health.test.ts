import { describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/auth/actor.ts'
import { type FaultKind, UpstreamFault } from './fault.ts'
import { createProviderHealth, type HealthChange } from './health.ts'
import type { Provider } from './provider.ts'

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

function setup() {
  let now = 1_000_000
  let fraction = 0
  const changes: HealthChange[] = []
  const health = createProviderHealth({
    clock: { now: () => now },
    fraction: () => fraction,
    changed: (change) => changes.push(change),
  })
  const fail = (kind: FaultKind, retryAfterMs: number | null = null) =>
    health.failed(tenant, provider, { fault: new UpstreamFault(kind, 'x', { retryAfterMs }), secretId: 'a' })
  return {
    health,
    changes,
    fail,
    wait: (ms: number) => {
      now += ms
    },
    draw: (value: number) => {
      fraction = value
    },
  }
}

describe('the breaker', () => {
  test('opens after five failures in a row, lets one call find out after 30 s, and rests longer the next time', () => {
    const { health, changes, fail, wait } = setup()
    for (let at = 0; at < 4; at += 1) fail('server_error')
    expect(health.restMs(provider)).toBe(0)
    fail('server_error')
    expect(health.restMs(provider)).toBe(30_000)
    wait(30_000)
    expect(health.restMs(provider)).toBe(0)
    expect(health.restMs(provider)).toBeGreaterThan(0)
    fail('server_error')
    expect(health.restMs(provider)).toBe(60_000)
    expect(changes.map(({ state }) => state)).toEqual(['down'])
  })

  test('closes with a success', () => {
    const { health, changes, fail, wait } = setup()
    for (let at = 0; at < 5; at += 1) fail('timeout')
    wait(30_000)
    health.restMs(provider)
    health.succeeded(tenant, provider, 'a')
    expect(health.restMs(provider)).toBe(0)
    expect(changes.map(({ state }) => state)).toEqual(['down', 'healthy'])
  })

  test('opens when half of the last calls failed', () => {
    const { health, fail } = setup()
    for (let at = 0; at < 5; at += 1) {
      health.succeeded(tenant, provider, 'a')
      fail('invalid')
    }
    expect(health.restMs(provider)).toBeGreaterThan(0)
  })

  test('lets another call find out when the one that should never came back', () => {
    const { health, fail, wait } = setup()
    for (let at = 0; at < 5; at += 1) fail('timeout')
    wait(30_000)
    expect(health.restMs(provider)).toBe(0)
    wait(30_000)
    expect(health.restMs(provider)).toBe(0)
  })

  test('does not mind what the caller did wrong', () => {
    const { health, changes, fail } = setup()
    for (let at = 0; at < 20; at += 1) fail('bad_request')
    expect(health.restMs(provider)).toBe(0)
    expect(changes).toEqual([])
  })
})

describe('keys', () => {
  test('are drawn by their weight', () => {
    const { health, draw } = setup()
    const drawn = [0, 0.74, 0.76, 0.999].map((value) => {
      draw(value)
      return health.keys.pick(provider, new Set())?.id
    })
    expect(drawn).toEqual(['a', 'a', 'b', 'b'])
  })

  test('rest after a rate limit as long as the provider wants', () => {
    const { health, fail, wait } = setup()
    fail('rate_limited', 5000)
    expect(health.keys.pick(provider, new Set())?.id).toBe('b')
    expect(health.keys.pick(provider, new Set(['b']))).toBeUndefined()
    expect(health.keys.restMs(provider)).toBe(5000)
    wait(5000)
    expect(health.keys.pick(provider, new Set(['b']))?.id).toBe('a')
  })

  test('a provider without keys needs none', () => {
    expect(setup().health.keys.pick({ ...provider, secrets: [] }, new Set())).toBeNull()
  })
})
