import { systemClock } from '../../apps/server/src/kernel/base/clock.ts'
import { createMetrics } from '../../apps/server/src/kernel/observe/metrics.ts'
import { createThreads } from '../../apps/server/src/kernel/threads/threads.ts'
import { createExactVectors } from '../../apps/server/src/kernel/vectors/exact.ts'
import { scanVectors } from '../../apps/server/src/kernel/vectors/scan-task.ts'
import { numbersFrom, randomVector } from '../../apps/server/src/kernel/vectors/testing/numbers.ts'

/** An index of so many random vectors, and ways to ask it for the ten nearest. */
export function open(count: number, dimension: number) {
  const next = numbersFrom(1)
  const parts = { entry: new URL('./thread.mjs', import.meta.url), tasks: [scanVectors], size: 1 }
  const threads = createThreads({ ...parts, clock: systemClock(), metrics: createMetrics() })
  const [index, inPlace] = [0, Number.POSITIVE_INFINITY].map((inPlaceProducts) =>
    createExactVectors({ threads, inPlaceProducts }).create(dimension),
  )
  if (index === undefined || inPlace === undefined) throw new Error('there is no index')
  const plain = new Float32Array(count * dimension)
  for (let n = 0; n < count; n += 1) {
    const vector = randomVector(next, dimension)
    plain.set(vector, n * dimension)
    index.put(`v${n}`, vector)
    inPlace.put(`v${n}`, vector)
  }
  const vector = randomVector(next, dimension)
  return {
    thread: () => index.search({ vector, top: 10 }),
    in_place: () => inPlace.search({ vector, top: 10 }),
    floor: async () => nearest(plain, vector),
    bytes: index.bytes,
    stop: () => threads.stop(),
  }
}

function nearest(plain: Float32Array, query: Float32Array): number {
  let [best, found] = [Number.NEGATIVE_INFINITY, -1]
  for (let from = 0; from < plain.length; from += query.length) {
    let sum = 0
    for (let at = 0; at < query.length; at += 1) sum += (plain[from + at] ?? 0) * (query[at] ?? 0)
    if (sum > best) [best, found] = [sum, from]
  }
  return found
}
