/** One point of a series: its moment (Unix milliseconds), its value, and the extremes of the stretch it stands for. */
export interface SeriesPoint {
  readonly time: number
  readonly value: number
  readonly min: number
  readonly max: number
}

/**
 * At most `limit` (3 or more) of the points, chosen by Largest-Triangle-Three-Buckets (S. Steinarsson, "Downsampling
 * Time Series for Visual Representation", University of Iceland 2013). First and last stay, and from a limit of 4 on
 * the lowest and the highest, which the method alone may drop. Each point kept takes over the extremes of those
 * dropped before it, so that a dip never vanishes.
 */
export function downsample<P extends SeriesPoint>(points: readonly P[], limit: number): readonly P[] {
  if (points.length <= limit) return points
  const kept = limit === 3 ? largestTriangles(points, 3) : withExtremes(points, largestTriangles(points, limit - 2))
  return kept.map((index, place) => covering(points, index, (kept[place - 1] ?? -1) + 1))
}

function withExtremes(points: readonly SeriesPoint[], kept: readonly number[]): readonly number[] {
  let lowest = 0
  let highest = 0
  points.forEach((point, index) => {
    if (point.min < (points[lowest]?.min ?? 0)) lowest = index
    if (point.max > (points[highest]?.max ?? 0)) highest = index
  })
  return [...new Set([...kept, lowest, highest])].toSorted((a, b) => a - b)
}

function covering<P extends SeriesPoint>(points: readonly P[], index: number, from: number): P {
  const own = points[index]
  if (own === undefined) throw new RangeError(`There is no point ${index}.`)
  let { min, max } = own
  for (const point of points.slice(from, index + 1)) {
    min = Math.min(min, point.min)
    max = Math.max(max, point.max)
  }
  return { ...own, min, max }
}

/** Indices of `count` points, ascending: from each bucket the point with the largest triangle over its neighbors. */
function largestTriangles(points: readonly SeriesPoint[], count: number): readonly number[] {
  const inner = count - 2
  const edge = (bucket: number) => Math.floor((bucket * (points.length - 2)) / inner) + 1
  const kept = [0]
  let left = points[0]
  for (let bucket = 0; bucket < inner; bucket++) {
    const right = centerOf(points.slice(edge(bucket + 1), bucket + 2 > inner ? points.length : edge(bucket + 2)))
    let best = { index: edge(bucket), area: -1 }
    for (let index = edge(bucket); index < edge(bucket + 1); index++) {
      const area = doubleArea(left, points[index], right)
      if (area > best.area) best = { index, area }
    }
    kept.push(best.index)
    left = points[best.index]
  }
  return [...kept, points.length - 1]
}

type Corner = Pick<SeriesPoint, 'time' | 'value'>

function centerOf(points: readonly Corner[]): Corner {
  let time = 0
  let value = 0
  for (const point of points) {
    time += point.time
    value += point.value
  }
  return { time: time / points.length, value: value / points.length }
}

function doubleArea(a: Corner | undefined, b: Corner | undefined, c: Corner): number {
  if (a === undefined || b === undefined) return 0
  return Math.abs((a.time - c.time) * (b.value - a.value) - (a.time - b.time) * (c.value - a.value))
}
