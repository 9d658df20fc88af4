// The small things every request pays for, each beside the least that could do its work, in interleaved rounds.
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const child = await startChild('bench/servers/micro.ts', { env: { BENCH_ROUNDS: process.env.BENCH_ROUNDS ?? '9' } })
await child.stop()
const best = (name) => Math.min(...child.nanoseconds[name])
report('micro', {
  bars: { 'limiter take, µs': 1 },
  nanoseconds_per_operation: Object.fromEntries(
    Object.entries(child.nanoseconds).map(([name, values]) => [name, { best: best(name), median: median(values) }]),
  ),
  times_the_floor: Object.fromEntries(
    child.floors.map(([name, floor]) => [`${name} / ${floor}`, best(name) / best(floor)]),
  ),
})
