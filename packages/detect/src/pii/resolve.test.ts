import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../base/finding.ts'
import { resolveOverlaps } from './resolve.ts'

const finding = (type: string, start: number, end: number, rest: Partial<Finding> = {}): Finding => ({
  detector: 'pii',
  type,
  start,
  end,
  score: 0.9,
  ...rest,
})

const types = (findings: readonly Finding[]): string[] => resolveOverlaps(findings).map(({ type }) => type)

describe('overlapping readings', () => {
  test('the longest number with holding check digits wins over a surer short one', () => {
    const iban = finding('IBAN', 0, 22, { rule: 'iban', score: 0.99 })
    expect(types([finding('PHONE', 4, 15, { score: 1 }), iban])).toEqual(['IBAN'])
  })

  test('a doubtful number gives way to a sure one', () => {
    const doubtful = finding('IBAN', 0, 22, { rule: 'iban', score: 0.5, evidence: 'invalid checksum' })
    expect(types([doubtful, finding('PHONE', 0, 20, { score: 0.98 })])).toEqual(['PHONE'])
  })

  test('among equals the more specific type wins', () => {
    expect(types([finding('PHONE', 0, 10), finding('US_SSN', 0, 10)])).toEqual(['US_SSN'])
  })

  test('no two findings overlap, and one alone is never lost', () => {
    const some = fc
      .record({
        start: fc.nat(60),
        length: fc.integer({ min: 1, max: 20 }),
        score: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ start, length, score }) => finding('PHONE', start, start + length, { score }))
    fc.assert(
      fc.property(fc.array(some, { maxLength: 30 }), (findings) => {
        const kept = resolveOverlaps(findings)
        for (const [index, { start }] of kept.entries()) expect(start).toBeGreaterThanOrEqual(kept[index - 1]?.end ?? 0)
        // Nothing found is left uncovered altogether.
        for (const one of findings) expect(kept.some(({ start, end }) => start < one.end && one.start < end)).toBe(true)
      }),
    )
  })
})

test('what is left of an overlapping value of the same type stays covered', () => {
  const kept = resolveOverlaps([finding('EMAIL', 0, 6), finding('EMAIL', 2, 14)])
  expect(kept.map(({ start, end }) => [start, end])).toEqual([
    [0, 6],
    [6, 14],
  ])
})
