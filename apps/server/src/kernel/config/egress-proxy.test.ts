import { describe, expect, test } from 'vitest'
import { operatorEgress } from '../egress/operator-egress.ts'
import { proxyInWords } from '../egress/proxy-health.ts'
import { explainConfig, loadConfig } from './load.ts'

const clock = { monotonic: () => 0 }
const open = (environment: Readonly<Record<string, string>>) => operatorEgress(loadConfig(environment), clock)

test.each(['http://proxy.example:3128', 'https://proxy.example', 'http://parapet:p%40ss@[fd00::1]:3128/'])(
  'the proxy may be %s',
  async (url) => {
    const egress = open({ PARAPET_EGRESS_PROXY: url })
    expect(egress.reachProxy).not.toBeNull()
    await egress.close()
  },
)

test.each([
  'proxy.example:3128',
  'socks5://proxy.example',
  'http://proxy.example/path',
  'http://proxy.example/?a=b',
  'http://user:100%@proxy.example',
])('C84 the proxy may not be %s, and what is wrong with it is not printed', (url) => {
  const load = () => loadConfig({ PARAPET_EGRESS_PROXY: url })
  expect(load).toThrow(/PARAPET_EGRESS_PROXY: /)
  expect(load).not.toThrow(url)
})

test('C84 the list of those without it is of names, addresses and ranges', () => {
  const given = (list: string) => loadConfig({ PARAPET_EGRESS_PROXY: 'http://p', PARAPET_EGRESS_NO_PROXY: list })
  expect(given('near.example, 10.0.0.0/8').egressNoProxy).toEqual(['near.example', '10.0.0.0/8'])
  expect(() => given('near.example,http://far.example')).toThrow(
    /PARAPET_EGRESS_NO_PROXY: "http:\/\/far.example" is no/,
  )
})

describe('C84 a start is refused', () => {
  test.each([
    { PARAPET_EGRESS_NO_PROXY: 'near.example' },
    { PARAPET_EGRESS_PROXY_NAMES: 'proxy' },
    { PARAPET_EGRESS_PROXY_CREDENTIAL_FILE: '/run/secrets/proxy' },
  ])('with %j and no proxy', (environment) => {
    expect(() => open(environment)).toThrow(/set PARAPET_EGRESS_PROXY/)
  })

  test('with two credentials', () => {
    const url = 'http://parapet:hunter2@proxy.example'
    const both = { PARAPET_EGRESS_PROXY: url, PARAPET_EGRESS_PROXY_CREDENTIAL_FILE: '/run/secrets/proxy' }
    expect(() => open(both)).toThrow(/leave one/)
    expect(() => open(both)).not.toThrow(/hunter2/)
  })
})

test('C62 neither the explanation nor what is told of the proxy has its credential', () => {
  const environment = { PARAPET_EGRESS_PROXY: 'https://parapet:hunter2@proxy.example:8443' }
  expect(explainConfig(environment).join('\n')).not.toContain('hunter2')
  const words = proxyInWords(loadConfig(environment))
  expect(words).toEqual({ proxy: 'https://proxy.example:8443', names: 'here', direct: '' })
})
