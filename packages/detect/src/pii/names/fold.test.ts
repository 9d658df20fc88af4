import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, foldSlowly } from './fold.ts'

test.each([
  ['José', 'jose'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['Łukasz', 'lukasz'],
  ['Йорг', 'иорг'],
  ['İpek', 'ipek'],
  ['O’Neil', "o'neil"],
  ['ΣΟΦΟΣ', 'σοφος'],
  ['王小明', '王小明'],
])('%s folds to %s', (word, key) => {
  expect(fold(word)).toBe(key)
})

test('every unit folds alone and beside others as by the Unicode forms', () => {
  const wrong: string[] = []
  for (let code = 0; code < 0x10000; code += 1) {
    const unit = String.fromCharCode(code)
    for (const word of [unit, `é${unit}`, `${unit}\u0301`, `${unit}é`, `は${unit}`, `क${unit}ा`, `가${unit}\u11a8`]) {
      if (fold(word) !== foldSlowly(word)) wrong.push(`${code.toString(16)} in ${word}`)
    }
  }
  expect(wrong).toEqual([])
})

test('any word folds as by the Unicode forms', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2 }),
    fc.constantFrom('Σ', 'ß', 'é', 'ال', 'か', '\u3099', '\u0654', '\u093c', '한', '\u11a8', 'Й'),
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (parts) => {
      const word = parts.join('')
      expect(fold(word)).toBe(foldSlowly(word))
    }),
  )
})
