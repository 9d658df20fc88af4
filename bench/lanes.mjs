// Trust runs and scans of large calls beside a Monte Carlo on the long lane, and without it, in turns: the ratio of their
// latencies, and how long a simulation goes on after it was cancelled.
import { bundle } from '../scripts/build.mjs'
import { startChild } from './child.mjs'
import { load, percentile } from './load.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
/** Seconds of each half of a round. */
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const scansPerSecond = 5
const runsPerSecond = 2

await bundle({ 'bench-lanes-thread': 'bench/servers/lanes-thread.ts' }, 'dist/bench')
const upstream = await startChild('bench/servers/upstream.mjs')
const child = await startChild('bench/servers/lanes.ts', {
  env: { BENCH_UPSTREAM: `http://127.0.0.1:${upstream.port}/v1` },
})
const headers = { authorization: `Bearer ${child.token}` }

const sentence = 'The committee agreed on the plan, asked for figures by spring and thanked everybody who had come. '
let salt = 0
/** Long enough to be looked at in a thread, and no two alike. */
const largeCall = () => {
  salt += 1
  const content = `Minutes ${salt}. ${sentence.repeat(420)}`
  return JSON.stringify({ model: 'mock-1', messages: [{ role: 'user', content }] })
}

async function phase() {
  const all = { port: child.port, headers }
  const scans = load({
    ...{ ...all, path: '/api/v1/gateway/chat/completions', body: largeCall },
    ...{ connections: 4, total: scansPerSecond * seconds, rate: scansPerSecond },
  })
  const runs = trustRuns(runsPerSecond * seconds)
  return { scans: (await scans).latencies, runs: await runs }
}

/** `load` takes 200 for an answer, and a run is 201. */
async function trustRuns(total) {
  const taken = []
  for (let run = 0; run < total; run += 1) {
    const due = new Promise((resolve) => setTimeout(resolve, 1000 / runsPerSecond))
    const from = performance.now()
    const answer = await fetch(`http://127.0.0.1:${child.port}/api/v1/trust/scores/recalculate`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    })
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(`a trust run answered ${answer.status}`)
    taken.push(performance.now() - from)
    await due
  }
  return taken.sort((a, b) => a - b)
}

const taken = { without: { scans: [], runs: [] }, with: { scans: [], runs: [] } }
const cancels = []
const note = (into, { scans, runs }) => {
  into.scans.push(...scans)
  into.runs.push(...runs)
}
await phase()
for (let round = 0; round < rounds; round += 1) {
  note(taken.without, await phase())
  await child.ask({ type: 'simulate' })
  note(taken.with, await phase())
  const cancelled = await child.ask({ type: 'cancel' })
  if (cancelled.status !== 'cancelled') throw new Error(`the job ended ${cancelled.status}`)
  if (!(cancelled.progress > 0)) throw new Error('no progress of the simulation reached its job')
  cancels.push(cancelled.tookMs)
}
await child.stop()
await upstream.stop()

const figures = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  return { p50_ms: percentile(sorted, 0.5), p95_ms: percentile(sorted, 0.95) }
}
const compared = (what) => {
  const [without, beside] = [figures(taken.without[what]), figures(taken.with[what])]
  return {
    ...{ without, beside },
    ratio: { p50: beside.p50_ms / without.p50_ms, p95: beside.p95_ms / without.p95_ms },
  }
}
report('lanes', {
  ...{ rounds, seconds, simulated_seconds: rounds * seconds },
  call_scans: compared('scans'),
  trust_runs: compared('runs'),
  cancel_ms: { median: median(cancels), longest: Math.max(...cancels) },
  bars: { cancel_ms: 100 },
})
