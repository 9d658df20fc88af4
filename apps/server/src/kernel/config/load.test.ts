import { expect, test } from 'vitest'
import { explainConfig, loadConfig } from './load.ts'

test('an empty environment gives a server on the loopback address with the embedded database', () => {
  const config = loadConfig({})
  expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, databaseUrl: null, publicUrl: 'http://127.0.0.1:8080' })
})

test('C84 every wrong setting is named at once', () => {
  const wrong = { PARAPET_PORT: '99999999', PARAPET_DATABASE_URL: 'mysql://x', PARAPET_PROT: '1' }
  expect(() => loadConfig(wrong)).toThrow(/PARAPET_PROT[\s\S]*PARAPET_PORT[\s\S]*PARAPET_DATABASE_URL/)
})

test('a range of addresses that is none is told with its setting', () => {
  const wrong = { PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8, localhost' }
  expect(() => loadConfig(wrong)).toThrow(/PARAPET_GATEWAY_PRIVATE_UPSTREAMS: "localhost" is not an address range/)
})

test('C62 the explanation masks secrets', () => {
  const lines = explainConfig({ PARAPET_DATABASE_URL: 'postgres://u:hunter2@db/x' }).join('\n')
  expect(lines).toContain('PARAPET_DATABASE_URL=********  (environment)')
  expect(lines).not.toContain('hunter2')
})
