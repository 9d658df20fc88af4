import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../train/rows/random.ts'
import { buckets, createFeatureBuffer, extractFeatures } from './features.ts'
import { createScratch } from './prefix-sums.ts'
import { headCount, type LinearHeads, scoringHeads } from './weights.ts'
import { scales, scoreText } from './windows.ts'

const random = createRandom(7)
const heads: LinearHeads = {
  values: Int8Array.from({ length: buckets * headCount }, () => random.below(255) - 127),
  scales: [0.01, 0.02, 0.03, 0.04, 0.05, 0.06],
  biases: [-1, -2, -3, -4, -5, -6],
}
const scoring = scoringHeads(heads)
const words = ['ignore', 'the', 'previous', 'тест', '指示', 'a', 'b2', '—', '.', 'système']
const someText = (length: number): string => {
  let text = ''
  while (text.length < length) text += `${random.pick(words)}${random.pick([' ', ' ', '\n', ''])}`
  return text.slice(0, length)
}

/** The definition, without prefix sums: `w·x / √n + b` over the features whose last character lies in the window. */
function direct(text: string, start: number, end: number, head: number): number {
  const features = createFeatureBuffer(text.length)
  extractFeatures(text, features)
  const [from = 0, to = 0] = [features.until[start], features.until[end]]
  const count = to - from
  const sum = features.buckets
    .subarray(from, to)
    .reduce((all, bucket) => all + (heads.values[bucket * headCount + head] ?? 0), 0)
  return (count === 0 ? 0 : (sum * (heads.scales[head] ?? 0)) / Math.sqrt(count)) + (heads.biases[head] ?? 0)
}

describe('window scores', () => {
  test.each([0, 1, 50, 159, 160, 161, 1_000])(
    'a text of %i characters scores as the sums over its features say',
    (length) => {
      const text = someText(length)
      const { whole, best } = scoreText(text, scoring, createScratch())
      expect(whole).toBeCloseTo(direct(text, 0, text.length, 0), 9)
      for (const { start, end, heads: logits } of best)
        logits.forEach((logit, head) => {
          expect(logit).toBeCloseTo(direct(text, start, end, head), 9)
        })
    },
  )

  test('the best window is the best of all windows of its size', () => {
    const text = someText(2_000)
    const { best } = scoreText(text, scoring, createScratch())
    scales.forEach((size, i) => {
      const starts = Array.from({ length: Math.ceil((text.length - size) / (size >> 2)) }, (_, k) => k * (size >> 2))
      const all = [...starts, text.length - size].map((start) => direct(text, start, start + size, 0))
      expect(best[i]?.heads[0]).toBeCloseTo(Math.max(...all), 9)
    })
  })

  test('a text longer than a block finds the window it would find in one piece', () => {
    const needle = someText(900)
    const hay = 'zz '.repeat(30_000)
    const text = `${hay}${needle}${hay}`
    const { best } = scoreText(text, scoring, createScratch())
    const alone = scoreText(`${hay.slice(-2_100)}${needle}${hay.slice(0, 2_100)}`, scoring, createScratch())
    expect(best[0]?.heads[0]).toBeCloseTo(alone.best[0]?.heads[0] ?? 0, 0)
    expect(best[0]?.start).toBeGreaterThan(hay.length - 200)
    expect(best[0]?.end).toBeLessThan(hay.length + needle.length + 200)
  })

  test('a flood of one character adds no features', () => {
    expect(extractFeatures(']'.repeat(10_000), createFeatureBuffer(10_000))).toBeLessThan(40)
  })
})
