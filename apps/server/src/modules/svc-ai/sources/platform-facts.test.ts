/** Sources of the platform's own facts: they tell the numbers of now, and nothing to whoever may not read the facts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addText, indexed, openSvcAi, type SvcAiWorld, search, settled } from '../testing/world.ts'

let at: SvcAiWorld
beforeAll(async () => {
  at = await openSvcAi('svc-ai-facts')
})
afterAll(() => at?.close())

test('facts that changed are indexed again without anybody asking', async () => {
  const { admin, id: tenantId } = at.tenant
  const { db } = at.world.kernel
  const source = await indexed(admin, { name: 'Own numbers', kind: 'platform', facts: ['svc_ai.sources'] })
  const text = async () => (await search(admin, 'knowledge sources documents chunks')).passages[0]?.text ?? ''
  expect(await text()).toMatch(/sources: 1\n/)
  await addText(admin, 'One more', 'The curlew calls.')
  const run = () =>
    db.tenant({ tenantId }, async (tx) => {
      await tx.execute(sql`update svc_ai_source set last_sync_at = '2020-01-01T00:00:00Z' where id = ${source.id}`)
      await tx.enqueue({ kind: 'svc_ai.facts_refresh', payload: {} })
    })
  await run()
  await expect.poll(text, { timeout: 60_000 }).toMatch(/sources: 2\n/)
  await settled(admin, source.id)
  const { documents, sources } = await readFact(at.world, tenantId, 'svc_ai.sources')
  expect({ documents, sources }).toEqual({ documents: 2, sources: 2 })
})

test('answers that are kept are counted as a fact', async () => {
  const fact = await readFact(at.world, at.tenant.id, 'svc_ai.answers')
  expect(fact).toEqual({ answers: 0, answered: 0, partial: 0, not_found: 0, mean_groundedness: null })
})
