import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProblemError } from '../../errors/problem.ts'
import { parseBody } from './json-body.ts'

const read = (text: string, anyText = false): unknown => parseBody(Buffer.from(text), { anyText })

function refusal(text: string | Uint8Array, anyText = false): ProblemError {
  try {
    parseBody(typeof text === 'string' ? Buffer.from(text) : text, { anyText })
  } catch (error) {
    if (error instanceof ProblemError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('whatever JSON.stringify writes is read back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!/__proto__|constructor|prototype/.test(text))
      expect(read(text, true)).toEqual(JSON.parse(text))
    }),
  )
})

test.each([
  ['{"a":1,"a":2}', '/a'],
  ['{"a":{"b":1,"\\u0062":2}}', '/a/b'],
  ['{"list":[{"x":1},{"y":1,"y":2}]}', '/list/1/y'],
])('C20 a member that appears twice is named: %s', (text, pointer) => {
  const problem = refusal(text)
  expect(problem.code).toBe('API-001')
  expect(problem.parts[0]?.pointer).toBe(pointer)
})

test.each(['{"__proto__":{"admin":true}}', '{"a":{"constructor":1}}', '{"\\u005f_proto__":1}'])(
  'C20 C32 prototype keys are refused: %s',
  (text) => {
    expect(refusal(text).code).toBe('API-001')
  },
)

test.each(['', '{', '{"a":}', '[1,]', '"a', 'NaN', "{'a':1}", '{"a":1}x'])(
  'what is not JSON is API-002: %s',
  (text) => {
    expect(refusal(text).code).toBe('API-002')
  },
)

test('bytes that are not UTF-8 are API-002', () => {
  expect(refusal(Uint8Array.of(0x22, 0xc3, 0x28, 0x22)).code).toBe('API-002')
})

test('C22 nesting is bounded at 64 levels', () => {
  expect(read(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeDefined()
  expect(refusal(`${'['.repeat(65)}${']'.repeat(65)}`).code).toBe('API-001')
})

test('brackets and commas inside strings are only text', () => {
  expect(read(JSON.stringify({ a: '[[[{{{,,,"\\' }))).toEqual({ a: '[[[{{{,,,"\\' })
})

test('NUL and half surrogate pairs are refused unless the route stores bytes', () => {
  expect(refusal('{"a":"x\\u0000"}').parts[0]?.pointer).toBe('/a')
  expect(refusal('{"a":["ok","\\ud800"]}').parts[0]?.pointer).toBe('/a/1')
  expect(read('{"a":"x\\u0000\\ud800"}', true)).toEqual({ a: 'x\0\ud800' })
})

test('C22 more than 100,000 values are refused', () => {
  expect(refusal(`[${'1,'.repeat(100_001)}1]`).code).toBe('API-001')
})
