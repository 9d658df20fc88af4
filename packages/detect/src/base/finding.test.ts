import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disjoint, type Finding } from './finding.ts'

const finding = fc
  .tuple(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 10 }))
  .map(([start, length]): Finding => ({ detector: 'pii', type: 'EMAIL', start, end: start + length, score: 1 }))

const covered = (findings: readonly Finding[]): number[] =>
  [...new Set(findings.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)))].sort(
    (a, b) => a - b,
  )

test('disjoint findings cover the same text and never overlap', () => {
  fc.assert(
    fc.property(fc.array(finding, { maxLength: 12 }), (findings) => {
      const kept = disjoint(findings)
      expect(covered(kept)).toEqual(covered(findings))
      kept.slice(1).forEach((next, i) => {
        expect(next.start).toBeGreaterThanOrEqual(kept[i]?.end ?? 0)
      })
    }),
  )
})
