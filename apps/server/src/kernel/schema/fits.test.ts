import Type from 'typebox'
import { expect, test } from 'vitest'
import { fits } from './fits.ts'
import { nullable, strictObject } from './types.ts'

const schema = strictObject({ name: Type.String({ minLength: 1 }), age: Type.Optional(nullable(Type.Integer())) })

test.each([
  [{ name: 'a' }, true],
  [{ name: 'a', age: null }, true],
  [{ name: 'a', age: 3 }, true],
  [{ name: '' }, false],
  [{ name: 'a', age: '3' }, false],
  [{ name: 'a', more: 1 }, false],
  [null, false],
  ['a', false],
])('%j fits: %s, at first and again', (value, expected) => {
  expect(fits(schema, value)).toBe(expected)
  expect(fits(schema, value)).toBe(expected)
})

test('says the type of what fits', () => {
  const value: unknown = { name: 'a' }
  expect(fits(schema, value) && value.name.length).toBe(1)
})
