import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../base/finding.ts'
import { luhnHolds, mod97Holds } from '../pii/base/check-digits.ts'
import { findPii } from '../pii/find-pii.ts'
import { redact } from './redact.ts'
import { restore, restoreJson } from './restore.ts'
import { createVault, type Vault } from './vault.ts'

const whole = (text: string, type: string, detector: Finding['detector'] = 'pii'): Finding[] => [
  { detector, type, start: 0, end: text.length, score: 1 },
]
const synthetic = (text: string, type: string, vault: Vault = createVault()): string =>
  redact(text, whole(text, type), vault, { style: 'synthetic' }).text

describe('synthetic values', () => {
  test('a card keeps its length and groups, passes the Luhn check and stays in the test range', () => {
    const made = synthetic('4111 1111 1111 1111', 'CREDIT_CARD')
    expect(made).toMatch(/^4000 00\d\d \d{4} \d{4}$/)
    expect(luhnHolds(made.replaceAll(' ', ''))).toBe(true)
  })

  test.each(['DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432', 'NO9386011117947'])(
    'the stand-in of the account %s keeps country and groups and passes the check',
    (value) => {
      const made = synthetic(value, 'IBAN')
      expect(made).not.toBe(value)
      expect(made.slice(0, 2)).toBe(value.slice(0, 2))
      expect(made.replace(/[A-Z0-9]/g, 'x')).toBe(value.replace(/[A-Z0-9]/g, 'x'))
      expect(mod97Holds(made.replaceAll(' ', ''))).toBe(true)
    },
  )

  test.each([
    ['EMAIL', 'ann@corp.io', 'user1@example.com'],
    ['PHONE', '+49 30 1234567', '+1-202-555-0100'],
    ['IP_ADDRESS', '10.1.2.3', '192.0.2.1'],
    ['IP_ADDRESS', 'fe80::17', '2001:db8::1'],
    ['MAC_ADDRESS', 'aa:bb:cc:dd:ee:ff', '00:00:5E:00:53:01'],
    ['US_SSN', '536-90-4399', '987-65-4320'],
    // 999 000 001 8 by hand: 9*10 + 9*9 + 9*8 + 1*2 = 245, 245 mod 11 = 3, 11 - 3 = 8.
    ['NATIONAL_ID', '943 476 5919', '999 000 0018'],
  ])('%s %s becomes %s', (type, value, made) => {
    expect(synthetic(value, type)).toBe(made)
  })

  test('a type without a reserved range becomes a placeholder', () => {
    expect(synthetic('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'CRYPTO')).toBe('\u27e6CRYPTO_1\u27e7')
  })

  test('equal values are equal and all come back, in JSON too', () => {
    const vault = createVault()
    const text = 'a@b.co, c@d.org, a@b.co'
    const made = redact(text, findPii(text), vault, { style: 'synthetic' }).text
    expect(made).toBe('user1@example.com, user2@example.com, user1@example.com')
    expect(restore(made, vault)).toBe(text)
    expect(restoreJson('{"to":"user2@example.com"}', vault)).toBe('{"to":"c@d.org"}')
    expect(restore('user22@example.com', vault)).toBe('user22@example.com')
  })

  test('a stand-in that the caller typed before or after is never restored', () => {
    const vault = createVault()
    const typedBefore = redact('write to user1@example.com', [], vault, { style: 'synthetic' }).text
    const hidden = redact('a@b.co', whole('a@b.co', 'EMAIL'), vault, { style: 'synthetic' }).text
    const typedAfter = redact('and user2@example.com', [], vault, { style: 'synthetic' }).text
    expect(typedBefore).toBe('write to user1@example.com')
    expect(hidden).toBe('user2@example.com')
    expect(typedAfter).toBe('and \u27e6LITERAL_1\u27e7')
    expect(restore(`${typedBefore}|${hidden}|${typedAfter}`, vault)).toBe(
      'write to user1@example.com|a@b.co|and user2@example.com',
    )
  })

  test('restoring gives the text as typed', () => {
    const piece = fc.constantFrom(
      ...['a@b.co', 'c@d.org', 'user1@example.com', '192.0.2.1', '10.0.0.7', '4111 1111 1111 1111', 'Anna Smith', '1'],
      ...[' ', '. ', '\u27e6EMAIL_1\u27e7', 'Alex Sample', 'Dear ', '[EMAIL_1]', 'x', '\u{1f600}'],
    )
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (typed) => {
        const vault = createVault()
        expect(restore(redact(typed, findPii(typed), vault, { style: 'synthetic' }).text, vault)).toBe(typed)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('styles that cannot be undone', () => {
  test.each([
    ['EMAIL', 'anna.smith@mail.example.com', 'a***@***.com'],
    ['CREDIT_CARD', '4111 1111 1111 1111', '**** **** **** 1111'],
    ['IBAN', 'DE89 3704 0044 0532 0130 00', 'DE** **** **** **** **30 00'],
    ['PERSON', 'Anna Smith', 'A*** S***'],
    ['PHONE', '+1 415 555 2671', '+* *** *** 2671'],
    ['DATE_OF_BIRTH', '1980-03-05', '****-**-**'],
  ])('a masked %s keeps what is customary', (type, value, masked) => {
    expect(redact(value, whole(value, type), createVault(), { style: 'mask' }).text).toBe(masked)
  })

  test('a masked secret keeps four characters of a long value and none of a short one', () => {
    const long = 'abcdefghijklmnopqrstuvwx'
    expect(redact(long, whole(long, 'token', 'secret'), createVault(), { style: 'mask' }).text).toBe('********uvwx')
    expect(redact('hunter2', whole('hunter2', 'password', 'secret'), createVault(), { style: 'mask' }).text).toBe(
      '********',
    )
  })

  test('a hash is equal for equal values and keys only', () => {
    const key = new Uint8Array(32).fill(7)
    const hash = (value: string, bytes: Uint8Array): string =>
      redact(value, whole(value, 'EMAIL'), createVault(), { style: 'hash', key: bytes }).text
    expect(hash('a@b.co', key)).toMatch(/^EMAIL_[0-9a-f]{16}$/)
    expect(hash('a@b.co', key)).toBe(hash('a@b.co', key))
    expect(hash('a@b.co', key)).not.toBe(hash('c@d.org', key))
    expect(hash('a@b.co', key)).not.toBe(hash('a@b.co', new Uint8Array(32)))
    expect(hash('\ud800', key)).toMatch(/^EMAIL_/)
  })

  test('a dropped value leaves nothing', () => {
    expect(redact('to a@b.co!', findPii('to a@b.co!'), createVault(), { style: 'drop' }).text).toBe('to !')
  })

  test('the map tells places and types of each replacement, never values', () => {
    const text = 'a@b.co c@d.org a@b.co'
    const { map } = redact(text, findPii(text), createVault())
    expect([...map]).toEqual([
      [
        '\u27e6EMAIL_1\u27e7',
        [
          { type: 'EMAIL', start: 0, end: 6 },
          { type: 'EMAIL', start: 15, end: 21 },
        ],
      ],
      ['\u27e6EMAIL_2\u27e7', [{ type: 'EMAIL', start: 7, end: 14 }]],
    ])
  })
})
