/** Writes rows one by one and says each number once it is stored; the crash test kills it in between. */
import { sql } from '../sql.ts'
import { openPglite } from './pglite.ts'

const driver = await openPglite({ dataDir: process.argv[2] ?? null })
await driver.script('create table written (n integer primary key)')
const session = await driver.acquire()
for (let n = 1; ; n += 1) {
  await session.run([sql`insert into written (n) values (${n})`])
  process.stdout.write(`${n}\n`)
}
