/** How long a detector takes for texts of several sizes, made of harmless texts. Tested in latency.test.ts. */
import { quantileOf } from './metrics.ts'

export interface LatencyFigures {
  /** Length of the texts, UTF-16 units. */
  readonly characters: number
  readonly runs: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

export type LatencyReport = Readonly<Record<string, readonly LatencyFigures[]>>

interface Size {
  readonly characters: number
  readonly runs: number
}

// Fewer runs of slower work: about as much work for every size.
const sizes: readonly Size[] = [
  { characters: 500, runs: 400 },
  { characters: 2_000, runs: 200 },
  { characters: 10_000, runs: 100 },
  { characters: 100_000, runs: 20 },
  { characters: 1_000_000, runs: 5 },
]

/** Text kept for the measurement: enough for the largest size. */
export const longestPool = 1_000_000

/** Harmless texts one after the other, up to a length. */
export interface TextPool {
  add(text: string): void
  text(): string
}

/** A pool that keeps the first million characters. */
export function createTextPool(): TextPool {
  const parts: string[] = []
  let length = 0
  return {
    add: (text) => {
      if (length >= longestPool) return
      parts.push(`${text.slice(0, longestPool - length)}\n`)
      length += text.length + 1
    },
    text: () => parts.join(''),
  }
}

export interface LatencyTask {
  readonly name: string
  readonly run: (text: string) => unknown
}

/** Measures each task on slices of the pool, which is repeated where it is too short. `now` gives milliseconds. */
export function measureLatency(pool: string, tasks: readonly LatencyTask[], now: () => number): LatencyReport {
  const text = pool.length === 0 ? '' : pool.repeat(Math.ceil((2 * longestPool) / pool.length))
  return Object.fromEntries(
    tasks.map(({ name, run }) => [name, text === '' ? [] : sizes.map((size) => figuresOf(text, { size, run, now }))]),
  )
}

interface Measurement {
  readonly size: Size
  readonly run: (text: string) => unknown
  readonly now: () => number
}

function figuresOf(text: string, { size, run, now }: Measurement): LatencyFigures {
  const { characters, runs } = size
  const took: number[] = []
  const stride = Math.floor(longestPool / runs)
  // A warm-up of a quarter is not counted; every run gets another slice.
  for (let turn = -Math.ceil(runs / 4); turn < runs; turn += 1) {
    const start = ((turn + runs) % runs) * stride
    const slice = text.slice(start, start + characters)
    const began = now()
    run(slice)
    if (turn >= 0) took.push(now() - began)
  }
  return { characters, runs, p50: quantileOf(took, 0.5), p99: quantileOf(took, 0.99) }
}
