import { expect, test } from 'vitest'
import { sumTrees } from '../src/injection/model/trees.ts'
import { trainTrees } from './boosting.ts'
import { createRandom } from './rows/random.ts'

const random = createRandom(3)
const rows = Array.from({ length: 2_000 }, () => Float64Array.of(random.next() * 4 - 2, random.next(), random.next()))
// The first feature decides; the second is noise; the third lowers the odds.
const labels = rows.map((row) => Number((row[0] ?? 0) - (row[2] ?? 0) + 0.5 * (random.next() - 0.5) > 0))
const settings = { trees: 40, depth: 3, rate: 0.2, penalty: 1, least: 5 }
const trees = trainTrees({ rows, labels, weights: rows.map(() => 1), directions: [1, 1, -1] }, settings)

test('the trees learn what decides', () => {
  const right = rows.filter((row, i) => Number(sumTrees(trees, row) > 0) === labels[i]).length
  expect(right / rows.length).toBeGreaterThan(0.93)
})

test('more of a feature never moves the logit against its direction', () => {
  for (let i = 0; i < 500; i += 1) {
    const row = [random.next() * 4 - 2, random.next(), random.next()]
    for (const [feature, direction] of [1, 1, -1].entries()) {
      const more = row.map((value, k) => (k === feature ? value + random.next() : value))
      expect((sumTrees(trees, more) - sumTrees(trees, row)) * direction).toBeGreaterThanOrEqual(-1e-9)
    }
  }
})

test('what is not for the trees does not decide', () => {
  const blind = trainTrees({ rows, labels, weights: rows.map(() => 1), directions: [0, 1, -1] }, settings)
  expect(blind.trees.flatMap(({ feature }) => feature)).not.toContain(0)
  expect(sumTrees(blind, [2, 0.5, 0.5])).toBe(sumTrees(blind, [-2, 0.5, 0.5]))
})

test('the same rows give the same trees', () => {
  const again = trainTrees({ rows, labels, weights: rows.map(() => 1), directions: [1, 1, -1] }, settings)
  expect(again).toEqual(trees)
})
