import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPii } from '../pii/find-pii.ts'
import { redact } from '../redaction/redact.ts'
import { restore } from '../redaction/restore.ts'
import { createVault } from '../redaction/vault.ts'
import { findSecrets } from '../secrets/find-secrets.ts'
import { createRedactStream, type RedactStreamOptions } from './redact-stream.ts'

const pieces = fc.constantFrom(
  ...['ann@example.com', 'a@b.co', '4111 1111 1111 1111', '+49 30 1234567', 'Anna Smith', 'Dear ', 'my name is john'],
  ...['12 Main Street, Springfield, IL 62704', '\u27e6EMAIL_1\u27e7', '\u27e6 email 1 \u27e7', '[EMAIL_1]', 'EMAIL_1'],
  ...[
    'PERSON_2',
    '\u27e6LITERAL_1\u27e7',
    '\\[PERSON\\_1\\]',
    '\u27e6',
    '\u27e7',
    '(',
    ')',
    '_1',
    ' ',
    '\n',
    '\u{1f600}',
  ],
  ...['word', 'AKIAIOSFODNN7EXAMPLF', '-----BEGIN PRIVATE KEY-----\n', '.', '"', '\ud83d'],
)
const someText = fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 40 }).map((list) => list.join(''))

function stream(text: string, size: number, options: RedactStreamOptions): string {
  const filter = createRedactStream(options)
  let out = ''
  for (let at = 0; at < text.length; at += size) out += filter.push(text.slice(at, at + size)).text
  return out + filter.end().text
}

describe('laws', () => {
  test('a stream gives what the whole text gives, and both restore to the text as typed', () => {
    fc.assert(
      fc.property(someText, fc.integer({ min: 1, max: 40 }), (text, size) => {
        // In the target of a link a placeholder stays.
        fc.pre(!text.includes(']('))
        const vault = createVault()
        const streamed = stream(text, size, { vault })
        const whole = createVault()
        expect(streamed).toBe(redact(text, [...findPii(text), ...findSecrets(text)], whole).text)
        expect(restore(streamed, vault)).toBe(text)
        expect(restore(streamed, whole)).toBe(text)
      }),
      { numRuns: 400 },
    )
  })

  test('two texts of a call never restore what the other one typed', () => {
    fc.assert(
      fc.property(someText, someText, (first, second) => {
        fc.pre(!`${first} ${second}`.includes(']('))
        const vault = createVault()
        const redacted = [first, second].map((text) => stream(text, 7, { vault }))
        expect(redacted.map((text) => restore(text, vault))).toEqual([first, second])
      }),
      { numRuns: 300 },
    )
  })
})

test('only accepted findings are redacted', () => {
  const text = 'mail a@b.co or card 4111 1111 1111 1111'
  const accepts: RedactStreamOptions['accepts'] = ({ type }) => type === 'CREDIT_CARD'
  expect(stream(text, 3, { accepts })).toBe('mail a@b.co or card \u27e6CREDIT_CARD_1\u27e7')
})

test('other styles are streamed too', () => {
  expect(stream('mail a@b.co', 2, { style: { style: 'drop' } })).toBe('mail ')
  expect(stream('mail a@b.co', 2, { style: { style: 'mask' } })).toBe('mail a***@***.co')
})

test('only the wanted types of personal data are redacted, secrets always', () => {
  const text = 'mail a@b.co, card 4111 1111 1111 1111, key AKIAIOSFODNN7EXAMPLF'
  expect(stream(text, 3, { types: ['CREDIT_CARD'] })).toBe(
    'mail a@b.co, card \u27e6CREDIT_CARD_1\u27e7, key \u27e6AWS_ACCESS_KEY_ID_1\u27e7',
  )
})

test('with types a stream gives what the whole text gives', () => {
  const types = ['EMAIL', 'PHONE', 'CREDIT_CARD']
  fc.assert(
    fc.property(someText, fc.integer({ min: 1, max: 40 }), (text, size) => {
      const whole = redact(text, [...findPii(text, { types }), ...findSecrets(text)], createVault())
      expect(stream(text, size, { types })).toBe(whole.text)
    }),
    { numRuns: 400 },
  )
})
