import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../base/finding.ts'
import { addressMatcher } from './addresses.ts'

const find = (text: string): Finding[] => {
  const found: Finding[] = []
  addressMatcher.collect(text, 0, found)
  return found
}
const addressesIn = (text: string): string[] => find(text).map(({ start, end }) => text.slice(start, end))

describe('an address is found whole', () => {
  test.each([
    ['US', '742 Evergreen Terrace, Apt 4B, Springfield, IL 62704'],
    ['US', '12 N. Oak St., Austin, Texas 78701'],
    ['CA', '88 King Street West, Toronto, ON M5V 2T6'],
    ['GB', 'Flat 3, 12 High Street, Bristol BS1 5TR'],
    ['IE', '5 Grafton Street, Dublin D02 X285'],
    ['AU', '7/19 Wattle Road, Brunswick VIC 3056'],
    ['DE', 'Alte Schönhauser Straße 12, 10119 Berlin'],
    ['CH', 'Bahnhofstrasse 21, 8001 Zürich'],
    ['FR', '8 bis rue des Lilas, 44000 Nantes'],
    ['BE', 'Rue de la Loi 16, 1000 Bruxelles'],
    ['NL', 'Nieuwe Keizersgracht 58a, 1018 DT Amsterdam'],
    ['ES', 'Calle de Alcalá 45, 3º B, 28014 Madrid'],
    ['PT', 'Rua Augusta, 120, 1100-053 Lisboa'],
    ['BR', 'Av. Paulista, 1578, São Paulo - SP, 01310-200'],
    ['MX', 'Calle Morelos 25, 06000 Ciudad de México'],
    ['AR', 'Av. Corrientes 1234, C1043AAZ Buenos Aires'],
    ['IT', 'Via Giuseppe Verdi 7, 40121 Bologna'],
    ['PL', 'ul. Marszałkowska 84/92 m. 5, 00-514 Warszawa'],
    ['CZ', 'Kolářova 15, 110 00 Praha'],
    ['SE', 'Stora Nygatan 33, 211 37 Malmö'],
    ['NO', 'Karl Johans gate 22, 0026 Oslo'],
    ['DK', 'Vestergade 4, 1456 København'],
    ['FI', 'Mannerheimintie 12, 00100 Helsinki'],
    ['RU', 'ул. Ленина, д. 5, кв. 12, 620014 Екатеринбург'],
    ['UA', 'вул. Шевченка, буд. 10, 79000 Львів'],
    ['TR', 'Atatürk Caddesi No: 15, 34734 İstanbul'],
    ['IN', '14 MG Road, Bengaluru 560001'],
    ['JP', '東京都千代田区丸の内1-9-1'],
    ['CN', '北京市朝阳区建国路88号'],
    ['KR', '서울특별시 강남구 테헤란로 152'],
    ['ZA', '23 Long Street, Cape Town, 8001'],
  ])('%s: %s', (_, address) => {
    expect(addressesIn(address)).toEqual([address])
  })

  test('on four lines', () => {
    const address = '1600 Amphitheatre Parkway\nSuite 200\nMountain View, CA 94043\nUSA'
    expect(addressesIn(`Ship to:\n${address}\n\nThank you`)).toEqual([address])
  })

  test('as a box number', () => {
    expect(addressesIn('Write to P.O. Box 1234, Boise, ID 83702.')).toEqual(['P.O. Box 1234, Boise, ID 83702'])
  })

  test('inside a sentence, without the words around it', () => {
    expect(addressesIn('She moved to 9 Mill Lane, Cardiff CF10 3AT last year.')).toEqual([
      '9 Mill Lane, Cardiff CF10 3AT',
    ])
    expect(addressesIn('Ich wohne in der Gartenstraße 5, 70173 Stuttgart.')).toEqual([
      'Gartenstraße 5, 70173 Stuttgart',
    ])
  })
})

test('a street line alone scores lower than one with postal code and city', () => {
  const [line] = find('9 Mill Lane')
  const [full] = find('9 Mill Lane, Cardiff CF10 3AT')
  expect(line?.score).toBeGreaterThanOrEqual(0.5)
  expect(full?.score).toBeGreaterThan((line?.score ?? 1) + 0.2)
})

test('the country follows from the street or the postal code', () => {
  expect(find('9 Mill Lane, Cardiff CF10 3AT')[0]?.country).toBe('GB')
  expect(find('Via Roma 7, 40121 Bologna')[0]?.country).toBe('IT')
})

describe('what is no address', () => {
  test.each([
    'In 2019 the Supreme Court heard 12 cases.',
    'The meeting is on 2021-05-01 at 14:30 in room 204.',
    'Order 176115776530 shipped, ref A26712026.',
    'Born on April 10, 1996 in Leeds.',
    'Set timeout=30000 and retries=3 in config v4.2.16.1.',
    'Der Platz 3 ging an das Team aus Kiel.',
    'Section 12 Road traffic rules apply to 3 lanes.',
    'mon numéro est le 02 31 54 00 91',
    '他在2023年获得了3个奖项。',
  ])('%s', (text) => {
    expect(addressesIn(text)).toEqual([])
  })
})

describe('on any text', () => {
  const pieces = fc.constantFrom(
    '12 ',
    'Main ',
    'Street',
    ', ',
    '\n',
    'Boise',
    ' ID ',
    '83702',
    'Hauptstraße ',
    '5',
    '東京都港区',
    '1-2',
    'ул. ',
    'Мира',
    ' д. ',
    '-',
    ' ',
    '0',
    'Apt 4',
    '〒',
    '서울시 강남구 ',
    '\udc00',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
  )

  test('an address lies inside it and is bounded', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { start, end, score } of find(text)) {
          expect(start).toBeGreaterThanOrEqual(0)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(end - start).toBeGreaterThan(0)
          // The bound of 160 characters, and a unit or city written before the street.
          expect(end - start).toBeLessThanOrEqual(240)
          expect(score).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('an address depends on no more than 128 characters before it and 48 after it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { start, end, score } of find(text)) {
          const from = Math.max(0, start - 128)
          const near = find(text.slice(from, end + 48))
          expect(near).toContainEqual(expect.objectContaining({ start: start - from, end: end - from, score }))
        }
      }),
      { numRuns: 500 },
    )
  })
})
