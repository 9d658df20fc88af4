import Type from 'typebox'
import { expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { loadConfig } from '../config/load.ts'
import { defineSetting } from './define.ts'
import { rateLimits } from './kernel-settings.ts'
import { createSettings } from './settings.ts'

const own = 'a' as TenantId
const other = 'b' as TenantId
const both = defineSetting({ key: 'x.both', schema: Type.Integer(), default: 1, scope: 'both', description: '' })
const platform = defineSetting({ key: 'x.one', schema: Type.Integer(), default: 1, scope: 'platform', description: '' })

const values = {
  platform: () => 2,
  tenant: (tenantId: TenantId) => (tenantId === own ? 3 : undefined),
}

test('the tenant’s value comes before the platform’s, which comes before the default', () => {
  const settings = createSettings(loadConfig({}), [both, platform])
  expect(settings.get(both, own)).toBe(1)
  settings.fill(values, Promise.resolve())
  expect([settings.get(both, own), settings.get(both, other), settings.get(both, null)]).toEqual([3, 2, 2])
  expect(settings.get(platform, own)).toBe(2)
})

test('what the environment names wins over all, and an empty name fixes nothing', () => {
  const fixed = createSettings(loadConfig({ PARAPET_RATE_LIMIT_API: '77' }), [rateLimits.api])
  fixed.fill(values, Promise.resolve())
  expect([fixed.get(rateLimits.api, own), fixed.fixedBy(rateLimits.api)]).toEqual([77, 'PARAPET_RATE_LIMIT_API'])
  const free = createSettings(loadConfig({ PARAPET_RATE_LIMIT_API: '' }), [rateLimits.api])
  free.fill(values, Promise.resolve())
  expect([free.get(rateLimits.api, own), free.fixedBy(rateLimits.api)]).toEqual([3, null])
})

test('two declarations of one key, and a key of another form, do not start', () => {
  expect(() => createSettings(loadConfig({}), [both, both])).toThrow('x.both is declared twice')
  expect(() => defineSetting({ ...both, key: 'No Key' })).toThrow('No Key')
})

test('work that waits for the stored values goes on with their first reading', async () => {
  const settings = createSettings(loadConfig({}), [both])
  let loaded = (): void => undefined
  settings.fill(values, new Promise((resolve) => (loaded = resolve)))
  let isReady = false
  const waiting = settings.ready().then(() => (isReady = true))
  await Promise.resolve()
  expect([isReady, settings.isReady()]).toEqual([false, false])
  loaded()
  await waiting
  expect([isReady, settings.isReady()]).toEqual([true, true])
})
