import { expect, test } from 'vitest'
import { isAnyLetter, isHalf, isMark, isUpper, isWhite, startsUpper } from './letters.ts'

test('every unit but halves of pairs has the classes of its character', () => {
  const wrong: string[] = []
  for (let code = 0; code < 0x10000; code += 1) {
    if (isHalf(code)) continue
    const char = String.fromCharCode(code)
    const classes = [isUpper(code), isAnyLetter(code), isMark(code), isWhite(code), startsUpper(char)]
    const expected = [/\p{Lu}/u, /\p{L}/u, /\p{M}/u, /\s/, /\p{Lu}/u].map((pattern) => pattern.test(char))
    if (classes.join() !== expected.join()) wrong.push(code.toString(16))
  }
  expect(wrong).toEqual([])
})

test('a capital outside the basic plane begins a word', () => {
  expect(startsUpper('\u{10400}bc')).toBe(true)
  expect(startsUpper('\u{10428}bc')).toBe(false)
  expect(startsUpper('\ud801')).toBe(false)
  expect(isUpper(Number.NaN)).toBe(false)
})
