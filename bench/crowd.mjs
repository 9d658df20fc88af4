// Lists of 50 in a large installation on both databases, one request after the other: the first page, which counts, and a far
// one. Tables are vacuumed first, as autovacuum does within a minute or two; the embedded database looks after itself once
// a minute, which is waited for.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { load, percentile } from './load.mjs'
import { report } from './report.mjs'

const total = Number(process.env.BENCH_CALLS ?? 400)
const farPage = 2_000

async function vacuum(connectionString) {
  const admin = new pg.Client({ connectionString })
  await admin.connect()
  await admin.query('vacuum analyze')
  await admin.end()
}

async function measure(env) {
  const { port, token, stop } = await startChild('bench/servers/crowd.ts', { env })
  await (env.BENCH_DATABASE_URL === undefined ? sleep(75_000) : vacuum(env.BENCH_DATABASE_URL))
  const headers = { authorization: `Bearer ${token}` }
  const pageOf = async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { headers })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()).meta.pagination
  }
  const time = async (path) => {
    await load({ port, path: `/api/v1${path}`, headers, connections: 1, total: total / 4 })
    const { latencies } = await load({ port, path: `/api/v1${path}`, headers, connections: 1, total })
    return { p50_ms: percentile(latencies, 0.5), p95_ms: percentile(latencies, 0.95) }
  }
  let { cursor, total_count: people } = await pageOf('/iam/users?limit=50')
  const { total_count: tenants } = await pageOf('/iam/tenants?limit=50')
  const second = cursor
  // Nobody can know a far page's cursor without having been there.
  for (let page = 2; page < farPage && cursor !== null; page += 1)
    ({ cursor } = await pageOf(`/iam/users?limit=50&cursor=${cursor}`))
  const result = {
    people,
    tenants,
    users_page_1: await time('/iam/users?limit=50'),
    users_page_2: await time(`/iam/users?limit=50&cursor=${second}`),
    [`users_page_${farPage}`]: await time(`/iam/users?limit=50&cursor=${cursor}`),
    tenants_page_1: await time('/iam/tenants?limit=50'),
  }
  await stop()
  return result
}

const embedded = await measure({})
const database = await benchDatabase()
if (database === null) console.error('No PostgreSQL answers: it is left out.')
const postgresql = database === null ? null : await measure({ BENCH_DATABASE_URL: database.url })
await database?.drop()
report('crowd', {
  bars: { 'users of 100,000, p95, ms': 15, 'tenants of 10,000, p95, ms': 20 },
  embedded,
  postgresql,
})
