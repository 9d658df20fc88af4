import { describe, expect, test } from 'vitest'
import { loadConfig } from './load.ts'
import { configRisks, refuseRisks } from './risks.ts'

const found = (environment: Record<string, string>) => configRisks(loadConfig(environment)).map(({ risk }) => risk)

describe('C84 a server that others reach', () => {
  test.each<[Record<string, string>, readonly string[]]>([
    [{ PARAPET_HOST: '0.0.0.0' }, ['http']],
    [{ PARAPET_HOST: '0.0.0.0', PARAPET_PUBLIC_URL: 'http://parapet.example' }, ['http']],
    [{ PARAPET_PUBLIC_URL: 'http://parapet.example' }, ['http']],
    [{ PARAPET_PUBLIC_URL: 'http://127.0.0.1.evil.example' }, ['http']],
    [{ PARAPET_PUBLIC_URL: 'https://parapet.example' }, ['proxy']],
    [{ PARAPET_PUBLIC_URL: 'https://parapet.example', PARAPET_TRUSTED_PROXIES: '127.0.0.1' }, []],
    [{ PARAPET_HOST: '::', PARAPET_PUBLIC_URL: 'https://p.example', PARAPET_TRUSTED_PROXIES: '10.0.0.0/8' }, []],
    [{ PARAPET_HOST: '::', PARAPET_LOG_LEVEL: 'trace' }, ['http', 'debug']],
    [{ PARAPET_HOST: '::', PARAPET_LOG_LEVEL: 'debug' }, ['http', 'debug']],
    [{ PARAPET_HOST: '::', PARAPET_LOG_LEVEL: 'info', PARAPET_METRICS_TOKEN: 'short' }, ['http', 'secrets']],
  ])('with %j is found to risk %j', (environment, risks) => {
    expect(found(environment)).toEqual(risks)
  })

  test('is refused with all that is wrong and the word for each, and started once they are accepted', () => {
    const config = loadConfig({ PARAPET_HOST: '0.0.0.0' })
    const risks = [...configRisks(config), { risk: 'clock', what: 'The clock is wrong.' } as const]
    expect(() => refuseRisks(config, risks)).toThrow(
      /PARAPET_PUBLIC_URL[\s\S]*PARAPET_ACCEPTED_RISKS=http[\s\S]*PARAPET_ACCEPTED_RISKS=clock/,
    )
    const one = loadConfig({ PARAPET_HOST: '0.0.0.0', PARAPET_ACCEPTED_RISKS: 'http' })
    expect(() => refuseRisks(one, risks)).toThrow(/clock/)
    const both = loadConfig({ PARAPET_HOST: '0.0.0.0', PARAPET_ACCEPTED_RISKS: 'http, clock' })
    expect(() => refuseRisks(both, risks)).not.toThrow()
    expect(() => loadConfig({ PARAPET_ACCEPTED_RISKS: 'everything' })).toThrow(/must be words of http/)
  })
})

test.each([
  {},
  { PARAPET_HOST: 'localhost' },
  { PARAPET_HOST: '::1', PARAPET_PUBLIC_URL: 'http://[::1]:8080' },
  { PARAPET_LOG_LEVEL: 'trace', PARAPET_METRICS_TOKEN: 'x' },
])('a server of one machine alone, with %j, is started', (environment) => {
  expect(found(environment)).toEqual([])
})
