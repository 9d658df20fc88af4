import Type from 'typebox'
import { expect, test } from 'vitest'
import type { TenantId } from '../access/actor.ts'
import { loadConfig } from '../config/load.ts'
import { defineSetting, type SettingDefinition } from './define.ts'
import { rateLimits } from './kernel-settings.ts'
import { createSettings, type SettingValues, settingValuesPort } from './settings.ts'

const own = 'a' as TenantId
const other = 'b' as TenantId
const both = defineSetting({ key: 'x.both', schema: Type.Integer(), default: 1, scope: 'both', description: '' })
const platform = defineSetting({ key: 'x.one', schema: Type.Integer(), default: 1, scope: 'platform', description: '' })

const values: SettingValues = {
  platform: () => 2,
  tenant: (tenantId) => (tenantId === own ? 3 : undefined),
  loaded: Promise.resolve(),
  isLoaded: () => true,
}

const unset: SettingValues = { ...values, platform: () => undefined, tenant: () => undefined }

const settingsOf = (
  declared: readonly SettingDefinition[],
  stored: SettingValues,
  environment: Readonly<Record<string, string>> = {},
) => createSettings({ config: loadConfig(environment), stored: () => stored }, declared)

test('the tenant’s value comes before the platform’s, which comes before the default', () => {
  expect(settingsOf([both, platform], unset).get(both, own)).toBe(1)
  const settings = settingsOf([both, platform], values)
  expect([settings.get(both, own), settings.get(both, other), settings.get(both, null)]).toEqual([3, 2, 2])
  expect(settings.get(platform, own)).toBe(2)
})

test('what the environment names wins over all, and an empty name fixes nothing', () => {
  const fixed = settingsOf([rateLimits.api], values, { PARAPET_RATE_LIMIT_API: '77' })
  expect([fixed.get(rateLimits.api, own), fixed.fixedBy(rateLimits.api)]).toEqual([77, 'PARAPET_RATE_LIMIT_API'])
  const free = settingsOf([rateLimits.api], values, { PARAPET_RATE_LIMIT_API: '' })
  expect([free.get(rateLimits.api, own), free.fixedBy(rateLimits.api)]).toEqual([3, null])
})

test('two declarations of one key, and a key of another form, do not start', () => {
  expect(() => settingsOf([both, both], unset)).toThrow('x.both is declared twice')
  expect(() => defineSetting({ ...both, key: 'No Key' })).toThrow('No Key')
})

test('without anybody who keeps values everything has its default, and nothing is waited for', async () => {
  const nobody = settingValuesPort.default?.value as SettingValues
  const settings = settingsOf([both], nobody)
  await settings.ready()
  expect([settings.isReady(), settings.get(both, own)]).toEqual([true, 1])
})

test('work that waits for the stored values goes on with their first reading', async () => {
  let finish = (): void => undefined
  let isLoaded = false
  const loaded = new Promise<void>((resolve) => {
    finish = () => {
      isLoaded = true
      resolve()
    }
  })
  const settings = settingsOf([both], { ...values, loaded, isLoaded: () => isLoaded })
  let isReady = false
  const waiting = settings.ready().then(() => (isReady = true))
  await Promise.resolve()
  expect([isReady, settings.isReady()]).toEqual([false, false])
  finish()
  await waiting
  expect([isReady, settings.isReady()]).toEqual([true, true])
})
