import { expect, test } from 'vitest'
import { parseForm } from './form-body.ts'

const read = (text: string) => parseForm(new TextEncoder().encode(text), { anyText: false })

test('fields are read as browsers write them', () => {
  expect(read('a=1&b=x+y%20z&c=&d&e=%E2%82%AC')).toEqual({ a: '1', b: 'x y z', c: '', d: '', e: '€' })
  expect(read('')).toEqual({})
})

test.each([
  ['a field twice', 'a=1&a=2'],
  ['a field twice in two spellings', 'a=1&%61=2'],
  ['half an escape', 'a=%4'],
  ['bytes that are no UTF-8', 'a=%ff'],
  ['a NUL', 'a=%00'],
  ['a name of the prototype', '__proto__=x'],
  ['too many fields', Array.from({ length: 101 }, (_, at) => `f${at}=1`).join('&')],
])('%s is refused', (_what, text) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'API-001' }))
})
