import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { luhnHolds } from './card.ts'
import { findPii } from './find-pii.ts'
import { mod97Holds } from './iban.ts'

const typesIn = (text: string): string[] => findPii(text).map(({ type }) => type)
const valuesIn = (text: string): string[] => findPii(text).map(({ start, end }) => text.slice(start, end))

describe('personal data', () => {
  test.each([
    ['write to ann.o-neil+x@mail.example.co.uk.', 'ann.o-neil+x@mail.example.co.uk'],
    ['<bob@example.com>', 'bob@example.com'],
    ['card 4111 1111 1111 1111 12/27 123', '4111 1111 1111 1111'],
    ['4111-1111-1111-1111', '4111-1111-1111-1111'],
    ['amex 3782 822463 10005', '3782 822463 10005'],
    ['IBAN: DE89 3704 0044 0532 0130 00.', 'DE89 3704 0044 0532 0130 00'],
    ['gb82west12345698765432', 'gb82west12345698765432'],
    ['MT84 MALT 0110 0001 2345 MTLC AST0 01S', 'MT84 MALT 0110 0001 2345 MTLC AST0 01S'],
    ['ring +49 (0) 30 1234567 now', '+49 (0) 30 1234567'],
    ['+14155552671', '+14155552671'],
    ['phone: (415) 555-2671', '(415) 555-2671'],
    ['Tel.: 030 / 123 45 67', '030 / 123 45 67'],
    ['Mon téléphone est le 06 12 34 56 78', '06 12 34 56 78'],
    ['電話番号は03-1234-5678です', '03-1234-5678'],
  ])('%j holds %j', (text, value) => {
    expect(valuesIn(text)).toEqual([value])
  })

  test.each([
    'order 4111 1111 1111 1112',
    'order 1234567890',
    'on 2024-05-17 at 10:30',
    'version 10.0.19045.3930',
    'ip 192.168.100.200',
    'DE89 3704 0044 0532 0130 01',
    'see user@localhost',
    '@handle and a@b',
    'icon@2x.png',
    'pi is 3.1415926535897932',
    '+1 000 000',
    'call f(1234567) twice',
    '550e8400-e29b-41d4-a716-446655440000',
    'invoice 2024-0001-2233',
    'phone released 12.05.2024',
    '0000000000000000',
  ])('%j holds nothing', (text) => {
    expect(typesIn(text)).toEqual([])
  })

  test('only the asked types and scores are reported', () => {
    const text = 'a@b.co 4111111111111111'
    expect(findPii(text, { types: ['EMAIL'] }).map(({ type }) => type)).toEqual(['EMAIL'])
    expect(findPii(text, { minScore: 0.95 }).map(({ type }) => type)).toEqual(['EMAIL'])
  })

  test('any single wrong digit breaks a card number and an IBAN', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 9 }), (place, step) => {
        const change = (text: string): string =>
          text.slice(0, place) + ((Number(text[place]) + step) % 10) + text.slice(place + 1)
        expect(luhnHolds(change('4111111111111111'))).toBe(false)
        expect(mod97Holds(`DE89${change('370400440532013000')}`)).toBe(false)
      }),
    )
  })

  test('a long value in a text without end characters is bounded', () => {
    expect(typesIn(`${'a'.repeat(80)}@example.com`)).toEqual([])
  })
})

describe('cost', () => {
  test.each(['1 ', '4', '41 ', '+1', '(1)', 'a@', 'a.', '@', 'DE89', 'DE89 3704 ', 'tel 1 '])(
    'a megabyte of %j is read in under a second',
    (unit) => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
      const started = performance.now()
      findPii(text)
      expect(performance.now() - started).toBeLessThan(1_000)
    },
  )
})
