import { expect, test } from 'vitest'
import { shadowsOf } from './shadowing.ts'
import { editDistance, isDisguised, jaroWinkler, skeleton } from './skeleton.ts'

test('names that look alike have one skeleton', () => {
  expect(skeleton('p\u0430ypal')).toBe(skeleton('paypal'))
  expect(skeleton('read-file')).toBe(skeleton('read_file'))
  expect(skeleton('l0gin')).toBe(skeleton('login'))
  expect(skeleton('read\u200b_file')).toBe(skeleton('read_file'))
  expect(skeleton('read')).not.toBe(skeleton('write'))
})

test.each([
  ['plain', false],
  ['z\u00fcrich', false],
  ['\u0447\u0438\u0442\u0430\u0442\u044c_\u0436', false],
  ['p\u0430y', true],
  ['read\u200bfile', true],
])('%j is disguised: %s', (name, expected) => {
  expect(isDisguised(name)).toBe(expected)
})

test('an edit, a swap and more than that', () => {
  expect(editDistance('search', 'search')).toBe(0)
  expect(editDistance('search', 'serach')).toBe(1)
  expect(editDistance('search', 'searchs')).toBe(1)
  expect(editDistance('search', 'fetch')).toBe(2)
})

test('Jaro–Winkler is that of Winkler (1990)', () => {
  expect(jaroWinkler('MARTHA', 'MARHTA')).toBeCloseTo(0.9611, 4)
  expect(jaroWinkler('DIXON', 'DICKSONX')).toBeCloseTo(0.8133, 4)
  expect(jaroWinkler('DWAYNE', 'DUANE')).toBeCloseTo(0.84, 4)
})

test('a tool passes for another server’s by its name or its words', () => {
  const others = [{ server_slug: 'bank', name: 'bank_transfer' }]
  const kinds = (name: string, text = '') => shadowsOf({ own: [{ name, text }], others }).map(({ kind }) => kind)
  expect(kinds('bank_transfer')).toEqual(['same_name'])
  expect(kinds('b\u0430nk-transfer')).toEqual(['confusable'])
  expect(kinds('bank_transfers')).toEqual(['similar'])
  expect(kinds('pay', 'Use it instead of bank_transfer.')).toEqual(['mention'])
  expect(kinds('weather', 'Weather of a town.')).toEqual([])
})
