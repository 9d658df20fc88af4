// CPU of the server process for a list of 50 rows under row-level security, on both databases.
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { load, percentile } from './load.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 4)
const total = 3_000
const database = await benchDatabase()
const targets = { pglite: await startChild('bench/servers/parapet.ts', { env: { BENCH_ROWS: '10000' } }) }
if (database !== null)
  targets.postgresql = await startChild('bench/servers/parapet.ts', {
    env: { BENCH_ROWS: '10000', BENCH_DATABASE_URL: database.url },
  })

// The cost of a page, not of the count: a walk counts once, on its first page, and the cursor carries the total.
const paths = {}
for (const [name, target] of Object.entries(targets)) {
  const answer = await fetch(`http://127.0.0.1:${target.port}/api/v1/risk/notes?limit=50`, {
    headers: { authorization: `Bearer ${target.token}` },
  })
  const { cursor } = (await answer.json()).meta.pagination
  paths[name] = { first_page: '/api/v1/risk/notes?limit=50', next_page: `/api/v1/risk/notes?limit=50&cursor=${cursor}` }
}

const cpu = {}
const p50 = {}
for (let round = -1; round < rounds; round += 1) {
  for (const [name, target] of Object.entries(targets)) {
    for (const [page, path] of Object.entries(paths[name])) {
      const before = await target.usage()
      const { latencies } = await load({
        port: target.port,
        path,
        headers: { authorization: `Bearer ${target.token}` },
        connections: 16,
        total,
      })
      const after = await target.usage()
      if (round < 0) continue
      cpu[`${name} ${page}`] ??= []
      p50[`${name} ${page}`] ??= []
      cpu[`${name} ${page}`].push((after.cpu - before.cpu) / total)
      p50[`${name} ${page}`].push(percentile(latencies, 0.5))
    }
  }
}
await Promise.all(Object.values(targets).map((target) => target.stop()))
await database?.drop()
report('list', {
  bar: 'list of 50 under RLS on PostgreSQL: at most 400 µs',
  cpu_us_per_request: Object.fromEntries(
    Object.entries(cpu).map(([name, values]) => [name, { best: Math.min(...values), median: median(values) }]),
  ),
  p50_ms: Object.fromEntries(Object.entries(p50).map(([name, values]) => [name, median(values)])),
})
