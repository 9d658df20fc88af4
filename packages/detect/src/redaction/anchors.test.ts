import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anchorsOf } from './anchors.ts'
import { bracketForms } from './forms.ts'
import { defaultBrackets, nameShape } from './placeholder.ts'
import { readAt, terminator } from './reading.ts'

const pieces = fc.constantFrom(
  ...['\u27e6EMAIL_1\u27e7', '\\[EMAIL\\_1\\]', '\\\\[EMAIL\\\\_1\\\\]', '\\u27e6EMAIL_1\\u27e7', '{{ "email 1" }}'],
  ...[
    '**EMAIL_1**',
    '[ `Email-12`',
    "'s]",
    '&lt;EMAIL_1&gt;',
    '\u27e6',
    '[',
    '[[',
    '\\',
    '_',
    '1',
    '_1',
    ' 1',
    'A',
    'EMAIL',
  ],
  ...[' ', '"', '\\"', '(', 'the quick brown fox jumps over the lazy dog '],
)
const someText = fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 60 }).map((list) => list.join(''))

test('every place where a placeholder can be read is one that counts', () => {
  const { plain, json } = bracketForms(defaultBrackets)
  const grammars = [
    { forms: plain, json: false, mayBegin: () => true },
    { forms: json, json: true, mayBegin: () => true },
  ]
  fc.assert(
    fc.property(someText, fc.constantFrom(...grammars), (typed, grammar) => {
      const text = `${typed}${' and other words'.repeat(10)}${terminator}`
      const anchors = anchorsOf(text, grammar.forms.longestOpen)
      for (let at = 0; at < typed.length; at += 1) {
        const reading = readAt(text, at, grammar)
        if (typeof reading === 'object' && nameShape.test(reading.name)) expect(anchors.next(at)).toBe(at)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('of a million brackets only those near the end count', () => {
  // 128 characters, in which a placeholder may have begun that the next piece goes on with.
  expect(anchorsOf('['.repeat(1_000_000), 2).next(0)).toBe(1_000_000 - 128)
})

test('places in a short text all count', () => {
  expect(anchorsOf('a [EMA', 2).next(2)).toBe(2)
})
