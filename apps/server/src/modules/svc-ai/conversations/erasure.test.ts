/** A person is erased by a subject request: conversations, messages and pinned facts go with the rest. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { openSvcAi, type SvcAiWorld } from '../testing/world.ts'

let at: SvcAiWorld
beforeAll(async () => {
  at = await openSvcAi('svc-ai-erasure')
})
afterAll(() => at?.close())

test('the certificate of an erasure counts the conversations of the person, and nobody else loses one', async () => {
  const { admin, id: tenantId } = at.tenant
  const her = await at.tenant.as('ai_engineer')
  const second = await at.tenant.as('compliance_officer')
  await ownCredentials(at.world, tenantId)
  at.model.say(() => 'Noted.')
  const plain = { message: 'My site is Zagreb.', retrieval: { enabled: false } }
  const { conversation_id: id } = expectStatus(await her.post('/svc-ai/chat', plain), 200).body.data
  expectStatus(await her.patch(`/svc-ai/conversations/${id}`, { context: { pin: ['I like tea.'] } }), 200)
  const { conversation_id: other } = expectStatus(await admin.post('/svc-ai/chat', plain), 200).body.data
  const { id: userId, email } = expectStatus(await her.get('/auth/me'), 200).body.data.user
  const act = (run: string, action: string, more: object = {}, by = admin) =>
    by.post('/data-gov/retention-runs', { run_id: run, action, ...more })
  const request = {
    ...{ kind: 'subject_request', request_type: 'erasure' },
    subject: { aliases: [{ kind: 'email', value: email }] },
  }
  const run = expectStatus(await admin.post('/data-gov/retention-runs', request), 201).body.data.id
  expectStatus(await act(run, 'verify_identity', { identity: { method: 'signed letter' } }), 201)
  expectStatus(await admin.delete(`/iam/users/${userId}`), 200)
  expectStatus(await act(run, 'approve', {}, second), 201)
  const now = async () =>
    expectStatus(await admin.get('/data-gov/retention-runs', { query: { id: run } }), 200).body.data[0]
  // Other places may keep the person for reasons of their own.
  await expect.poll(async () => (await now()).status, { timeout: 60_000 }).toMatch(/^(?:completed|partial)$/)
  const { results } = await now()
  expect(results).toContainEqual(expect.objectContaining({ table: 'svc_ai_conversation', rows: 1 }))
  const left = await at.world.kernel.db.read(
    tenantId,
    sql<{ n: number }>`
      select (select count(*) from svc_ai_message where conversation_id = ${id})::int
        + (select count(*) from svc_ai_pin where conversation_id = ${id})::int as n`,
  )
  expect(left).toEqual([{ n: 0 }])
  expectStatus(await admin.get(`/svc-ai/conversations/${other}`), 200)
})
