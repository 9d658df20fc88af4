import { expect, test } from 'vitest'
import { createLiveSecrets, piecesOf } from './live-secrets.ts'
import { createLogger } from './log.ts'

const key = 'Qv7 unshaped"key\\19'
const known = (...secrets: readonly { owner?: string | null; name?: string; value: string }[]) => {
  const list = createLiveSecrets()
  for (const { owner = 't1', name = 'main', value } of secrets) list.add({ owner, name, value })
  return list
}

test('C62 a secret without any form leaves no line, however deep it stands, and the line says whose it was', () => {
  const lines: string[] = []
  const secrets = known({ value: key, name: 'main of tenant t1' })
  const log = createLogger({ level: 'info', now: () => 0, secrets, destination: { write: (line) => lines.push(line) } })
  log.warn({ err: new Error(`refused ${key}`), headers: { 'x-said': [`<${key}>`] } }, `it said ${key}${key}`)
  expect(lines.join('')).not.toContain('unshaped')
  const line = JSON.parse(lines[0] ?? '')
  expect(line.message).toBe('it said [secret main of tenant t1][secret main of tenant t1]')
  expect(line.headers['x-said']).toEqual(['<[secret main of tenant t1]>'])
  expect(line.error?.message ?? line.err.message).toBe('refused [secret main of tenant t1]')
})

test('a line stays JSON when what looks like a secret begins within an escape', () => {
  const list = known({ value: 'nope77nope' }, { value: 'u0001abcd99' }, { value: '001abcd99x' })
  for (const text of ['a\nope77nope', 'a\u0001abcd99x', 'a\\u0001abcd99', 'a\\\nope77nope', 'a\\nope77nope']) {
    const line = list.hideInLine(JSON.stringify({ text }))
    expect(() => JSON.parse(line)).not.toThrow()
    expect(JSON.parse(line).text).toBe(
      text === 'a\\u0001abcd99' ? 'a\\[secret main]' : text === 'a\\nope77nope' ? 'a\\[secret main]' : text,
    )
  }
})

test('of two secrets at one place the longer one is taken, and both parts of a key are', () => {
  const list = known({ value: 'abcdef77', name: 'short' }, { value: 'abcdef77and88', name: 'long' })
  expect(list.hideInLine('"abcdef77and88 abcdef77"')).toBe('"[secret long] [secret short]"')
  const pair = known({ value: 'AKIDEXAMPLE12345:wJalrXUtn7FEMI' })
  expect(pair.hideInLine('"AKIDEXAMPLE12345 wJalrXUtn7FEMI"')).toBe('"[secret main] [secret main]"')
})

test('of a file of members only the secret ones are', () => {
  const file = JSON.stringify({
    type: 'service_account_77',
    private_key: 'line77\nline88',
    token_uri: 'https://x77x.test',
  })
  expect(piecesOf(file)).toEqual(['line77\nline88'])
  expect(
    known({ value: file }).hideInJson(JSON.stringify({ said: 'line77\nline88 of service_account_77' }), 't1'),
  ).toBe('{"said":"[secret] of service_account_77"}')
})

test('words that somebody calls a key, and what is too short for one, stay where they are', () => {
  for (const value of ['lm-studio', 'authentication failed', 'tenant_id', 'AUTH-014', '2026-11-26', 'a77b88c', ''])
    expect(known({ value }).hideInLine(`{"message":"${value}"}`)).toBe(`{"message":"${value}"}`)
})

test('the texts of a tenant are compared with its own secrets alone', () => {
  const list = known({ owner: 't1', value: 'abcdef77' }, { owner: null, value: 'operators99' })
  const json = '{"said":"abcdef77 operators99"}'
  expect(list.hideInJson(json, 't1')).toBe('{"said":"[secret] operators99"}')
  expect(list.hideInJson(json, 't2')).toBe(json)
})

test('the secrets opened last are kept, and the list does not grow for ever', () => {
  const list = known({ value: 'first77secret' }, { value: 'second77secret' })
  for (let i = 0; i < 49_999; i += 1) {
    if (i === 40_000) list.add({ owner: 't1', name: 'main', value: 'first77secret' })
    list.add({ owner: 't1', name: 'other', value: `k${i}-of-many-9x9x9` })
  }
  const line = '"first77secret second77secret k49998-of-many-9x9x9"'
  expect(list.hideInLine(line)).toBe('"[secret main] second77secret [secret other]"')
  expect(list.hideInJson(line, 't1')).toBe('"[secret] second77secret [secret]"')
})
