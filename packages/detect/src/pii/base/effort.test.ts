import { describe, expect, test } from 'vitest'
import { redact } from '../../redaction/redact.ts'
import { restore } from '../../redaction/restore.ts'
import { createVault } from '../../redaction/vault.ts'
import { findPii, searchPii, uninspected } from '../find-pii.ts'

const given = ['Anna', 'James', 'Maria', 'Peter', 'Linda', 'Robert', 'Susan', 'Thomas', 'Julia', 'Emma']
const family = [
  'Smith',
  'Miller',
  'Johnson',
  'Brown',
  'Garcia',
  'Schmidt',
  'Weber',
  'Novak',
  'Hansen',
  'Costa',
  'Silva',
]
const of = (list: readonly string[], n: number): string => list[n % list.length] ?? ''
const nameOf = (n: number): string => `${of(given, n)} ${of(family, n)}`
const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('')
const countOf = (text: string, type: string): number =>
  searchPii(text).findings.filter((finding) => finding.type === type).length

describe('an ordinary text is searched to its end', () => {
  test('a table of 100,000 people', () => {
    const text = lines(100_000, (n) => `${n},${nameOf(n)},user${n}@example.com\n`)
    expect(searchPii(text).truncated).toBe(false)
    expect(countOf(text, 'EMAIL')).toBe(100_000)
    expect(countOf(text, 'PERSON')).toBe(100_000)
  })

  test('a log with 20,000 addresses', () => {
    const text = lines(
      20_000,
      (n) => `2025-10-12T13:55:${10 + (n % 50)}Z 81.2.${n >> 8}.${n & 255} GET /a/${n} 200 ${n % 977}\n`,
    )
    expect(text.length).toBeGreaterThan(900_000)
    expect(searchPii(text).truncated).toBe(false)
    expect(countOf(text, 'IP_ADDRESS')).toBeGreaterThan(19_000)
  })

  test.each([
    [
      'people with all that is known of them',
      (n: number) =>
        `${n},${nameOf(n)},u${n}@example.org,(202) 555-01${10 + (n % 90)},1980-02-${10 + (n % 18)},${n % 999} Oak Street,Austin,TX,${73301 + (n % 99)}\n`,
    ],
    ['addresses', (n: number) => `${1 + (n % 999)} Main St, Austin, TX ${73301 + (n % 99)}\n`],
    ['telephone numbers', (n: number) => `(202) 555-01${10 + (n % 90)}\n`],
    ['names', (n: number) => `${nameOf(n)}\n`],
    ['small numbers', (n: number) => `${n % 97} ${n % 7} ${n % 13}\n`],
    ['codes', (n: number) => `${of(['USD', 'EUR', 'GBP', 'TX', 'Y', 'N'], n)},`],
  ])('1 MB of %s', (_what, line) => {
    expect(searchPii(lines(1_000_000 / line(500).length, line)).truncated).toBe(false)
  })
})

describe('a text with more to judge than is judged', () => {
  const flood = '1 TN '.repeat(200_000)
  const text = `${flood}write to jane.early@example.org`

  test('says so, and its only finding is the text', () => {
    expect(searchPii(text)).toEqual({
      findings: [{ detector: 'pii', type: uninspected, start: 0, end: text.length, score: 1 }],
      truncated: true,
    })
  })

  test('says so whatever is looked for', () => {
    const options = { types: ['ADDRESS'], minScore: 1, locales: ['DE'] }
    expect(findPii(text, options).map(({ type }) => type)).toEqual([uninspected])
  })

  test('is searched by the recognizers that cost little when only those are wanted', () => {
    expect(findPii(text, { types: ['EMAIL'] }).map(({ type }) => type)).toEqual(['EMAIL'])
  })

  test('is redacted as a whole and can be put back', () => {
    const vault = createVault()
    const redacted = redact(text, findPii(text), vault)
    expect(redacted.text).toBe('⟦UNINSPECTED_1⟧')
    expect(restore(redacted.text, vault)).toBe(text)
  })

  test('is not met below a length that no flood fills', () => {
    expect(searchPii(flood.slice(0, 100_000)).truncated).toBe(false)
  })
})
