// Durable workflows, deliveries and reports on both databases: runs of three journalled steps a second (bars: 250 embedded,
// 800 on PostgreSQL) and the time of one; from a raised event to the webhook's receiver at 50 events a second (p95 of
// 250 ms); an executive report as PDF (2 s); the memory that a CSV of 100,000 rows takes (64 MiB).
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { percentile } from './load.mjs'
import { report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 10)

const steps = [
  { id: 'a', type: 'set', with: { values: { n: ['$', '{{ 1 + 1 }}'].join('') } } },
  { id: 'b', type: 'condition', depends_on: ['a'], with: { expression: 'steps.a.output.n == 2' } },
  { id: 'c', type: 'set', depends_on: ['b'], with: { values: { done: 'yes' } } },
]

const sorted = (values) => values.toSorted((a, b) => a - b)
const told = (values) => ({ median: percentile(sorted(values), 0.5), p95: percentile(sorted(values), 0.95) })

async function measure(env) {
  const server = await startChild('bench/servers/platform.ts', { env, flags: ['--expose-gc'] })
  const { port, token } = server
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()).data
  }
  const definition = { trigger: { type: 'manual' }, steps }
  const workflow = await call('POST', '/platform/workflows', {
    ...{ key: 'bench', name: 'Bench', definition, declared_permissions: [] },
  })
  const { id: workflowId, tenant_id: tenantId } = workflow
  await server.ask({ type: 'runs', tenantId, workflowId, count: 200 })
  const rates = []
  for (let round = 0; round < Math.max(1, rounds / 3); round += 1) {
    const count = 100 * rounds
    const { ms } = await server.ask({ type: 'runs', tenantId, workflowId, count })
    rates.push((count / ms) * 1_000)
  }
  const { times } = await server.ask({ type: 'single', tenantId, workflowId, count: 20 * rounds })
  const requests = await startedByRequests(call, workflowId, 5 * rounds)
  const delivered = await deliveries(server, call, tenantId)
  const pdf = []
  for (let round = 0; round < Math.max(2, rounds / 2); round += 1) pdf.push(await executive(call))
  const csv = await server.ask({ type: 'csv', tenantId, rows: 100_000 })
  await server.stop()
  return {
    'runs of three steps, a second': told(rates).median,
    'one run, from the commit that asks for it to its end, ms': told(times),
    'runs of three steps begun by requests, a second': requests,
    'from a raised event to the receiver of its webhook at 50 a second, ms': delivered,
    'executive report as PDF, from the request to its files, ms': told(pdf),
    'CSV of 100,000 rows of four columns': { ms: csv.ms, bytes: csv.bytes, 'extra memory, MiB': csv.extra / 2 ** 20 },
  }
}

async function startedByRequests(call, workflowId, count) {
  const path = `/platform/workflows/${workflowId}/runs`
  const began = performance.now()
  for (let n = 0; n < count; n += 10) await Promise.all(Array.from({ length: 10 }, () => call('POST', path, {})))
  const open = async () =>
    (await call('GET', `${path}?limit=200`)).filter(({ status }) => status !== 'completed').length
  while ((await open()) > 0) await sleep(20)
  return (count / (performance.now() - began)) * 1_000
}

async function deliveries(server, call, tenantId) {
  const arrived = new Map()
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      arrived.set(JSON.parse(body).subject, performance.timeOrigin + performance.now())
      response.end()
    })
  })
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${receiver.address().port}/`
  const integration = { name: 'Bench', kind: 'webhook', config: { url }, events: ['platform.report.completed'] }
  await call('POST', '/platform/integrations', integration)
  const { raised } = await server.ask({ type: 'events', tenantId, count: 50 * rounds, perSecond: 50 })
  const all = Object.entries(raised)
  while (all.some(([id]) => !arrived.has(id))) await sleep(20)
  await call('POST', '/platform/integrations', { ...integration, status: 'archived' })
  receiver.close()
  return told(all.map(([id, at]) => arrived.get(id) - at))
}

async function executive(call) {
  const began = performance.now()
  const { id } = await call('POST', '/platform/reports', { kind: 'executive', formats: ['pdf'] })
  while ((await call('GET', `/platform/reports/${id}`)).status !== 'completed') await sleep(5)
  return performance.now() - began
}

const embedded = await measure({})
const database = await benchDatabase()
const postgres = database === null ? null : await measure({ PARAPET_DATABASE_URL: database.url })
await database?.drop()

report('platform', {
  bars: {
    'runs of three steps, a second, embedded': 250,
    'runs of three steps, a second, on PostgreSQL': 800,
    'from a raised event to the receiver of its webhook, p95, ms': 250,
    'executive report as PDF, ms': 2_000,
    'extra memory of a CSV of 100,000 rows, MiB': 64,
  },
  embedded,
  ...(postgres === null ? {} : { postgres }),
})
