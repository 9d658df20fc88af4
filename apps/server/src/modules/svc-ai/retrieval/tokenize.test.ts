import { expect, test } from 'vitest'
import { languageOf, termsOf } from './tokenize.ts'

test('identifiers are terms of their own beside their parts', () => {
  expect(termsOf('CVE-2024-3094 and AML.T0051, control A.5.23', 'simple')).toEqual([
    ...[
      'cve-2024-3094',
      'cve',
      '2024',
      '3094',
      'and',
      'aml.t0051',
      'aml',
      't0051',
      'control',
      'a.5.23',
      'a',
      '5',
      '23',
    ],
  ])
})

test('English has stop words and stems; accents and case do not count', () => {
  expect(termsOf('The résumés of the controllers', 'english')).toEqual(['resum', 'control'])
  expect(termsOf('The Résumés', 'simple')).toEqual(['the', 'resumes'])
})

test('scripts without spaces are read two characters at a time', () => {
  expect(termsOf('情報保護', 'simple')).toEqual(['情報', '報保', '保護'])
})

test('the language is known by its stop words', () => {
  expect(languageOf('Access to the archive is granted by the owner of the archive.')).toBe('english')
  expect(languageOf('Der Zugang zum Archiv wird vom Eigentümer gewährt.')).toBe('simple')
  expect(languageOf('')).toBe('simple')
})
