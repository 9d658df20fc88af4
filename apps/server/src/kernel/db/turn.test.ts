import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chosenKind } from '../../../test/support/database.ts'
import { openWorld, type World } from '../testing/event-world.ts'
import type { SystemTx } from './port.ts'
import { sql } from './sql.ts'
import { isOurTurn, takeTurn } from './turn.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const mayWork = (tx: SystemTx) => tx.first(sql<{ ours: boolean }>`select coalesce(${isOurTurn}, false) as ours`)
const ask = (tx: SystemTx) => Promise.all([tx.first(takeTurn('test turn')), mayWork(tx)])
const inTransaction = <T>(work: (tx: SystemTx) => Promise<T>) => world.db.system('test', work)

test('statements behind the question know that the turn is theirs, until the transaction ends', async () => {
  expect(await inTransaction(ask)).toEqual([{ got: true }, { ours: true }])
  expect(await inTransaction(mayWork)).toEqual({ ours: false })
})

// One connection has no other transaction.
describe.skipIf(chosenKind() !== 'pg')('with several connections', () => {
  test('a turn that is another one’s leaves nothing to do', async () => {
    await inTransaction(async (tx) => {
      expect(await ask(tx)).toEqual([{ got: true }, { ours: true }])
      expect(await inTransaction(ask)).toEqual([{ got: false }, { ours: false }])
    })
    expect(await inTransaction(ask)).toEqual([{ got: true }, { ours: true }])
  })
})
