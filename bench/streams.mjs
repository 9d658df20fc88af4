// Ordinary calls while a thousand slow streams are open: their latency with and without the streams, offered at the same
// rate, and the memory a stream holds. Every stream must come to its end whole.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { load, percentile } from './load.mjs'
import { report } from './report.mjs'

const streams = Number(process.env.BENCH_STREAMS ?? 1000)
const calls = Number(process.env.BENCH_CALLS ?? 1000)
const rate = Number(process.env.BENCH_RATE ?? 50)
const gapMs = 1000

const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'a few more words ' } }] })}\n\n`
const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
const whole = JSON.stringify({
  ...{ id: 'x', object: 'chat.completion', created: 1_760_000_000, model: 'mock-1' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'A short answer.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
})
let open = 0
let over = false
const upstream = createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    if (request.url.includes('/models')) return response.end('{"data":[{"id":"mock-1"}]}')
    if (JSON.parse(Buffer.concat(parts).toString()).stream !== true) {
      return response.writeHead(200, { 'content-type': 'application/json' }).end(whole)
    }
    open += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk)
    const clock = setInterval(() => {
      if (!over) return response.write(chunk)
      clearInterval(clock)
      return response.end(end)
    }, gapMs)
    response.on('close', () => {
      clearInterval(clock)
      open -= 1
    })
  })
})
upstream.keepAliveTimeout = 60_000
await new Promise((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const child = await startChild('bench/servers/gateway.ts', {
  env: { BENCH_UPSTREAM: `http://127.0.0.1:${upstream.address().port}/v1` },
})
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

async function slowStream() {
  const answer = await fetch(`http://127.0.0.1:${child.port}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: bodyOf(true),
  })
  const text = await answer.text()
  if (answer.status !== 200 || !text.includes('event: done')) throw new Error(`${answer.status} ${text.slice(-300)}`)
}

await ordinary(Math.min(500, calls))
const without = await ordinary(calls)
const before = await child.ask({ type: 'memory' })
const running = []
for (let at = 0; at < streams; at += 1) {
  running.push(slowStream())
  // A thousand at once would be a test of connecting.
  if (at % 50 === 49) await pause(100)
}
const ends = Promise.all(running)
// Who fails early ends the measurement.
await Promise.race([
  ends,
  (async () => {
    while (open < streams) await pause(20)
  })(),
])
const during = await ordinary(calls)
const held = await child.ask({ type: 'memory' })
over = true
await ends
await child.stop()
upstream.closeAllConnections()
upstream.close()

report('streams', {
  ...{ streams, calls, rate_per_second: rate },
  ordinary_calls: { without_streams: without, with_streams: during },
  kib_a_stream: {
    heap: (held.heap - before.heap) / streams / 1024,
    rss: (held.rss - before.rss) / streams / 1024,
  },
  bars: { heap_kib_a_stream: 64 },
})
