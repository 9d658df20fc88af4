import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../base/finding.ts'
import { secretMatchers } from '../../secrets/find-secrets.ts'
import { findPii, piiMatchers } from '../find-pii.ts'
import { identifiers } from '../identifiers/identifiers.ts'
import { monthByName } from './month-names.ts'
import { isOpeningWord, openingWords } from './opening-words.ts'

/** Those a stream trusts not to begin a value at such a word. */
const marked = [...piiMatchers, ...secretMatchers].filter((matcher) => matcher.marked === true)

function markedFindings(text: string): Finding[] {
  const found: Finding[] = []
  for (const matcher of marked) matcher.collect(text, 0, found)
  return found
}

const layouts = identifiers.flatMap(({ layouts: printed, context }) =>
  printed.map((layout) => ({ layout, name: context[0] ?? 'number' })),
)
const printed = (layout: string, digit: string): string => layout.replaceAll(/[0X]/g, digit).replaceAll('A', 'B')

const word = fc.constantFrom(...openingWords)
const lead = fc.constantFrom('', '"', "'", '(', '**', '#', ' ', 'and/', ', ')
const names = [
  ...[
    'passport',
    'driving licence',
    'medical record',
    'insurance number',
    'license plate',
    'tax number',
    'born',
    'key',
  ],
  ...['phone', 'IBAN', 'BIC', 'wallet', 'password:', 'token ='],
]
const follows = fc.oneof(
  fc
    .tuple(fc.constantFrom(...layouts), fc.constantFrom(...'0123456789'))
    .map(([{ layout, name }, digit]) => `${printed(layout, digit)} is my ${name}`),
  // Continuation after a first group of letters.
  fc
    .tuple(fc.constantFrom(...layouts), fc.constantFrom(...'0123456789'))
    .map(([{ layout, name }, digit]) => `${printed(layout.replace(/^[AX]+[^A0X]?/, ''), digit)} is my ${name}`),
  fc.constantFrom(
    ...['(at) example dot com', '[at] example [dot] org', '(AT) exa-mple.com', '@example.com', '.doe@example.com'],
    ...[
      '5, 1980',
      '5 1980',
      '12',
      '12/27',
      'AB123',
      'X9',
      '89 3704 0044 0532 0130 00',
      'DEUTDEFF',
      '::1',
      '(030) 12345',
    ],
  ),
)

describe('a word of a sentence', () => {
  test('is no month, which begins a date, and no single letter, which may begin a number', () => {
    for (const opening of openingWords) {
      expect(monthByName.has(opening.toLowerCase())).toBe(false)
      expect(opening.length).toBeGreaterThan(1)
    }
  })

  test('is one in small letters or with a capital at its front, also behind marks', () => {
    for (const text of ['the', 'The', '"The', '**The', "it's", 'It\u2019s', 'and/or', 'Für'])
      expect(isOpeningWord(text, text.length)).toBe(true)
    for (const text of ['THE', 'tHe', '_the', 'xthe', 'x-the', 'the.', "the'", 'I', 'A', 'Jane', '', '"'])
      expect(isOpeningWord(text, text.length)).toBe(false)
    expect(isOpeningWord('I', 1, { alone: true })).toBe(true)
  })

  test('begins nothing that goes on behind a blank, whatever follows and whatever stands before it', () => {
    fc.assert(
      fc.property(fc.constantFrom('', ...names), lead, word, follows, (name, mark, opening, rest) => {
        const before = `${name} ${mark}`
        const end = before.length + opening.length
        const text = `${before}${opening} ${rest}`
        for (const finding of markedFindings(text))
          expect(finding.start <= end && finding.end > end, `${text}: ${finding.type}`).toBe(
            finding.start < before.length && finding.end > end,
          )
      }),
      { numRuns: 3_000 },
    )
  })

  test('begins no number whose layout begins with as many letters', () => {
    const led = layouts.filter(({ layout }) => /^A+ /.test(layout))
    expect(led.length).toBeGreaterThan(5)
    for (const { layout, name } of led)
      for (const opening of openingWords.filter(({ length }) => length === layout.indexOf(' '))) {
        const rest = printed(layout.slice(layout.indexOf(' ')), '7')
        for (const text of [`${opening}${rest} is my ${name}`, `${name}: ${opening}${rest}`])
          for (const { start } of findPii(text)) expect(start).not.toBe(text.indexOf(opening))
      }
  })
})

test.each([
  ['the number behind it', 'As 12 34 56 C is my national insurance number', '12 34 56 C'],
  ['the passport behind it', 'passport The 1234567', '1234567'],
  ['the host behind it', 'write to the (at) example dot com', '(at) example dot com'],
])('%s is still found', (_what, text, value) => {
  expect(findPii(text).map(({ start, end }) => text.slice(start, end))).toEqual([value])
})

test.each([
  ['in capitals', 'AS 12 34 56 C is my national insurance number', 'AS 12 34 56 C'],
  ['alone behind a name of the number', 'passport A 1234567', 'A 1234567'],
  ['that is a name', 'write to jane (at) example dot com', 'jane (at) example dot com'],
  ['with a mark in front', 'write to _the (at) example dot com', '_the (at) example dot com'],
])('a word %s is part of the value', (_what, text, value) => {
  expect(findPii(text).map(({ start, end }) => text.slice(start, end))).toEqual([value])
})
