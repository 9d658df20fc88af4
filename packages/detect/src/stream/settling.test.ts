import { expect, test } from 'vitest'
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { SettlingText } from './settling.ts'

/** Reports nothing and counts the characters it was given to search. */
function counting(marked = false): { matcher: Matcher; searched: () => number } {
  let characters = 0
  const collect: Matcher['collect'] = (text) => {
    characters += text.length
  }
  return { matcher: { types: [], marked, collect }, searched: () => characters }
}

test.each([
  ['prose', 'the quick brown fox. '],
  ['one endless token', 'a'],
  ['openings of private keys', '-----BEGIN PRIVATE KEY-----\n'],
  ['long lines of base64', `${'QUJD'.repeat(19)}\n`],
])('the work for %s in pieces of one character is at most eight times the text', (_name, unit) => {
  const { matcher, searched } = counting()
  const text = new SettlingText({ matchers: [matcher], minScore: 0 })
  const whole = unit.repeat(Math.ceil(200_000 / unit.length))
  for (const char of whole) {
    text.drop(text.push(char).upTo)
  }
  text.end()
  expect(searched()).toBeLessThan(8 * whole.length)
})

test.each([
  ['prose', 'the quick brown fox. '],
  ['one endless token', 'a'],
  ['numbers', '12 '],
  ['letters', 'a '],
])('where little is held back the work for %s is at most fifty times the text', (_name, unit) => {
  // About 250 characters of context and open text for every eight; 700 for 64 where more is open.
  const { matcher, searched } = counting(true)
  const text = new SettlingText({ matchers: [matcher], minScore: 0 })
  const whole = unit.repeat(Math.ceil(100_000 / unit.length))
  for (const char of whole) text.drop(text.push(char).upTo)
  text.end()
  expect(searched()).toBeLessThan(50 * whole.length)
})

test('nothing but wanted types of personal data counts before overlaps are resolved', () => {
  const collect: Matcher['collect'] = (_text, from, found) => {
    if (from > 0) return
    found.push({ detector: 'pii', type: 'A', start: 0, end: 9, score: 1 })
    found.push({ detector: 'pii', type: 'B', start: 4, end: 6, score: 0.6 })
  }
  const text = new SettlingText({ matchers: [{ types: ['A', 'B'], collect }], minScore: 0.5, types: ['B'] })
  const findings = [...text.push('0123456789').findings, ...text.end().findings]
  expect(findings.map(({ type }) => type)).toEqual(['B'])
})

/** Ten characters from every fifth on: one chain of overlaps without end. */
const endless: Matcher = {
  types: ['X'],
  collect: (text, from, found) => {
    for (let at = text.indexOf('#', from); at >= 0; at = text.indexOf('#', at + 1)) {
      if (at + 10 <= text.length) found.push({ detector: 'pii', type: 'X', start: at, end: at + 10, score: 1 })
    }
  },
}

test('an endless chain of overlapping values is decided in parts, with nothing left uncovered', () => {
  const whole = '#    '.repeat(20_000)
  const text = new SettlingText({ matchers: [endless], minScore: 0 })
  const findings: Finding[] = []
  let held = 0
  for (let at = 0; at < whole.length; at += 50) {
    const decided = text.push(whole.slice(at, at + 50))
    findings.push(...decided.findings)
    held = Math.max(held, at + 50 - decided.upTo)
  }
  findings.push(...text.end().findings)
  expect(held).toBeLessThan(17_000)
  let covered = 0
  for (const { start, end } of findings) {
    expect(start).toBe(covered)
    covered = end
  }
  // The last `#` has only five characters after it.
  expect(covered).toBe(whole.length)
})

test('where much has to be judged a search waits for more text, so that hardly anything is judged twice', () => {
  let searched = 0
  const costly: Matcher = {
    types: [],
    collect: (text, from, _found, effort) => {
      searched += text.length - from
      if (effort) effort.left -= 10 * (text.length - from)
    },
  }
  const whole = '1 TN '.repeat(20_000)
  const text = new SettlingText({ matchers: [costly], minScore: 0 })
  for (const char of whole) text.drop(text.push(char).upTo)
  text.end()
  expect(searched).toBeLessThan(1.5 * whole.length)
})
