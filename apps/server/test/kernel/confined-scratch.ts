/** A database for a proof, of a backup too large for memory, in a process of its own: says what its folder holds meanwhile. */
import { readdir } from 'node:fs/promises'
import { withScratch } from '../../src/kernel/backup/scratch.ts'
import { createRandom } from '../../src/kernel/crypto/random.ts'

const [folder = ''] = process.argv.slice(2)
const random = createRandom(Date.now)
await withScratch({ folder, random, mostInMemory: 10 }, 11, async (driver) => {
  await driver.script('create table kept (n int)')
  const databases = (await readdir(folder)).filter((name) => !name.endsWith('.lock'))
  process.stdout.write(`${databases.length}\n`)
})
process.exit(0)
