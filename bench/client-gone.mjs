// From the moment a client goes away to the moment the provider sees its request aborted, in every phase of a call. Client
// and provider are in this process, so both moments are of one clock; beside it the same without anything between them.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { percentile } from './load.mjs'
import { report } from './report.mjs'

const samples = Number(process.env.BENCH_SAMPLES ?? 200)

const chunk = (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const words = chunk('Words that are released at once. '.repeat(9))
const eventStream = { 'content-type': 'text/event-stream' }

/** Behavior of the provider, and the sign by which the client knows that the phase is reached: by the request or by bytes of the answer. */
const phases = {
  'waiting for the head': { reply: () => {} },
  'in the middle of a whole answer': {
    reply: (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":'),
  },
  'waiting for the first content of a stream': {
    stream: true,
    reply: (response) => response.writeHead(200, eventStream).write(': ping\n\n'),
  },
  'in the middle of a stream': {
    stream: true,
    answers: true,
    reply: (response) => response.writeHead(200, eventStream).write(words),
  },
  'in a stream that goes on': {
    stream: true,
    answers: true,
    reply: (response) => {
      response.writeHead(200, eventStream)
      const clock = setInterval(() => response.write(words), 2)
      response.on('close', () => clearInterval(clock))
    },
  },
}

let reply = () => {}
let arrived = () => {}
const upstream = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.url.includes('/models')) return response.end('{"data":[{"id":"mock-1"}]}')
    const aborted = new Promise((resolve) => response.once('close', () => resolve(performance.now())))
    reply(response)
    // Not the promise itself: resolving with it would wait for it.
    arrived({ aborted })
  })
})
await new Promise((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const upstreamPort = upstream.address().port

/** Milliseconds from hanging up to the provider's knowing. */
async function sample({ port, path, token }, { stream = false, answers = false }) {
  const content = `A question nobody waits for, ${Math.random()}`
  const body = JSON.stringify({ model: 'mock-1', stream, messages: [{ role: 'user', content }] })
  const atProvider = new Promise((resolve) => {
    arrived = resolve
  })
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => {})
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json`
  socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  const seen = answers ? once(socket, 'data') : null
  const { aborted } = await atProvider
  await seen
  // So that what was written is where it belongs.
  await pause(5)
  const leftAt = performance.now()
  socket.destroy()
  const over = await Promise.race([aborted, pause(10_000, null)])
  if (over === null) throw new Error('the provider still has the call ten seconds later')
  return over - leftAt
}

async function measure(target) {
  const figures = {}
  for (const [name, phase] of Object.entries(phases)) {
    reply = phase.reply
    const taken = []
    for (let at = -10; at < samples; at += 1) {
      const ms = await sample(target, phase)
      // The first ones warm the compiler and are not counted.
      if (at >= 0) taken.push(ms)
    }
    taken.sort((a, b) => a - b)
    figures[name] = { p50_ms: percentile(taken, 0.5), p99_ms: percentile(taken, 0.99), max_ms: taken.at(-1) }
  }
  return figures
}

const child = await startChild('bench/servers/gateway.ts', {
  env: { BENCH_UPSTREAM: `http://127.0.0.1:${upstreamPort}/v1` },
})
const direct = await measure({ port: upstreamPort, path: '/v1/chat/completions', token: 'none' })
const through = await measure({ ...child, path: '/api/v1/gateway/chat/completions' })
await child.stop()
upstream.closeAllConnections()
upstream.close()

const worst = Math.max(...Object.values(through).map(({ p99_ms }) => p99_ms))
report('client-gone', { samples, direct, through_parapet: through, bars: { p99_ms: 50 }, worst_p99_ms: worst })
