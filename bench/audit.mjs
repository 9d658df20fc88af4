// Audit entries a second through the insert-only group commit, 100 in a transaction, on both databases.
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const database = await benchDatabase()
const targets = { pglite: await startChild('bench/servers/audit.ts') }
if (database !== null)
  targets.postgresql = await startChild('bench/servers/audit.ts', { env: { BENCH_DATABASE_URL: database.url } })

const measured = {}
for (let round = -1; round < rounds; round += 1) {
  for (const [name, target] of Object.entries(targets)) {
    for (const how of ['entries', 'one_statement']) {
      const { seconds, rows, cpu } = await target.ask({ type: how })
      if (round < 0) continue
      measured[`${name} ${how}`] ??= { rowsPerSecond: [], cpuUs: [] }
      measured[`${name} ${how}`].rowsPerSecond.push(rows / seconds)
      measured[`${name} ${how}`].cpuUs.push(cpu / rows)
    }
  }
}
await Promise.all(Object.values(targets).map((target) => target.stop()))
await database?.drop()

const best = (name) => Math.max(...measured[name].rowsPerSecond)
report('audit', {
  batch: 100,
  rows_per_second: Object.fromEntries(
    Object.entries(measured).map(([name, { rowsPerSecond }]) => [
      name,
      { best: best(name), median: median(rowsPerSecond) },
    ]),
  ),
  cpu_us_per_row_of_this_process: Object.fromEntries(
    Object.entries(measured).map(([name, { cpuUs }]) => [name, { best: Math.min(...cpuUs), median: median(cpuUs) }]),
  ),
  share_of_one_statement: Object.fromEntries(
    Object.keys(targets).map((name) => [name, best(`${name} entries`) / best(`${name} one_statement`)]),
  ),
})
