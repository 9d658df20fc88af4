import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { childQuotas } from '../quotas/quotas.ts'
import { defaultSettings, effectiveSettings } from './settings.ts'

describe('settings', () => {
  test('come from the program where no tenant says anything', () => {
    expect(effectiveSettings([{}, {}])).toEqual(defaultSettings)
  })

  test('about second factors tighten and never loosen', () => {
    const policies = ['off', 'admins', 'all'] as const
    const kinds = fc.subarray(['totp', 'passkey'] as const, { minLength: 1 })
    const own = fc.record({ mfa_policy: fc.constantFrom(...policies), mfa_allowed_methods: kinds })
    fc.assert(
      fc.property(fc.array(own, { minLength: 1, maxLength: 4 }), own, (above, child) => {
        const parent = effectiveSettings(above)
        const effective = effectiveSettings([...above, child])
        const rank = policies.indexOf(effective.mfa_policy)
        expect(rank).toBe(Math.max(policies.indexOf(parent.mfa_policy), policies.indexOf(child.mfa_policy)))
        const extra = effective.mfa_allowed_methods.filter((kind) => !parent.mfa_allowed_methods.includes(kind))
        expect(extra.filter((kind) => kind !== 'passkey')).toEqual([])
        expect(effective.mfa_allowed_methods.length).toBeGreaterThan(0)
      }),
    )
  })

  test('of a child tighten and never loosen', () => {
    const days = fc.record({ api_key_max_days: fc.option(fc.integer({ min: 1, max: 365 }), { nil: undefined }) })
    const own = days.map(({ api_key_max_days: max }) => (max === undefined ? {} : { api_key_max_days: max }))
    fc.assert(
      fc.property(fc.array(own, { maxLength: 4 }), own, (above, child) => {
        const parent = effectiveSettings(above).api_key_max_days
        const effective = effectiveSettings([...above, child]).api_key_max_days
        expect(effective).toBe(Math.min(parent, child.api_key_max_days ?? parent))
      }),
    )
  })
})

test('data may go where everybody on the way lets it, and a child never widens that', () => {
  const held = (...path: Parameters<typeof effectiveSettings>[0]) => effectiveSettings(path).data_residency
  expect([held({}, {}), held({ data_residency: ['EU'] }, {}), held({}, { data_residency: ['US'] })]).toEqual([
    ...[null, ['EU'], ['US']],
  ])
  expect(held({ data_residency: ['EU'] }, { data_residency: ['DE', 'US'] })).toEqual(['DE'])
  expect(held({ data_residency: ['DE'] }, { data_residency: ['EEA'] })).toEqual(['DE'])
  expect(held({ data_residency: ['EU'] }, { data_residency: ['US'] })).toEqual([])
})

test('the nearest tenant that names a time zone says', () => {
  const held = (...path: Parameters<typeof effectiveSettings>[0]) => effectiveSettings(path).time_zone
  const [berlin, lima] = [{ time_zone: 'Europe/Berlin' }, { time_zone: 'America/Lima' }]
  expect([held({}), held(berlin, {}), held(berlin, lima), held(lima, {}, berlin, {})]).toEqual([
    ...['UTC', 'Europe/Berlin', 'America/Lima', 'Europe/Berlin'],
  ])
})

test('a key may be without an end only where somebody allows it, and nobody refuses it or bounds days', () => {
  const allowed = (...path: Parameters<typeof effectiveSettings>[0]) => effectiveSettings(path).api_key_without_expiry
  const yes = { api_key_without_expiry: true }
  expect([allowed({}, {}), allowed({}, yes), allowed(yes, {})]).toEqual([false, true, true])
  for (const refused of [{ api_key_without_expiry: false }, { api_key_max_days: 365 }])
    expect([allowed(refused, yes), allowed(yes, refused), allowed(yes, {}, refused)]).toEqual([false, false, false])
  expect(allowed({ ...yes, api_key_max_days: 365 })).toBe(false)
})

describe('quotas of a child', () => {
  test('are at most what its siblings leave', () => {
    expect(childQuotas({ users: 4 }, { users: 10 }, [{ users: 6 }])).toEqual({ users: 4 })
    expect(() => childQuotas({ users: 5 }, { users: 10 }, [{ users: 6 }])).toThrow('allows 4')
  })

  test('that are not named are the whole rest', () => {
    expect(childQuotas({}, { users: 10, api_keys: 3 }, [{ users: 6 }, { api_keys: 5 }])).toEqual({
      users: 4,
      api_keys: 0,
    })
  })

  test('of days are not shared out: every child may keep as long as its parent', () => {
    const [parent, siblings] = [{ retention_days: 90 }, [{ retention_days: 90 }, { retention_days: 60 }]]
    expect(childQuotas({ retention_days: 60 }, parent, siblings)).toEqual({ retention_days: 60 })
    expect(childQuotas({}, parent, siblings)).toEqual({ retention_days: 90 })
    expect(() => childQuotas({ retention_days: 91 }, parent, siblings)).toThrow('allows 90')
  })

  test('are free below a parent without bounds', () => {
    expect(childQuotas({ users: 4 }, {}, [])).toEqual({ users: 4 })
  })
})
