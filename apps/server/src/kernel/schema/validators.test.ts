import Type from 'typebox'
import { expect, test } from 'vitest'
import { ProblemError, type ProblemPart } from '../errors/problem.ts'
import { nullable, oneOf, strictObject, Uuid } from './types.ts'
import { bodyReader, queryReader } from './validators.ts'

const readBody = bodyReader(
  strictObject({
    name: Type.String({ minLength: 1, maxLength: 5 }),
    kind: Type.Optional(oneOf('a', 'b')),
    owner: Type.Optional(nullable(Uuid)),
  }),
)
const readQuery = queryReader(
  Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      open: Type.Optional(Type.Boolean()),
      q: Type.Optional(Type.String({ maxLength: 3 })),
    },
    { additionalProperties: false },
  ),
)

function partsOf(run: () => unknown): readonly ProblemPart[] {
  try {
    run()
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'API-001') return error.parts
    throw error
  }
  return []
}

test('a good body is handed on unchanged', () => {
  const body = { name: 'x', kind: 'a', owner: null }
  expect(readBody(body)).toBe(body)
})

test.each<[string, unknown, string]>([
  ['unknown field', { name: 'x', is_admin: true }, '/is_admin'],
  ['missing field', {}, '/name'],
  ['number for text', { name: 1 }, '/name'],
  ['list for text', { name: ['x'] }, '/name'],
  ['too long', { name: 'toolong' }, '/name'],
  ['word outside the list', { name: 'x', kind: 'c' }, '/kind'],
])('C20 C30 %s is refused with its pointer', (_what, body, pointer) => {
  expect(partsOf(() => readBody(body)).map((part) => part.pointer)).toContain(pointer)
})

test.each([1, 7, 8, 9, 50])('C20 C30 %i unknown fields are refused, however many there are', (count) => {
  const unknown = Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, n]))
  const pointers = partsOf(() => readBody({ name: 'x', ...unknown })).map((part) => part.pointer)
  expect(pointers).toContain('/field_0')
  expect(new Set(pointers).size).toBe(pointers.length)
})

test('C20 a list with more unknown fields than the checker counts is refused', () => {
  const read = bodyReader(strictObject({ items: Type.Array(strictObject({ a: Type.Optional(Type.String()) })) }))
  const items = Array.from({ length: 12 }, () => ({ b: 1 }))
  expect(partsOf(() => read({ items })).length).toBeGreaterThan(0)
})

test('a pointer escapes slash and tilde', () => {
  expect(partsOf(() => readBody({ name: 'x', 'a/b~c': 1 }))[0]?.pointer).toBe('/a~1b~0c')
})

test('query values are read by their schema', () => {
  expect(readQuery({ limit: '20', open: 'true', q: '7' })).toEqual({ limit: 20, open: true, q: '7' })
})

test.each([
  [{ limit: '0x10' }],
  [{ limit: ' ' }],
  [{ limit: '1e2' }],
  [{ limit: '201' }],
  [{ limit: ['1', '2'] }],
  [{ open: '1' }],
  [{ nope: '1' }],
  [{ q: 'a\0' }],
  [{ q: 'long' }],
])('C20 query %j is refused with a query pointer', (query) => {
  expect(partsOf(() => readQuery(query))[0]?.pointer).toBe(`?${Object.keys(query)[0]}`)
})
