/** Words that a stream releases at once, without losing findings. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disjoint, type Finding } from '../base/finding.ts'
import { findPii, piiMatchers } from '../pii/find-pii.ts'
import { identifiers } from '../pii/identifiers/identifiers.ts'
import { openingWords } from '../pii/lexicon/opening-words.ts'
import { findSecrets } from '../secrets/find-secrets.ts'
import { createInspectStream } from './inspect.ts'

/** Everything but names and addresses, which may begin at any word. */
const types = piiMatchers.flatMap((matcher) => matcher.types).filter((type) => type !== 'PERSON' && type !== 'ADDRESS')
const open = () => createInspectStream({ detectors: ['secret', 'pii'], types, onMatch: () => 'redact' })

const outline = ({ detector, type, start, end, score }: Finding) => ({ detector, type, start, end, score })
const oneShot = (text: string) => disjoint([...findPii(text, { types }), ...findSecrets(text)]).map(outline)

function streamed(chunks: readonly string[]) {
  const stream = open()
  return [...chunks.map((chunk) => stream.push(chunk)), stream.end()].flatMap(({ findings }) => findings).map(outline)
}

const layouts = identifiers.flatMap(({ layouts: printed, context }) =>
  printed.map((layout) => ({ layout, name: context[0] ?? 'number' })),
)
const value = fc
  .tuple(fc.constantFrom(...layouts), fc.array(fc.constantFrom(...'0123456789'), { minLength: 24, maxLength: 24 }))
  .map(([{ layout, name }, digits]) => {
    let at = 0
    const number = layout.replaceAll(/[0X]/g, () => digits[at++ % digits.length] ?? '0').replaceAll('A', 'K')
    return { number, name, tail: number.replace(/^K+[^K\d]?/, '') }
  })
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...openingWords) },
  { weight: 6, arbitrary: fc.constantFrom(' ', ' ', ' ', '  ', '\n', '\t', '\u00a0', '\u2009', '\u202f', '\u3000') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['"', "'", '(', '*', '#', '_', '-', '\u2019', '.', ',', ':', '!', '/', '@', "' ", '. '],
    ),
  },
  { weight: 2, arbitrary: value.map(({ number }) => number) },
  { weight: 2, arbitrary: value.map(({ tail }) => tail) },
  { weight: 2, arbitrary: value.map(({ name, number }) => ` ${name} ${number} `) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        '(at)',
        '[at] ',
        '(at) example dot com',
        ' [AT] exa-mple [dot] org ',
        '@example.com',
        'Jane',
        "rock'",
        'l\u2019',
      ],
      ...['I', 'A', 'X', 'THE', 'IBAN', 'IBANDE', '\u4f60\u597d', '\u662d\u548c', '55\u5e743\u67082\u65e5', 'f\u00fcr'],
      ...['March', 'Mar.', 'may', 'des', '5, 1980', '5 1980', '12 ', 'born ', 'passport ', 'licence plate ', 'phone '],
      ...['password: ', 'Xk9#qLm2!p', 'token ', '-----BEGIN ', 'Private-Lines: ', 'dead:', ' BIC ', '\u{1f600}'],
    ),
  },
)
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))

describe('what stands behind words that leave at once', () => {
  test('is found unit by unit as in the whole text', () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(streamed(whole.split(''))).toEqual(oneShot(whole))
      }),
      { numRuns: 1_500 },
    )
  })

  test('is found however the text is cut', () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 12 }), (whole, sizes) => {
        const chunks: string[] = []
        for (let at = 0; at < whole.length; at += chunks.at(-1)?.length ?? 1)
          chunks.push(whole.slice(at, at + (sizes[chunks.length % sizes.length] ?? 1)))
        expect(streamed(chunks)).toEqual(oneShot(whole))
      }),
      { numRuns: 1_000 },
    )
  })

  test('is found behind every one of them', () => {
    for (const word of openingWords)
      for (const rest of [
        '(at) example dot com ',
        '12 34 56 C is my national insurance number',
        '123456 dowód osobisty',
      ]) {
        const whole = `${word} ${rest}`
        expect(streamed([`${word} `, rest])).toEqual(oneShot(whole))
        expect(streamed(whole.split(''))).toEqual(oneShot(whole))
      }
  })
})

describe('the first words of an answer', () => {
  test('leave as soon as the blank behind them has come', () => {
    for (const word of openingWords) expect(open().push(`${word} `).text).toBe(`${word} `)
  })

  test.each(['I ', 'A ', '"I ', '## ', '- ', 'Sure, ', 'Certainly! ', '**Answer:** ', '\u4f60\u597d ', '\u{1f44b} '])(
    '%j leaves at once',
    (first) => {
      expect(open().push(first).text).toBe(first)
    },
  )

  test.each([
    ['The', 'an unfinished word'],
    ['Jane ', 'a name'],
    ['THE ', 'a group of capitals'],
    ['March ', 'a month'],
    ['_the ', 'what a mailbox may be'],
    ['X ', 'a group of one letter'],
    ['It is I ', 'a group of one letter behind other words'],
  ])('%j waits: %s', (first) => {
    expect(open().push(first).text.length).toBeLessThan(first.length)
  })

  test('a word that is no opening waits only for the word behind it', () => {
    const stream = open()
    expect(stream.push('Revenue ').text).toBe('')
    expect(stream.push('grew ').text).toBe('Revenue ')
  })
})
