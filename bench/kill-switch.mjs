// From asking for a kill switch on one of three instances to the last byte a provider sends to any of them, while streams
// run on all, and to the last short call that any of them still let in. Clients and provider are in this process, so all
// moments are of one clock. The instances share PostgreSQL only, which is the slower way: without a bus the others hear of a
// change by looking once a second.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { percentile } from './load.mjs'
import { report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 30)
const streamsEach = Number(process.env.BENCH_STREAMS ?? 20)

const database = await benchDatabase()
if (database === null) {
  console.error('No PostgreSQL server answers; there is nothing to measure on one instance.')
  process.exit(1)
}

const whole = JSON.stringify({
  ...{ id: 'x', object: 'chat.completion', created: 1_760_000_000, model: 'mock-1' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
})
let open = 0
let lastByteAt = 0
const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'more and more words ' } }] })}\n\n`
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
    const clock = setInterval(() => {
      response.write(chunk)
      lastByteAt = performance.now()
    }, 10)
    response.on('close', () => {
      clearInterval(clock)
      open -= 1
    })
  })
})
await new Promise((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const env = { BENCH_DATABASE_URL: database.url, BENCH_KEY: randomBytes(32).toString('base64') }
const base = `http://127.0.0.1:${upstream.address().port}/v1`
const first = await startChild('bench/servers/instance.ts', { env: { ...env, BENCH_UPSTREAM: base } })
const others = [
  await startChild('bench/servers/instance.ts', { env }),
  await startChild('bench/servers/instance.ts', { env }),
]
const instances = [first, ...others]

async function post({ port }, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer
}

/** Streams until it is ended. */
async function stream(instance, index) {
  const messages = [{ role: 'user', content: `Go on and on, ${index} ${Math.random()}` }]
  const answer = await post(instance, '/gateway/chat/completions', { model: 'mock-1', stream: true, messages })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  const text = await answer.text()
  if (!text.includes('GW-010')) throw new Error(`a stream did not end by the kill switch: ${text.slice(-300)}`)
}

/**
 * Short calls one after the other until one is refused. Gives when the last one that was answered began: from then on the
 * instance lets nothing in.
 */
async function callUntilRefused(instance, isOver) {
  let lastLetIn = 0
  for (;;) {
    const began = performance.now()
    const messages = [{ role: 'user', content: `Again. ${Math.random()}` }]
    const answer = await post(instance, '/gateway/chat/completions', { model: 'mock-1', messages })
    const body = await answer.text()
    if (answer.status === 200) lastLetIn = began
    else if (answer.status === 503 && body.includes('GW-010')) return lastLetIn
    else throw new Error(`${answer.status} ${body}`)
    if (isOver()) throw new Error('calls still pass five seconds after the switch')
    await pause(5)
  }
}

/** Until the instance has heard that calls may go on. */
async function goesOn(instance) {
  const since = performance.now()
  for (;;) {
    const messages = [{ role: 'user', content: `May I? ${Math.random()}` }]
    const answer = await post(instance, '/gateway/chat/completions', { model: 'mock-1', messages })
    await answer.arrayBuffer()
    if (answer.status === 200) return
    if (performance.now() - since > 10_000) throw new Error('calls are still stopped ten seconds after the end')
    await pause(50)
  }
}

const reason = 'a measurement of how fast calls stop'
const figures = {
  ...{
    to_answer: [],
    request_to_last_byte: [],
    request_to_last_call_let_in: [],
    answer_to_last_byte: [],
    told_max: [],
  },
}
for (let round = -1; round < rounds; round += 1) {
  const running = instances.flatMap((instance) =>
    Array.from({ length: streamsEach }, (_, index) => stream(instance, index)),
  )
  while (open < running.length) await pause(5)
  let askedAt = Number.POSITIVE_INFINITY
  const calling = instances.map((instance) => callUntilRefused(instance, () => performance.now() - askedAt > 5_000))
  await pause(100 + Math.random() * 1000)
  askedAt = performance.now()
  const answer = await post(instances[(round + 3) % 3], '/gateway/kill-switches', {
    scope: 'model',
    value: 'mock-1',
    reason,
  })
  const answeredAt = performance.now()
  const { data } = await answer.json()
  if (answer.status !== 201) throw new Error(`${answer.status}`)
  const { nodes_total, nodes_acked, max_ms, inflight_aborted } = data.propagation
  const lastLetIn = Math.max(...(await Promise.all(calling)))
  await Promise.all(running)
  while (open > 0) await pause(1)
  if (nodes_total !== 3 || nodes_acked !== 3 || inflight_aborted < running.length)
    throw new Error(`not what happened: ${JSON.stringify(data.propagation)}`)
  const ended = await post(first, `/gateway/kill-switches/${data.id}/deactivate`, { reason })
  if (ended.status !== 200) throw new Error(`${ended.status}`)
  for (const instance of instances) await goesOn(instance)
  if (round < 0) continue
  figures.to_answer.push(answeredAt - askedAt)
  figures.request_to_last_byte.push(lastByteAt - askedAt)
  figures.request_to_last_call_let_in.push(Math.max(0, lastLetIn - askedAt))
  figures.answer_to_last_byte.push(Math.max(0, lastByteAt - answeredAt))
  figures.told_max.push(max_ms)
}
for (const instance of instances) await instance.stop()
upstream.closeAllConnections()
upstream.close()
await database.drop()

const spread = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  return { p50_ms: percentile(sorted, 0.5), p99_ms: percentile(sorted, 0.99), max_ms: sorted.at(-1) }
}
report('kill-switch', {
  rounds,
  instances: 3,
  streams: 3 * streamsEach,
  ...Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, spread(values)])),
  bars: {
    request_to_last_call_let_in_p99_ms: 1000,
    request_to_last_byte_p99_ms: 1000,
    answer_to_last_byte_max_ms: 1000,
  },
})
