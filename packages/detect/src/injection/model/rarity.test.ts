import { expect, test } from 'vitest'
import { createRandom } from '../../../train/rows/random.ts'
import { buckets, createFeatureBuffer, extractFeatures } from './features.ts'
import { createRarityScratch, rareSums, wholeWeight } from './rarity.ts'
import { headCount, scoringHeads } from './weights.ts'

const random = createRandom(11)
const heads = scoringHeads({
  values: Int8Array.from({ length: buckets * headCount }, () => random.below(255) - 127),
  scales: [1, 1, 1, 1, 1, 1],
  biases: [0, 0, 0, 0, 0, 0],
})
const text = Array.from({ length: 300 }, () => random.pick(['ignore', 'the', 'rules', 'of', 'x', 'système', '.'])).join(
  ' ',
)
const features = createFeatureBuffer(text.length)
const count = extractFeatures(text, features)
const scratch = createRarityScratch(features.buckets.length)
const parts = { length: text.length, heads, scratch }

function direct(start: number, end: number): number {
  const all = [...features.buckets.subarray(0, count)]
  return all.slice(features.until[start], features.until[end]).reduce((sum, bucket) => {
    const times = Math.min(255, all.filter((other) => other === bucket).length)
    return sum + ((heads.pairs[bucket] ?? 0) >> 8) * Math.round(wholeWeight / Math.sqrt(times))
  }, 0)
}

test('a weight counts the less, the more often its feature stands in the text', () => {
  const spans = [
    { start: 10, end: 60 },
    { start: 400, end: 480 },
  ]
  expect(rareSums(spans, features, parts)).toEqual(spans.map(({ start, end }) => direct(start, end)))
})

test('many spans over each other give the same sums', () => {
  const spans = Array.from({ length: 60 }, (_, i) => ({ start: i, end: text.length - i }))
  expect(rareSums(spans, features, parts).slice(0, 3)).toEqual(
    spans.slice(0, 3).map(({ start, end }) => direct(start, end)),
  )
})
