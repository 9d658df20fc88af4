import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('the score is the one that people see, and null before there is one', async () => {
  const { id, admin } = await world.tenant('trust-facts')
  const shown = expectStatus(await admin.get('/trust/scores/current'), 200).body.data
  expect(await readFact(world, id, 'trust.score')).toEqual({ score: shown })
  await world.kernel.db.tenant({ tenantId: id }, (tx) => tx.execute(sql`delete from trust_state`))
  expect(await readFact(world, id, 'trust.score')).toEqual({ score: null })
})

test('the history has the last score of each day', async () => {
  const { id, admin } = await world.tenant('trust-history')
  const shown = expectStatus(await admin.get('/trust/scores/current'), 200).body.data
  const { last_recalculated_at: at, composite_score: score } = shown
  const { days } = (await readFact(world, id, 'trust.history')) as { days: { calculated_at: string; score: number }[] }
  expect(days.at(-1)?.score).toBe(score)
  expect(days.at(-1)?.calculated_at.slice(0, 10)).toBe(at.slice(0, 10))
  const dates = days.map(({ calculated_at }) => calculated_at.slice(0, 10))
  expect(dates).toEqual([...new Set(dates)].sort())
})
