// Durable workflows through the API, on the embedded database: runs a second of three journalled steps, and the time from a
// raised event to its signed delivery. The floor beside the runs is the same number of rows written through the API.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { percentile } from './load.mjs'
import { report } from './report.mjs'

const count = Number(process.env.BENCH_ROUNDS ?? 300)
const { port, token, stop } = await startChild('bench/servers/platform.ts')

async function call(method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()).data
}

const steps = [
  { id: 'a', type: 'set', with: { values: { n: ['$', '{{ 1 + 1 }}'].join('') } } },
  { id: 'b', type: 'condition', depends_on: ['a'], with: { expression: 'steps.a.output.n == 2' } },
  { id: 'c', type: 'set', depends_on: ['b'], with: { values: { done: 'yes' } } },
]
const definition = { trigger: { type: 'manual' }, steps }
const base = { name: 'Bench', definition, declared_permissions: [] }
const workflows = []
// One workflow takes a hundred open runs.
for (let n = 0; n * 50 < count; n += 1)
  workflows.push(await call('POST', '/platform/workflows', { key: `bench-${n}`, ...base }))

const began = performance.now()
for (let n = 0; n < count; n += 1)
  await call('POST', `/platform/workflows/${workflows[n % workflows.length].id}/runs`, {})
const asked = performance.now()
const open = async () => {
  const lists = await Promise.all(workflows.map(({ id }) => call('GET', `/platform/workflows/${id}/runs?limit=200`)))
  return lists.flat().filter(({ status }) => status !== 'completed').length
}
while ((await open()) > 0) await sleep(20)
const ended = performance.now()
const all = (
  await Promise.all(workflows.map(({ id }) => call('GET', `/platform/workflows/${id}/runs?limit=200`)))
).flat()
const durations = all
  .map(({ started_at: from, ended_at: to }) => Date.parse(to) - Date.parse(from))
  .sort((a, b) => a - b)

const got = []
const receiver = createServer((request, response) => {
  request.resume()
  got.push(performance.now())
  response.end()
})
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${receiver.address().port}/`
await call('POST', '/platform/integrations', {
  ...{ name: 'Bench', kind: 'webhook', config: { url }, events: ['iam.api_key.created'] },
})
const times = []
for (let n = 0; n < 30; n += 1) {
  const before = got.length
  const from = performance.now()
  await call('POST', '/iam/api-keys', { name: `Bench ${n}`, scopes: ['trust:read'] })
  while (got.length === before) await sleep(1)
  times.push(got.at(-1) - from)
}
times.sort((a, b) => a - b)
receiver.close()
await stop()

report('platform', {
  runs: count,
  'requests that begin runs, a second': Math.round((count / (asked - began)) * 1_000),
  'runs of three steps, a second, with their requests': Math.round((count / (ended - began)) * 1_000),
  'one run, ms': { median: percentile(durations, 0.5), p95: percentile(durations, 0.95) },
  'from the request to the delivered webhook, ms': { median: percentile(times, 0.5), p95: percentile(times, 0.95) },
})
