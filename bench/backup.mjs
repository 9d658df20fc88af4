// Seconds to make a backup of a million rows, audit entries and their seals, to prove it, and to restore it into the other
// kind of database with every chain verified.
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { report } from './report.mjs'

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000)
// An entry and its seal.
const entries = Math.floor(rows / 2)

async function measured(from, into) {
  const child = await startChild('bench/servers/backup.ts')
  const urls = { ...(from === null ? {} : { from: from.url }), ...(into === null ? {} : { into: into.url }) }
  const { type: _, ...figures } = await child.ask({ type: 'backup', entries, ...urls })
  await child.stop()
  await from?.drop()
  await into?.drop()
  return figures
}

const results = {}
const server = await benchDatabase()
if (server === null) results.embedded_to_embedded = await measured(null, null)
else {
  results.postgresql_to_embedded = await measured(server, null)
  results.embedded_to_postgresql = await measured(null, await benchDatabase())
}
for (const [name, figures] of Object.entries(results)) {
  if (figures.entries !== entries) throw new Error(`${name}: ${figures.entries} entries instead of ${entries}`)
}
report('backup', { asked_rows: rows, ...results })
