import { expect, test } from 'vitest'
import { readJson } from './json-texts.ts'

test('says whether another reader may take it for something else', () => {
  expect(readJson('{"a":"{[:","b":[1,{"c":"\\"}"}]}')).toEqual({
    value: { a: '{[:', b: [1, { c: '"}' }] },
    isAll: true,
  })
  expect(readJson('{"a":"x","a":"y"}')).toEqual({ value: { a: 'y' }, isAll: false })
})

test('takes for text what is broken, too deep, or holds a number that no value can be', () => {
  for (const text of ['{"a', '{"a\\', '{"a": "\\"}', '['.repeat(65) + ']'.repeat(65), '[12345678901234567890]'])
    expect([text, readJson(text)]).toEqual([text, null])
})

test('C24 looks through a broken text once, however many marks it has', () => {
  // With quadratic time this would take days.
  expect(readJson(`{"a": "${'\\"'.repeat(2_000_000)}`)).toBeNull()
})

test('C24 reads texts of any length', () => {
  const value = { a: 'a"\n'.repeat(4_000_000) }
  expect(readJson(JSON.stringify(value))?.isAll).toBe(true)
})
