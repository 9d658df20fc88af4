// A trust score from the evidence of all signals with 10,000 open events: each step of a run, of an explanation and of a
// history, beside one pass over the same evidence.
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const child = await startChild('bench/servers/trust.ts')
await child.stop()

const { times } = child
const at = (name, share) => [...times[name]].sort((a, b) => a - b)[Math.floor(times[name].length * share)]
const best = (name) => Math.min(...times[name])

report('trust', {
  bars: {
    'score, 10,000 open events, p99, ms': 5,
    'every step, p99, ms: the event loop is held no longer': 20,
    'a year of hours to 500 points, ms': 30,
  },
  signals: child.signals,
  milliseconds: Object.fromEntries(
    Object.keys(times).map((name) => [name, { best: best(name), median: median(times[name]), p99: at(name, 0.99) }]),
  ),
  times_the_floor: {
    'score, 10,000 open events': best('score, 10,000 open events') / best('floor, 10,000 open events'),
    'score, half of 10,000 closed': best('score, half of 10,000 closed') / best('floor, half of 10,000 closed'),
    'run: retain, score, hash': best('run: retain, score, hash') / best('floor of a run: JSON and SHA-256'),
  },
})
