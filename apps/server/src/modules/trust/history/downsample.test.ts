import fc from 'fast-check'
import { expect, test } from 'vitest'
import { downsample, type SeriesPoint } from './downsample.ts'

const MS_PER_HOUR = 3_600_000

const series = (values: readonly number[]): readonly SeriesPoint[] =>
  values.map((value, hour) => ({ time: hour * MS_PER_HOUR, value, min: value, max: value }))

const anySeries = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 400 }).map(series)
const lowestOf = (points: readonly SeriesPoint[]) => Math.min(...points.map((point) => point.min))
const highestOf = (points: readonly SeriesPoint[]) => Math.max(...points.map((point) => point.max))

test('never more points than asked for, in the order of time, and all of them when they fit', () => {
  fc.assert(
    fc.property(anySeries, fc.integer({ min: 3, max: 500 }), (points, limit) => {
      const kept = downsample(points, limit)
      expect(kept.length).toBeLessThanOrEqual(limit)
      expect(kept.map((point) => point.time)).toEqual(kept.map((point) => point.time).toSorted((a, b) => a - b))
      if (points.length <= limit) expect(kept).toEqual(points)
    }),
  )
})

test('the first, the last, the lowest and the highest point stay', () => {
  fc.assert(
    fc.property(anySeries, fc.integer({ min: 4, max: 60 }), (points, limit) => {
      const kept = downsample(points, limit)
      const values = kept.map((point) => point.value)
      expect(kept[0]).toMatchObject({ time: points[0]?.time, value: points[0]?.value })
      expect(kept.at(-1)).toMatchObject({ time: points.at(-1)?.time, value: points.at(-1)?.value })
      expect(Math.min(...values)).toBe(lowestOf(points))
      expect(Math.max(...values)).toBe(highestOf(points))
    }),
  )
})

test('whatever was dropped lies between the extremes of the point kept after it', () => {
  fc.assert(
    fc.property(anySeries, fc.integer({ min: 3, max: 60 }), (points, limit) => {
      const kept = downsample(points, limit)
      for (const point of points) {
        const cover = kept.find((candidate) => candidate.time >= point.time)
        expect(cover?.min).toBeLessThanOrEqual(point.value)
        expect(cover?.max).toBeGreaterThanOrEqual(point.value)
      }
    }),
  )
})

// A straight line with one spike: the triangle over the spike is the only one that is not flat.
test('a spike survives even at three points', () => {
  const values = Array.from({ length: 101 }, (_, hour) => (hour === 37 ? 9_000 : 5_000))
  expect(downsample(series(values), 3).map((point) => point.value)).toEqual([5_000, 9_000, 5_000])
})
