import { expect, test } from 'vitest'
import { faultsOfModel } from '../engine/check-model.ts'
import { platformMap, providerKey } from './platform-map.ts'

const provider = (name: string, more: object = {}) => ({ name, status: 'enabled', offline: false, ...more })
const map = (config: object, providers: readonly ReturnType<typeof provider>[]) =>
  platformMap({ config: { valkeyUrl: null, natsUrl: null, ...config } as never }, { providers })

test('the map has what is configured, and one of the providers keeps the gateway up', () => {
  const services = map({ valkeyUrl: 'redis://x' }, [
    provider('OpenAI (EU)'),
    provider('Claude'),
    provider('off', { status: 'disabled' }),
    provider('echo', { offline: true }),
  ])
  expect(services.map(({ key }) => key)).toEqual([
    ...['database', 'cache', 'provider-openai-eu', 'provider-claude', 'gateway'],
  ])
  expect(services.at(-1)?.dependencies).toEqual([
    { target: 'database', type: 'hard' },
    { target: 'cache', type: 'soft' },
    { target: 'provider-openai-eu', type: 'k_of_n', group: 'providers', k: 1 },
    { target: 'provider-claude', type: 'k_of_n', group: 'providers', k: 1 },
  ])
  expect(faultsOfModel({ services: [...services], common_causes: [] })).toEqual([])
})

test('keys are short and consist of letters, digits and hyphens', () => {
  expect(providerKey('  Ünicode & more  ')).toBe('provider-nicode-more')
  expect(providerKey('x'.repeat(300))).toHaveLength(63)
})
