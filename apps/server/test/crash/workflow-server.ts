/**
 * The whole program for the test that kills it at the writes of a run's journal: it counts them, and dies by its own hand
 * before or after the chosen one. Messages: `{ killAt, when }` arms it, `count` asks for the number so far.
 */

import { openDriver } from '../../src/kernel/assembly/adapters.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import type { Driver, Session } from '../../src/kernel/db/port.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { IamServices } from '../../src/modules/iam/services/iam-services.ts'
import { startProgram } from '../../src/program.ts'

export interface Armed {
  /** Number of the write, from 1; 0 kills nothing. */
  readonly killAt: number
  readonly when: 'before' | 'after'
}

const journal = /\b(?:insert into|update) "?platform_run(?:_step)?\b/

let armed: Armed | null = null
let writes = 0

/** A message that writes the journal, and the commit of a transaction that did, are a write each. */
function watched(session: Session): Session {
  let isOpen = false
  return {
    run: async (statements) => {
      const isJournal = statements.some(({ text }) => journal.test(text))
      const isEnd = statements.some(({ text }) => text === 'commit')
      const isWrite = armed !== null && (isJournal || (isOpen && isEnd))
      isOpen = (isOpen || isJournal) && !isEnd
      if (isWrite) writes += 1
      const isHere = isWrite && writes === armed?.killAt
      if (isHere && armed?.when === 'before') process.kill(process.pid, 'SIGKILL')
      const results = await session.run(statements)
      if (isHere) process.kill(process.pid, 'SIGKILL')
      return results
    },
    cancel: () => session.cancel(),
    release: (broken) => session.release(broken),
  }
}

const config = loadConfig(process.env)
const inner = await openDriver(config)
const driver: Driver = {
  kind: inner.kind,
  acquire: async (group) => watched(await inner.acquire(group)),
  script: (text) => inner.script(text),
  stats: () => inner.stats(),
  close: () => inner.close(),
  ...(inner.acquireToAppend === undefined ? {} : { acquireToAppend: inner.acquireToAppend.bind(inner) }),
}
const program = await startProgram({ config, driver })
const { kernel, modules } = program.assembled
// The minute passes after which the leases of a dead process are over.
await kernel.db.system('crash suite', async (tx) => {
  await tx.execute(sql`update handler_position set lease_until = clock_timestamp() - interval '1 second'`)
  await tx.execute(sql`
    update job set lease_until = clock_timestamp() - interval '1 second'
    where status = 'running' and lease_owner <> ${kernel.node}`)
})
const address = await program.app.listen({ port: 0, host: '127.0.0.1' })
process.on('message', (message: Armed | 'count') => {
  if (message === 'count') return void process.send?.({ writes })
  armed = message
  writes = 0
  process.send?.({ isArmed: true })
})
const { setup } = modules.servicesOf('iam') as IamServices
process.send?.({ address, setupToken: (await setup.ensure()).token })
