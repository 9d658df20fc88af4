import { base62Checksum, createVault, redact, restore } from '@parapet/detect'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CanonicalCall, Role } from '../call/call.ts'
import { emptyCall } from '../call/call.ts'
import { mapTexts, textsOf } from '../call/texts/texts.ts'
import { findSensitive } from '../detection/detectors.ts'
import { complete } from '../policy/defaults.ts'
import { lift } from '../policy/effective.ts'
import { judge } from './sensitive-texts.ts'
import { gatherSplit, textsAcross } from './split-values.ts'

const rulesOf = (data: object = {}) => lift(complete({ sensitive_data: data })).sensitive_data
const rules = rulesOf()

const message = (role: Role, ...texts: readonly string[]) => ({
  role,
  parts: texts.map((text) => ({ type: 'text' as const, text })),
  toolCalls: [],
  toolCallId: null,
  name: null,
})
const callOf = (...turns: CanonicalCall['turns']): CanonicalCall => ({ ...emptyCall, turns })

/** Redaction as in step 7. */
function redacted(call: CanonicalCall, under = rules) {
  const vault = createVault()
  const { call: whole, find, flagged } = gatherSplit(call, under, findSensitive)
  const sent = mapTexts(whole, (piece) => {
    const hidden = judge(piece, under, find).filter(({ action }) => action === 'redact')
    return redact(
      piece.text,
      hidden.map(({ finding }) => finding),
      vault,
    ).text
  })
  return { texts: textsOf(sent).map(({ text }) => text), vault, flagged }
}
const parts = (...texts: readonly string[]) => redacted(callOf(message('user', ...texts))).texts

describe('a value across a border', () => {
  test('is hidden where it begins, and gone where it ends', () => {
    expect(parts('Pay with 4111 1111 ', '1111 1111, please')).toEqual(['Pay with ⟦CREDIT_CARD_1⟧', ', please'])
    expect(parts('Mail jane.ea', 'rly@example.org now')).toEqual(['Mail ⟦EMAIL_1⟧', ' now'])
  })

  test('leaves no text empty: one that is all of the value gets its stand-in too', () => {
    expect(parts('4111 ', '1111 ', '1111 ', '1111')).toEqual(Array(4).fill('⟦CREDIT_CARD_1⟧'))
  })

  test('is seen from one message of an author to the next, and not from one author to another', () => {
    const [first, second] = ['Pay with 4111 1111 ', '1111 1111, please']
    expect(redacted(callOf(message('user', first), message('user', second))).texts).toEqual([
      'Pay with ⟦CREDIT_CARD_1⟧',
      ', please',
    ])
    expect(redacted(callOf(message('user', first), message('assistant', second))).texts).toEqual([first, second])
    expect(redacted(callOf(message('tool', first), message('tool', second))).texts).toEqual([first, second])
    expect(redacted(callOf(message('tool', first, second))).texts).toEqual(['Pay with ⟦CREDIT_CARD_1⟧', ', please'])
  })

  test('is one with the same value elsewhere, and comes back whole', () => {
    const { texts, vault } = redacted(
      callOf(message('user', 'a@example.org or b@exa', 'mple.org', ' not b@example.org')),
    )
    expect(texts).toEqual(['⟦EMAIL_1⟧ or ⟦EMAIL_2⟧', '⟦EMAIL_2⟧', ' not ⟦EMAIL_2⟧'])
    expect(restore('⟦EMAIL_2⟧', vault)).toBe('b@example.org')
  })

  test('may have a break in it where its texts meet', () => {
    expect(parts('IBAN DE89 3704 0044', '0532 0130 00 thanks')[0]).toBe('IBAN ⟦IBAN_1⟧')
  })

  test('with long texts around it', () => {
    const filler = 'The ferry leaves at nine. '.repeat(800)
    expect(parts(`${filler}4111 1111 `, `1111 1111 ${filler}`)).toEqual([`${filler}⟦CREDIT_CARD_1⟧`, ` ${filler}`])
  })

  test('that the policy only flags is told and stays', () => {
    const call = callOf(message('user', 'Pay with 4111 1111 ', '1111 1111, please'))
    const { texts, flagged } = redacted(call, rulesOf({ entities: { CREDIT_CARD: { action: 'flag' } } }))
    expect(texts).toEqual(['Pay with 4111 1111 ', '1111 1111, please'])
    expect(flagged).toMatchObject([{ entity: 'CREDIT_CARD', location: '/messages/0/content/0' }])
  })

  test('is not looked for in what the policy does not look at', () => {
    const call = callOf(message('system', 'Pay with 4111 1111 ', '1111 1111'))
    expect(textsAcross(call, rulesOf({ roles: ['user'] }))).toEqual([])
    expect(redacted(call, rulesOf({ roles: ['user'] })).texts).toEqual(['Pay with 4111 1111 ', '1111 1111'])
  })
})

describe('a value beside a border', () => {
  test.each([
    [
      ['Write to', 'jane@example.org'],
      ['Write to', '⟦EMAIL_1⟧'],
    ],
    [
      ['From jane@example.org', 'Summarize this'],
      ['From ⟦EMAIL_1⟧', 'Summarize this'],
    ],
    [
      ['a@example.org', 'b@example.org'],
      ['⟦EMAIL_1⟧', '⟦EMAIL_2⟧'],
    ],
    [
      ['Nothing', 'at all'],
      ['Nothing', 'at all'],
    ],
  ])('takes no word from the other side: %j', (texts, expected) => {
    expect(parts(...texts)).toEqual(expected)
  })

  test('the same call comes back where nothing is split', () => {
    const call = callOf(message('user', 'Write to', 'jane@example.org'))
    expect(gatherSplit(call, rules, findSensitive).call).toBe(call)
  })
})

test('looks at each character a few times only, however many texts there are', () => {
  const texts = Array.from({ length: 2000 }, (_, index) => (index % 2 === 0 ? 'card 4111 1111 ' : '1111 1111 and '))
  let looked = 0
  const counting = (text: string) => {
    looked += text.length
    return findSensitive(text)
  }
  const { call } = gatherSplit(callOf(message('user', ...texts)), rules, counting)
  expect(call.turns[0]?.parts[0]).toEqual({ type: 'text', text: 'card 4111 1111 1111 1111' })
  expect(looked).toBeLessThan(texts.join('').length * 6)
})

const token = 'Q7s2K9x4M1n8V3b6T5r0W2y7U4i9O1'
const values = [
  '4111 1111 1111 1111',
  'DE89 3704 0044 0532 0130 00',
  '856-45-6789',
  `ghp_${token}${base62Checksum(token)}`,
  'AKIA2OGYBAH6STMMNXNW',
]

test.each(values)('%s is a value', (value) => {
  expect(parts(`please ${value} thanks`)).toEqual([expect.stringMatching(/^please ⟦\w+_1⟧ thanks$/)])
})

const words = fc.constantFrom('please ', 'my number is ', 'and then ', 'The ferry, ', 'card: ', 'SSN ')

test('whatever is hidden in the joined text is hidden in its parts, wherever it is cut', () => {
  const pieces = fc.array(fc.tuple(words, fc.constantFrom(...values)), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(199), { maxLength: 5 }), fc.boolean(), (chosen, places, oneEach) => {
      const joined = `${chosen.map(([word, value]) => `${word}${value} `).join('')}thanks`
      const cuts = [...new Set(places.map((at) => at % joined.length))].filter((at) => at > 0).sort((a, b) => a - b)
      const cut = [0, ...cuts].map((from, index) => joined.slice(from, cuts[index]))
      const call = oneEach ? callOf(...cut.map((text) => message('user', text))) : callOf(message('user', ...cut))
      const whole = redacted(callOf(message('user', joined)))
      const { texts, vault } = redacted(call)
      const hidden = whole.vault.entries().map(({ value }) => value)
      for (const text of texts)
        for (const value of hidden)
          for (const word of value.split(' '))
            for (let at = 0; at + 5 <= word.length; at += 1) expect(text).not.toContain(word.slice(at, at + 5))
      // Redacted values are restored where they began; texts that were entirely part of a value repeat it.
      if (texts.join('') === whole.texts.join('')) expect(restore(texts.join(''), vault)).toBe(joined)
      const left = (from: readonly string[]) =>
        from
          .join('')
          .replace(/⟦[A-Z_]+_\d+⟧/gi, '')
          .replace(/\s/g, '')
      expect(left(texts)).toBe(left(whole.texts))
    }),
    { numRuns: 150 },
  )
})
