import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { nullable, strictObject } from '../../schema/types.ts'
import { applyMergePatch, mergePatchOf } from './merge-patch.ts'

const opt = Type.Optional
const Document = strictObject({
  title: opt(Type.String()),
  tags: opt(Type.Array(Type.String())),
  most: opt(nullable(Type.Integer())),
  author: opt(strictObject({ given: opt(Type.String()), family: opt(Type.String()) })),
  rules: opt(
    Type.Unsafe<Readonly<Record<string, { readonly at?: number; readonly by?: string }>>>({
      type: 'object',
      additionalProperties: strictObject({ at: opt(Type.Number()), by: opt(Type.String()) }),
    }),
  ),
})
const Patch = mergePatchOf(Document)

const before = {
  title: 'a',
  tags: ['x', 'y'],
  most: 3,
  author: { given: 'Ada', family: 'L' },
  rules: { one: { at: 1 } },
}

const cases: readonly [string, Static<typeof Patch>, Static<typeof Document>][] = [
  ['nothing named changes nothing', {}, before],
  ['a member changes alone', { author: { given: 'Eve' } }, { ...before, author: { given: 'Eve', family: 'L' } }],
  ['a list is replaced', { tags: ['z'] }, { ...before, tags: ['z'] }],
  ['null takes a member back', { author: { family: null } }, { ...before, author: { given: 'Ada' } }],
  ['null is a value where the document takes it', { most: null }, { ...before, most: null }],
  ['a name of a map is added', { rules: { two: { at: 2 } } }, { ...before, rules: { one: { at: 1 }, two: { at: 2 } } }],
  ['a name of a map is changed', { rules: { one: { by: 'b' } } }, { ...before, rules: { one: { at: 1, by: 'b' } } }],
  ['a name of a map is taken away', { rules: { one: null } }, { ...before, rules: {} }],
]

test.each(cases)('%s', (_, patch, after) => {
  expect(Value.Check(Patch, patch)).toBe(true)
  expect(applyMergePatch(Document, structuredClone(before), patch)).toEqual(after)
})

test('what null takes back is gone, as if it had never been said', () => {
  const { title: _, ...rest } = before
  expect(Object.keys(applyMergePatch(Document, before, { title: null }))).toEqual(Object.keys(rest))
})

test.each([{ nothing: 1 }, { author: { age: 3 } }, { tags: [null] }, { most: 'a' }, { rules: { one: { at: 'x' } } }])(
  '%j is no patch of the document',
  (patch) => {
    expect(Value.Check(Patch, patch)).toBe(false)
  },
)
