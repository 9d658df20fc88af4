/** A legal hold that is placed while an erasure runs keeps every row that is still there. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addProvider, ask } from '../../gateway/testing/support.ts'
import { openUpstream, say, type Upstream } from '../../gateway/testing/upstream.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { eraseMentions } from './erase.ts'
import { searchEverywhere } from './search.ts'

const customer = 'customer-4711-h9d'
let world: World
let tenant: TestTenant
let upstream: Upstream
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('held-rows')
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  await addProvider(tenant.admin, 'local', upstream)
})
afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

test('the hold is part of the deleting statement, and its release lets the next one delete', async () => {
  const { kernel } = world.program.assembled.modules.servicesOf('data-gov') as DataGovServices
  const post = async (path: string, body: object) =>
    expectStatus(await tenant.admin.post(`/data-gov/${path}`, body), 201).body.data
  expectStatus(await ask(tenant.admin, `Draft a letter to ${customer}.`), 200)
  const subject = { aliases: [{ kind: 'external_id', value: customer }] }
  const { id: runId } = await post('retention-runs', {
    kind: 'subject_request',
    request_type: 'erasure',
    subject,
  })
  const search = () =>
    searchEverywhere(kernel, { tenantId: tenant.id, values: [customer], runId, withFiles: false }).then(
      ({ mentions }) => mentions.filter(({ table }) => table.name === 'gateway_request_payload'),
    )
  await expect.poll(async () => (await search()).length, { timeout: 20_000 }).toBe(1)
  // Rows found before the hold, as an erasure at work has them.
  const mentions = await search()
  const erase = () =>
    eraseMentions(kernel, { tenantId: tenant.id, runId, person: { userIds: [], aliases: [customer] } }, mentions)
  const hold = await post('retention-policies', {
    ...{ kind: 'legal_hold', name: 'Case', matter: 'A v. B', ground: 'Court order' },
    categories: ['model_call_content'],
  })
  await erase()
  expect(await search()).toHaveLength(1)
  const results = async () =>
    (
      await kernel.db.read(
        tenant.id,
        sql<{ results: { table: string; rows: number }[] }>`select results from data_gov_run where id = ${runId}`,
      )
    )[0]?.results
  expect(await results()).toEqual([])
  await post('retention-policies', { kind: 'legal_hold', supersedes: hold.id, status: 'released', reason: 'Over' })
  await erase()
  expect(await search()).toEqual([])
  expect(await results()).toEqual([{ table: 'gateway_request_payload', rows: 1 }])
})
