import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactOf } from '../base/characters.ts'
import { findPii } from '../find-pii.ts'
import { identifiers } from '../identifiers/identifiers.ts'

const isValid = (id: string, printed: string): boolean => {
  const identifier = identifiers.find((known) => known.id === id)
  return identifier?.valid(compactOf(printed, 0, printed.length), printed) ?? false
}

// Worked examples of the issuing offices and of the public validators python-stdnum 1.20 and Wikipedia's articles.
const examples: readonly (readonly [id: string, printed: string])[] = [
  ['ar-cuit', '20-12345678-6'],
  ['at-svnr', '1237 010180'],
  ['au-tfn', '123 456 782'],
  ['au-abn', '51 824 753 556'],
  ['be-national-number', '85.07.30-033.28'],
  ['bg-egn', '7523169263'],
  ['br-cnpj', '11.222.333/0001-81'],
  ['br-cpf', '529.982.247-25'],
  ['ca-sin', '193-456-787'],
  ['ch-ahv', '756.9217.0769.85'],
  ['cl-rut', '12.345.678-5'],
  ['cn-resident-id', '11010519491231002X'],
  ['cz-rodne-cislo', '710319/2745'],
  ['de-tax-id', '36574261809'],
  ['ee-isikukood', '37605030299'],
  ['es-dni', '12345678Z'],
  ['es-dni', 'X1234567L'],
  ['es-cif', 'A58818501'],
  ['fi-hetu', '131052-308T'],
  ['fr-nir', '2 55 08 14 168 025 38'],
  ['gb-nhs', '943 476 5919'],
  ['gr-amka', '01013099997'],
  ['hr-oib', '33392005961'],
  ['hk-identity-card', 'A123456(3)'],
  ['ie-pps', '1234567T'],
  ['il-teudat-zehut', '123456782'],
  ['in-aadhaar', '2341 2341 2346'],
  ['is-kennitala', '120174-3399'],
  ['it-codice-fiscale', 'RSSMRA85T10A562S'],
  ['jp-my-number', '123456789018'],
  ['lt-asmens-kodas', '33309240064'],
  ['lu-matricule', '1893120105732'],
  ['lv-personas-kods', '161175-19997'],
  ['mx-curp', 'HEGG560427MVZRRL04'],
  ['nl-bsn', '111222333'],
  ['no-fnr', '01010750160'],
  ['nz-ird', '49-091-850'],
  ['pl-nip', '856-734-62-15'],
  ['pl-pesel', '44051401359'],
  ['pt-nif', '123456789'],
  ['ro-cnp', '1630615123457'],
  ['rs-jmbg', '0101006500006'],
  ['ru-inn', '500100732259'],
  ['ru-snils', '112-233-445 95'],
  ['se-personnummer', '811218-9876'],
  ['sg-nric', 'S1234567D'],
  ['th-national-id', '1-2345-45678-78-1'],
  ['tr-tckn', '10000000146'],
  ['tw-national-id', 'A123456789'],
  ['us-itin', '912-90-3456'],
  ['us-ssn', '078-05-1120'],
  ['uk-nino', 'AB123456C'],
  ['za-id', '8001015009087'],
]

// Schemes that detect every change of one digit: the modulus is prime and larger than any weighted difference, or the
// scheme is Luhn, Verhoeff or ISO 7064. Dates and prefixes may reject more.
const promising = new Set([
  ...['au-tfn', 'br-cpf', 'br-cnpj', 'ca-sin', 'ch-ahv', 'cl-rut', 'cn-resident-id', 'cz-rodne-cislo', 'de-tax-id'],
  ...['es-dni', 'fi-hetu', 'fr-nir', 'gb-nhs', 'hr-oib', 'il-teudat-zehut', 'in-aadhaar', 'lu-matricule', 'nl-bsn'],
  ...['no-fnr', 'pl-pesel', 'se-personnummer', 'sg-nric', 'za-id', 'tr-tckn', 'gr-amka'],
])

describe('national identifiers', () => {
  test.each(examples)('%s accepts the worked example %s', (id, printed) => {
    expect(isValid(id, printed)).toBe(true)
  })

  test.each(examples.filter(([id]) => promising.has(id)))(
    '%s: any one changed digit of %s is noticed',
    (id, printed) => {
      const places = [...printed].flatMap((char, place) => (/\d/.test(char) ? [place] : []))
      fc.assert(
        fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 9 }), (place, step) => {
          const changed = printed.slice(0, place) + ((Number(printed[place]) + step) % 10) + printed.slice(place + 1)
          expect(isValid(id, changed)).toBe(false)
        }),
      )
    },
  )

  test.each(examples)('%s is found with its country when a word names it: %s', (id, printed) => {
    const identifier = identifiers.find((known) => known.id === id)
    const text = `${identifier?.context[0]?.replace('*', '')}: ${printed}.`
    const [finding] = findPii(text)
    expect(finding && text.slice(finding.start, finding.end)).toBe(printed)
    expect(finding?.type).toBe(identifier?.type)
  })

  test('the word nearest to a number decides between countries', () => {
    // 123456782 satisfies the Australian, Canadian and Israeli formula.
    expect(findPii('TFN 123456782').map(({ country }) => country)).toEqual(['AU'])
    expect(findPii('SIN 123456782').map(({ country }) => country)).toEqual(['CA'])
    expect(findPii('ת.ז. 123456782').map(({ country }) => country)).toEqual(['IL'])
    expect(findPii('TFN withheld, SIN 123456782').map(({ country }) => country)).toEqual(['CA'])
  })

  test('a named number with a wrong check digit is reported as doubtful, an unnamed one not at all', () => {
    expect(findPii('CPF: 529.982.247-26')).toMatchObject([{ score: 0.5, evidence: 'invalid checksum' }])
    expect(findPii('ref 529.982.247-26')).toEqual([])
  })

  test.each(identifiers.flatMap(({ id, layouts }) => layouts.map((layout) => [id, layout] as const)))(
    '%s: the layout %s stays within the look-ahead of a stream',
    (_id, layout) => {
      expect(layout.length).toBeLessThanOrEqual(26)
      expect(layout).toMatch(/[0AX]/)
    },
  )
})
