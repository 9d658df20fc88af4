import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { Explanation } from '../schemas/explanation.ts'
import type { Finding, ScanResult } from './detectors.ts'
import { explain, largestExplanation } from './explanation.ts'
import type { ScannedText } from './looked-at.ts'

function scanned(location: string, over: Partial<ScanResult>): ScannedText {
  const result: ScanResult = {
    score: 0.95,
    verdict: 'block',
    families: ['role-override'],
    findings: [],
    pack: 'test',
    truncated: false,
    ...over,
  }
  return { piece: { location, provenance: 'user', text: 'never shown' }, result }
}

const finding = (rule: string, score: number, over: Partial<Finding> = {}): Finding => ({
  detector: 'injection',
  type: 'role-override',
  start: 3,
  end: 9,
  score,
  rule,
  ...over,
})

describe('an explanation', () => {
  test('is null when nothing was flagged', () => {
    expect(explain([scanned('/messages/0/content', { verdict: 'allow', score: 0.2 })])).toBeNull()
  })

  test('names the strongest rules of the worst texts first', () => {
    const weak = scanned('/messages/0/content', { verdict: 'flag', score: 0.6, findings: [finding('weak', 0.6)] })
    const strong = scanned('/messages/1/content', { findings: [finding('second', 0.4), finding('first', 0.9)] })
    const shown = explain([weak, strong])
    expect(shown?.texts.map(({ location }) => location)).toEqual(['/messages/1/content', '/messages/0/content'])
    expect(shown?.texts[0]?.rules.map(({ id }) => id)).toEqual(['first', 'second'])
    expect(shown?.texts_total).toBe(2)
  })

  test('tells how hidden text was reached and never what it says', () => {
    const hidden = finding('first', 0.9, { via: ['base64', 'hex'], evidence: 'the words themselves' })
    const shown = explain([scanned('/messages/0/content', { findings: [hidden] })])
    expect(shown?.texts[0]?.rules[0]).toEqual({
      id: 'first',
      family: 'role-override',
      score: 0.9,
      start: 3,
      end: 9,
      via: ['base64', 'hex'],
    })
    expect(JSON.stringify(shown)).not.toMatch(/never shown|themselves/)
  })

  test('fits a log row whatever was found, and says how much it leaves out', () => {
    const word = (most: number) => fc.string({ minLength: 1, maxLength: most, unit: 'grapheme-ascii' })
    const anyFinding = fc.record({
      detector: fc.constant('injection' as const),
      type: word(64),
      start: fc.nat(),
      end: fc.nat(),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      rule: word(200),
      via: fc.array(word(40), { maxLength: 12 }),
    })
    const anyText = fc
      .record({ families: fc.array(word(40), { maxLength: 17 }), findings: fc.array(anyFinding, { maxLength: 40 }) })
      .map((over) => scanned('/messages/0/content', over))
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 8 }), (texts) => {
        const shown = explain(texts)
        expect(Value.Check(Explanation, shown)).toBe(true)
        expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(largestExplanation)
        expect(shown?.texts_total).toBe(texts.length)
      }),
    )
  })
})
