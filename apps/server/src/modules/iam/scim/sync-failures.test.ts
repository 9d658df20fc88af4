import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'

let world: World
let tenant: TestTenant
let key: { readonly id: string; readonly client: TestClient }

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('syncs')
  const made = await tenant.admin.post('/iam/api-keys', { name: 'Directory', kind: 'scim' })
  const { id, secret } = expectStatus(made, 201).body.data
  key = { id, client: world.stranger.with(secret) }
})
afterAll(() => world.close())

const post = (path: string, body: object, headers = {}) =>
  key.client.send('POST', `/scim/v2${path}`, {
    body,
    options: { headers: { 'content-type': 'application/scim+json', ...headers } },
  })
const told = async () => {
  await (world.program.assembled.modules.servicesOf('iam') as IamServices).syncFailures.flush()
  return world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.query(sql<{ data: Record<string, unknown> }>`
      select data from outbox where channel = 'iam.scim.sync_failed'
      union all
      select data from event_log where channel = 'iam.scim.sync_failed'`),
  )
}

test('what a directory could not write is told once a minute, with the reasons', async () => {
  const person = { userName: 'ada@syncs.example' }
  const ada = expectStatus(await post('/Users', person), 201).body.id
  expect(await told()).toEqual([])
  expectStatus(await post('/Users', person), 409)
  expectStatus(await post('/Users', person), 409)
  expectStatus(await post('/Users', { userName: 'nobody' }), 400)
  const operation = { method: 'POST', path: '/Users', bulkId: 'one', data: person }
  const bulk = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [operation] }
  expect(expectStatus(await post('/Bulk', bulk), 200).body.Operations[0].status).toBe('409')
  // A failed read, or a write with an outdated version, is no failure of a synchronization.
  expectStatus(await key.client.get('/scim/v2/Users', { query: { filter: 'no filter' } }), 400)
  const late = { options: { headers: { 'if-match': 'W/"99"' } } }
  expectStatus(await key.client.send('DELETE', `/scim/v2/Users/${ada}`, late), 412)
  const events = await told()
  expect(events).toHaveLength(1)
  expect(events[0]?.data).toMatchObject({
    api_key_id: key.id,
    sso_connection_id: null,
    failures: 4,
    error_codes: ['API-001', 'IAM-001'],
  })
  expect(await told()).toHaveLength(1)
  const query = { action: 'iam.scim.sync_failed' }
  const entries = expectStatus(await tenant.admin.get('/admin/audit-logs', { query }), 200).body.data
  expect(entries).toMatchObject([{ target: `api_key:${key.id}`, result: 'refused', after: { failures: 4 } }])
})
