import Type from 'typebox'
import { expect, test } from 'vitest'
import { lazySerializer } from './serializers.ts'
import { nullable, oneOf, strictObject } from './types.ts'

test('C16 an undeclared field does not leave', () => {
  const serialize = lazySerializer(strictObject({ name: Type.String() }))
  expect(serialize({ name: 'x', password_hash: 'secret' })).toBe('{"name":"x"}')
})

test('null, words, numbers, lists and free objects keep their form', () => {
  const serialize = lazySerializer(
    strictObject({
      a: nullable(Type.String({ maxLength: 3 })),
      b: nullable(strictObject({ c: Type.Integer() })),
      d: oneOf('x', 'y'),
      e: Type.Array(nullable(Type.Number())),
      f: Type.Unknown(),
      g: Type.Optional(Type.Boolean()),
      h: Type.Union([Type.String(), Type.Array(Type.String())]),
    }),
  )
  const value = { a: null, b: null, d: 'x', e: [1.5, null], f: { any: [1, 'z', null] }, h: ['p'] }
  expect(JSON.parse(serialize(value))).toEqual(value)
  expect(JSON.parse(serialize({ ...value, a: 'q"\n', b: { c: 2 }, g: false, h: 'text' }))).toEqual({
    ...value,
    a: 'q"\n',
    b: { c: 2 },
    g: false,
    h: 'text',
  })
})

test('a field may be called like a keyword', () => {
  const serialize = lazySerializer(
    strictObject({ description: nullable(Type.String()), format: Type.String(), pattern: Type.String() }),
  )
  expect(serialize({ description: null, format: 'f', pattern: 'p' })).toBe(
    '{"description":null,"format":"f","pattern":"p"}',
  )
})
