import { describe, expect, test } from 'vitest'
import type { CacheSettings } from '../../schemas/cache.ts'
import { cacheRules, defaultSettings } from './rules.ts'

const policy = {
  mode: 'semantic',
  scope: 'role',
  ttl_seconds: 600,
  semantic_threshold: 0.92,
  max_temperature: 1,
} as const
const semantic = { enabled: true, threshold: 0.94, embedding_model: 'echo-embed-1' }
const open: CacheSettings = { ...defaultSettings, semantic }
const plain = { policy, settings: open, route: null, asked: null }

describe('the rules of the cache', () => {
  test('are those of the policy within what the tenant allows', () => {
    expect(cacheRules(plain)).toEqual({
      mode: 'semantic',
      scope: 'role',
      ttlMs: 600_000,
      maxTemperature: 1,
      threshold: 0.94,
      embeddingModel: 'echo-embed-1',
      maxAgeMs: 600_000,
    })
  })

  test('without settings leave the policy alone, but for the semantic cache', () => {
    expect(cacheRules({ ...plain, settings: defaultSettings })).toMatchObject({
      mode: 'exact',
      scope: 'role',
      ttlMs: 600_000,
    })
  })

  test.each([
    ['mode', { settings: { ...open, mode: 'off' as const } }, { mode: 'off' }],
    ['scope', { settings: { ...open, scope: 'key' as const } }, { scope: 'key' }],
    ['time', { settings: { ...open, ttl_seconds: 5 } }, { ttlMs: 5000, maxAgeMs: 5000 }],
    ['threshold', { settings: { ...open, semantic: { ...semantic, threshold: 0.99 } } }, { threshold: 0.99 }],
    ['mode', { route: { mode: 'exact' as const } }, { mode: 'exact' }],
    ['scope', { route: { scope: 'user' as const } }, { scope: 'user' }],
    ['time', { route: { ttl_seconds: 7 } }, { ttlMs: 7000 }],
    ['temperature', { route: { max_temperature: 0 } }, { maxTemperature: 0 }],
    ['threshold', { route: { semantic_threshold: 1 } }, { threshold: 1 }],
    ['mode', { asked: { mode: 'off' as const, maxAgeS: null } }, { mode: 'off' }],
    ['mode', { asked: { mode: 'exact' as const, maxAgeS: null } }, { mode: 'exact' }],
    ['age', { asked: { mode: null, maxAgeS: 3 } }, { mode: 'semantic', ttlMs: 600_000, maxAgeMs: 3000 }],
  ])('take a stricter %s from %j', (_what, over, wanted) => {
    expect(cacheRules({ ...plain, ...over })).toMatchObject(wanted)
  })

  test('take nothing looser from a route or a caller', () => {
    const strict = { ...policy, mode: 'exact', scope: 'key' } as const
    const route = {
      mode: 'semantic',
      scope: 'tenant',
      ttl_seconds: 9999,
      semantic_threshold: 0.9,
      max_temperature: 2,
    } as const
    const asked = { mode: null, maxAgeS: 9999 }
    expect(cacheRules({ ...plain, policy: strict, route, asked })).toEqual(cacheRules({ ...plain, policy: strict }))
  })

  test('never loosen an off', () => {
    const off = { ...policy, mode: 'off' } as const
    expect(
      cacheRules({ ...plain, policy: off, route: { mode: 'exact' }, asked: { mode: 'exact', maxAgeS: 1 } }).mode,
    ).toBe('off')
  })
})
