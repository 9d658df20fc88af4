// The ten nearest of 100,000 vectors of 384 numbers, out of a thread and in place, beside the least that finds them: a plain
// loop over one array that keeps the best one.
import { bundle } from '../scripts/build.mjs'
import { median, report } from './report.mjs'

await bundle({ 'bench-vectors': 'bench/servers/vectors.ts' }, 'dist/bench')
const { open } = await import('../dist/bench/bench-vectors.mjs')

const rounds = Number(process.env.BENCH_ROUNDS ?? 15)
const result = {}
for (const [count, dimension] of [
  [10_000, 384],
  [100_000, 384],
  [100_000, 1_536],
]) {
  const run = open(count, dimension)
  const times = { thread: [], in_place: [], floor: [] }
  for (let round = 0; round < rounds + 3; round += 1)
    for (const [name, measured] of Object.entries(times)) {
      const begun = performance.now()
      await run[name]()
      if (round >= 3) measured.push(performance.now() - begun)
    }
  await run.stop()
  result[`${count} × ${dimension}`] = {
    milliseconds: Object.fromEntries(
      Object.entries(times).map(([name, measured]) => [
        name,
        { median: median(measured), worst: Math.max(...measured) },
      ]),
    ),
    times_the_floor: {
      thread: median(times.thread) / median(times.floor),
      in_place: median(times.in_place) / median(times.floor),
    },
    bytes: run.bytes,
  }
}
report('vectors', { bars: { '100,000 × 384, top 10, ms': 40 }, ...result })
