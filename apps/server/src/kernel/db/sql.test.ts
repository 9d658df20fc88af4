import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identifier, join, json, sql } from './sql.ts'

test('C31 values become numbered parameters in order, never text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      const statement = sql`select ${left}, ${right}`
      expect([statement.text, statement.values]).toEqual(['select $1, $2', [left, right]])
    }),
  )
})

test('fragments nest and their parameters are numbered through', () => {
  const where = sql`a = ${1} and ${sql`b = ${2}`}`
  const statement = sql`select ${0} from t where ${where} limit ${3}`
  expect(statement.text).toBe('select $1 from t where a = $2 and b = $3 limit $4')
  expect(statement.values).toEqual([0, 1, 2, 3])
})

test('the same text has the same name, another text another', () => {
  const one = (n: number) => sql`select ${n}`
  expect(one(1).name).toBe(one(2).name)
  expect(one(1).name).not.toBe(sql`select  ${1}`.name)
  expect(one(1).name.length).toBeLessThan(64)
})

test('parts are joined with their parameters; none give an empty text', () => {
  const joined = sql`where ${join([sql`a = ${1}`, sql`b = ${2}`], ' and ')}`
  expect([joined.text, joined.values]).toEqual(['where a = $1 and b = $2', [1, 2]])
  expect(sql`x${join([], ', ')}`.text).toBe('x')
})

describe('identifiers', () => {
  test.each(['user', 'tenant_id', 'a1'])('%s is one', (name) => expect(identifier(name).text).toBe(name))
  test.each(['', 'User', '1a', 'a-b', 'a"b', 'a;drop', 'a b', 'é', 'a'.repeat(64)])('C31 %j is none', (name) =>
    expect(() => identifier(name)).toThrow(TypeError),
  )
})

test('json gives text for any value, lists included', () => {
  expect([json([1]), json({ a: null }), json('x')]).toEqual(['[1]', '{"a":null}', '"x"'])
})
