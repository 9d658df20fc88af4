import { expect, test } from 'vitest'
import { createOpenings } from './openings.ts'

/** The text before the earliest place where a value may be open. */
function settledOf(text: string, opening?: string): string {
  const openings = createOpenings(opening)
  let at = 0
  for (let i = 0; i < text.length; i += 1) at = openings.step(text.charCodeAt(i))
  return text.slice(0, at)
}

test.each([
  ['a word that is not over is open', 'some words and mor', 'some words and '],
  ['a word is settled by a plain word after it', 'fine words come', 'fine '],
  ['a word of a sentence is settled at once', 'fine words and the ', 'fine words and the '],
  ['a word is settled eight characters after it, when a number cannot follow', 'the word follows.', 'the word '],
  ['a closed word is settled at once', 'well, now: AKIA', 'well, now: '],
  ['a word before a number is open with it', 'it was on March 5', 'it was on '],
  ['a closed word before a number is settled', 'it was this: 5', 'it was this: '],
  ['an address is open', 'mail me at ann@example.com ', 'mail me at '],
])('%s', (_name, text, settled) => {
  expect(settledOf(text)).toBe(settled)
})

test('a number is open until 48 characters after the words that may belong to it', () => {
  // `were` cannot belong to a number; `got` might.
  const text = 'we got 12 were it not for others who came along with us too, so it is'
  expect(settledOf(text.slice(0, 9 + 47))).toBe('we ')
  expect(settledOf(text.slice(0, 9 + 48)).length).toBeGreaterThan(30)
})

test.each([
  ['a month', '12 March ', 'and more words come here. '],
  ['a group of capitals', 'MT84 MALT ', 'and more words come here. '],
  ['an extension', '12345678 extension ', 'and more words come here. '],
])('over %s a number goes on', (_name, text, rest) => {
  // 48 characters from the end of the word, which is later than from the end of the number.
  const whole = `say ${text}${rest.repeat(3)}`
  const numberEnd = 4 + text.indexOf(' ')
  expect(settledOf(whole.slice(0, numberEnd + 48))).not.toContain(text.slice(0, 4))
  expect(settledOf(whole.slice(0, 4 + text.length + 48 + 12))).toContain(text)
})

test('a line end ends what a number began', () => {
  expect(settledOf(`1.\n${'the and for '.repeat(4)}`)).toContain('1.\nthe and ')
})

test('an opening of its own kind stays open over any words', () => {
  const text = `a <b and ${'other words '.repeat(6)}`
  expect(settledOf(text, '\u27e6')).not.toBe('')
  expect(settledOf(`a \u27e6 b and ${'other words '.repeat(6)}`, '\u27e6')).toBe('a ')
})
