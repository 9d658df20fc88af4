// Ordinary calls while a thousand slow streams are open: their latency with and without the streams, offered at the same
// rate, and the memory a stream holds. Every stream must come to its end whole. The model, the readers of the streams and
// the server have a process each.
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { load, percentile } from './load.mjs'
import { report } from './report.mjs'

const streams = Number(process.env.BENCH_STREAMS ?? 1000)
const calls = Number(process.env.BENCH_CALLS ?? 1000)
const rate = Number(process.env.BENCH_RATE ?? 50)

const upstream = await startChild('bench/servers/slow-upstream.mjs')
const child = await startChild('bench/servers/gateway.ts', {
  env: { BENCH_UPSTREAM: `http://127.0.0.1:${upstream.port}/v1` },
})
const readers = await startChild('bench/servers/stream-client.mjs')
const path = '/api/v1/gateway/chat/completions'
const headers = { authorization: `Bearer ${child.token}` }
let salt = 0
const bodyOf = (stream) => {
  salt += 1
  return JSON.stringify({ model: 'mock-1', stream, messages: [{ role: 'user', content: `Note ${salt}.` }] })
}

async function ordinary(total) {
  const { latencies } = await load({
    ...{ port: child.port, path, headers, body: () => bodyOf(false) },
    ...{ connections: 8, total, rate },
  })
  return { p50_ms: percentile(latencies, 0.5), p99_ms: percentile(latencies, 0.99) }
}

await ordinary(Math.min(500, calls))
const without = await ordinary(calls)
const before = await child.ask({ type: 'memory' })
await readers.ask({
  ...{ type: 'start', port: child.port, path },
  headers: { ...headers, 'content-type': 'application/json' },
  bodies: Array.from({ length: streams }, () => bodyOf(true)),
})
while ((await upstream.ask({ type: 'open' })).open < streams) await pause(50)
// Writing and sealing that is left of opening them is done first: this is about streams that are held.
await pause(3000)
const during = await ordinary(calls)
const held = await child.ask({ type: 'memory' })
await upstream.ask({ type: 'finish' })
await readers.ask({ type: 'end' })
for (const each of [readers, child, upstream]) await each.stop()

report('streams', {
  ...{ streams, calls, rate_per_second: rate },
  ordinary_calls: { without_streams: without, with_streams: during },
  kib_a_stream: {
    heap: (held.heap - before.heap) / streams / 1024,
    rss: (held.rss - before.rss) / streams / 1024,
  },
  bars: { heap_kib_a_stream: 64 },
})
