import { expect, test } from 'vitest'
import { createPeaks } from './peaks.ts'

function peaksOf(logits: readonly (readonly [position: number, logit: number])[]) {
  const peaks = createPeaks()
  for (const [position, logit] of logits) peaks.raise(position, logit)
  return peaks.standOut()
}

test('a text with one place has nothing to stand out from', () => {
  expect(peaksOf([])).toEqual({ next: 0, fourth: 0 })
  expect(
    peaksOf([
      [0, 3],
      [400, 5],
    ]),
  ).toEqual({ next: 0, fourth: 0 })
})

test('the best place is compared with the best and the fourth best elsewhere', () => {
  const elsewhere = [0, 1, 2, 3, 4].map((logit, i) => [5_000 + i * 600, logit] as const)
  expect(peaksOf([[100, 10], ...elsewhere])).toEqual({ next: 6, fourth: 9 })
})

test('what lies beside the best place is the same place', () => {
  expect(
    peaksOf([
      [1_000, 10],
      [1_500, 9.5],
      [600, 9],
      [9_000, 2],
    ]),
  ).toEqual({ next: 8, fourth: 8 })
})

test('the order of arrival does not matter', () => {
  const found = [
    [0, 1],
    [2_000, 7],
    [6_000, 3],
    [600, -2],
    [4_000, 5],
  ] as const
  expect(peaksOf([...found].reverse())).toEqual(peaksOf(found))
})
