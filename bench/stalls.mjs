// The longest that one call holds the event loop, and what a small call of another tenant waits meanwhile: texts that are
// much work, as large as they may be, as call and as answer, whole and as a stream. BENCH_CASES, BENCH_MIB and BENCH_SIDES
// choose some of it.
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { percentile } from './load.mjs'
import { report } from './report.mjs'

/** Mebibytes of text; of a call at most ten are looked at. */
const mib = Number(process.env.BENCH_MIB ?? 16)
const mostInput = 10_000_000
/** So long a call is waited for. */
const limitMs = 90_000
const neighborEveryMs = 20

const peers = await startChild('bench/servers/stall-peers.ts')
const child = await startChild('bench/servers/stalls.ts', {
  env: { BENCH_UPSTREAM: `http://127.0.0.1:${peers.port}/v1` },
})
const names = process.env.BENCH_CASES?.split(';') ?? peers.cases
const sides = process.env.BENCH_SIDES?.split(';') ?? ['input', 'input, stream', 'output', 'output, stream']

let salt = 0
async function neighborCall() {
  salt += 1
  const from = performance.now()
  const answer = await fetch(`http://127.0.0.1:${child.port}/api/v1/gateway/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${child.other}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock-1', messages: [{ role: 'user', content: `A neighbor asks, ${salt}.` }] }),
  })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`the neighbor's call answered ${answer.status}`)
  return performance.now() - from
}

/** Calls of the neighbor until the work is done; at least some. */
async function besides(work) {
  let isDone = false
  const over = work.finally(() => {
    isDone = true
  })
  const taken = []
  while (!isDone || taken.length < 10) {
    taken.push(await neighborCall())
    await pause(neighborEveryMs)
  }
  const sorted = taken.toSorted((a, b) => a - b)
  return { done: await over, p50_ms: percentile(sorted, 0.5), longest_ms: sorted.at(-1) }
}

async function measure(name, side) {
  const [at, streamed] = side.split(', ')
  const characters = at === 'input' ? Math.min(mostInput, mib * 2 ** 20) : Math.floor(mib * 2 ** 20 * 0.95)
  const ask = {
    name,
    side: at,
    stream: streamed !== undefined,
    characters,
    port: child.port,
    token: child.token,
    limitMs,
  }
  const { bytes } = await peers.ask({ ...ask, type: 'prepare' })
  await pause(200)
  await child.ask({ type: 'hold' })
  const { done, ...neighbor } = await besides(peers.ask({ ...ask, type: 'call' }))
  const hold = await child.ask({ type: 'hold' })
  const row = {
    name,
    side,
    bytes,
    status: done.status,
    seconds: done.seconds,
    hold_ms: hold.cpu,
    hold_wall_ms: hold.wall,
  }
  console.error(JSON.stringify({ ...row, neighbor }))
  return { ...row, neighbor }
}

for (let warm = 0; warm < 100; warm += 1) await neighborCall()
const alone = await besides(pause(3000))
const rows = []
// A first round over small ones warms the compiler and is not counted.
for (const name of names) for (const side of sides) await warmUp(name, side)
for (const name of names) for (const side of sides) rows.push(await measure(name, side))
await child.stop()
await peers.stop()

async function warmUp(name, side) {
  const [at, streamed] = side.split(', ')
  const ask = {
    name,
    side: at,
    stream: streamed !== undefined,
    characters: 100_000,
    port: child.port,
    token: child.token,
  }
  await peers.ask({ ...ask, type: 'prepare' })
  await peers.ask({ ...ask, limitMs, type: 'call' })
}

const longest = rows.toSorted((a, b) => b.hold_ms - a.hold_ms)
report('stalls', {
  ...{ mib, cases: names.length },
  longest_hold_ms: longest[0]?.hold_ms,
  over_50_ms: rows.filter(({ hold_ms: ms }) => ms > 50).length,
  neighbor_alone: { p50_ms: alone.p50_ms, longest_ms: alone.longest_ms },
  rows: longest,
  bars: { longest_hold_ms: 50 },
})
