import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { inOrder, readBulk } from './bulk.ts'

let world: World
let tenant: TestTenant
let directory: TestClient

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('alpha')
  directory = await keyOf(tenant.admin)
})
afterAll(() => world.close())

async function keyOf(admin: TestClient): Promise<TestClient> {
  const made = expectStatus(await admin.post('/iam/api-keys', { name: 'Directory', kind: 'scim' }), 201)
  return world.stranger.with(made.body.data.secret)
}

const bulk = (Operations: readonly object[], more: object = {}, as = directory, headers = {}): Promise<TestAnswer> =>
  as.send('POST', '/scim/v2/Bulk', {
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations, ...more },
    options: { headers: { 'content-type': 'application/scim+json', ...headers } },
  })
const read = (path: string) => directory.send('GET', `/scim/v2${path}`, { options: {} })
const found = async (userName: string): Promise<number> =>
  (await directory.send('GET', '/scim/v2/Users', { options: { query: { filter: `userName eq "${userName}"` } } })).body
    .totalResults

const user = (bulkId: string, more: object = {}) => ({
  method: 'POST',
  path: '/Users',
  bulkId,
  data: { userName: `${bulkId}@alpha.example`, ...more },
})
const statuses = (answer: TestAnswer): readonly string[] =>
  expectStatus(answer, 200).body.Operations.map(({ status }: { status: string }) => status)

describe('a bulk request', () => {
  it('makes what refers to each other, whatever comes first, and logs each as the single call does', async () => {
    const group = { displayName: 'Explorers', members: [{ value: 'bulkId:ada' }, { value: 'bulkId:bob' }] }
    const manager = {
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: 'bulkId:bob' } },
    }
    const answer = await bulk([
      { method: 'POST', path: '/Groups', bulkId: 'group', data: group },
      user('ada', manager),
      user('bob'),
    ])
    expect(statuses(answer)).toEqual(['201', '201', '201'])
    const [made, ada, bob] = answer.body.Operations
    expect([made.bulkId, ada.bulkId, bob.bulkId]).toEqual(['group', 'ada', 'bob'])
    const at = async ({ location }: { location: string }) =>
      expectStatus(await read(new URL(location).pathname.replace('/scim/v2', '')), 200).body
    const [shown, first, second] = [await at(made), await at(ada), await at(bob)]
    expect(shown.meta.version).toBe(made.version)
    expect(shown.members.map(({ value }: { value: string }) => value).sort()).toEqual([first.id, second.id].sort())
    expect(first['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'].manager.value).toBe(second.id)
    const requestId = answer.headers['x-request-id'] ?? ''
    const entries = await world.kernel.db.read(
      tenant.id,
      sql<{ action: string }>`select action from audit_entry where request_id = ${requestId}`,
    )
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'iam.scim.bulk',
      'iam.scim.group_create',
      'iam.scim.user_create',
      'iam.scim.user_create',
    ])
  })

  it('changes, replaces and removes, also what it has just made', async () => {
    const answer = await bulk([
      user('carl'),
      {
        method: 'patch',
        path: '/Users/bulkId:carl',
        data: { Operations: [{ op: 'add', path: 'title', value: 'Dr' }] },
      },
      { method: 'POST', path: '/Groups', bulkId: 'short', data: { displayName: 'Short-lived' } },
      {
        method: 'PUT',
        path: '/Groups/bulkId:short',
        data: { displayName: 'Longer', members: [{ value: 'bulkId:carl' }] },
      },
    ])
    expect(statuses(answer)).toEqual(['201', '200', '201', '200'])
    const [carl, , group] = answer.body.Operations.map(({ location }: { location: string }) =>
      location.split('/').at(-1),
    )
    expect((await read(`/Users/${carl}`)).body).toMatchObject({ title: 'Dr', groups: [{ display: 'Longer' }] })
    const removed = await bulk([
      { method: 'DELETE', path: `Users/${carl}` },
      { method: 'DELETE', path: `/Groups/${group}` },
    ])
    expect(statuses(removed)).toEqual(['204', '204'])
    expect([(await read(`/Users/${carl}`)).status, (await read(`/Groups/${group}`)).status]).toEqual([404, 404])
  })

  it('goes on after a fault, which undoes nothing else and is told as a single call would be', async () => {
    const other = await world.tenant('beta')
    const theirs = expectStatus(
      await bulk([{ ...user('theirs'), data: { userName: 'x@beta.example' } }], {}, await keyOf(other.admin)),
      200,
    )
    const foreign = new URL(theirs.body.Operations[0].location).pathname.split('/').at(-1)
    const answer = await bulk([
      user('dora'),
      { ...user('again'), data: { userName: 'dora@alpha.example' } },
      { method: 'PATCH', path: '/Users/bulkId:dora', version: 'W/"99"', data: { Operations: [] } },
      { method: 'DELETE', path: `/Users/${foreign}` },
      { method: 'DELETE', path: '/Users/nobody' },
      { method: 'PUT', path: '/Users/bulkId:unknown', data: { userName: 'y@alpha.example' } },
      user('emil'),
    ])
    expect(statuses(answer)).toEqual(['201', '409', '412', '404', '404', '400', '201'])
    expect(answer.body.Operations[1]).toMatchObject({
      bulkId: 'again',
      response: { status: '409', scimType: 'uniqueness', error_code: 'IAM-001' },
    })
    expect([await found('dora@alpha.example'), await found('emil@alpha.example')]).toEqual([1, 1])
  })

  it('stops after as many faults as it says', async () => {
    const bad = { ...user('bad'), data: {} }
    const answer = await bulk([user('fay'), bad, { ...bad, bulkId: 'worse' }, user('gus')], { failOnErrors: 2 })
    expect(statuses(answer)).toEqual(['201', '400', '400'])
    expect([await found('fay@alpha.example'), await found('gus@alpha.example')]).toEqual([1, 0])
  })

  it('answers 409 for what waits for each other in a circle, and does the rest', async () => {
    const managed = (by: string) => ({
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: `bulkId:${by}` } },
    })
    const answer = await bulk([user('hal', managed('ian')), user('ian', managed('hal')), user('joy')])
    expect(statuses(answer)).toEqual(['409', '409', '201'])
    expect(await found('hal@alpha.example')).toBe(0)
  })

  it('sent again under its key is answered from the first time', async () => {
    const headers = { 'idempotency-key': 'bulk-once' }
    const [first, second] = [
      await bulk([user('kim')], {}, directory, headers),
      await bulk([user('kim')], {}, directory, headers),
    ]
    expect(statuses(first)).toEqual(['201'])
    expect(second.body).toEqual(first.body)
  })

  it('is refused whole where it cannot be read, is too large, or comes from no directory', async () => {
    const refusal = ({ status, body }: TestAnswer) => [status, body.scimType ?? body.error_code]
    expect(refusal(await bulk([]))).toEqual([400, 'invalidSyntax'])
    expect(refusal(await bulk([{ method: 'GET', path: '/Users' }]))).toEqual([400, 'invalidSyntax'])
    expect(refusal(await bulk([{ method: 'POST', path: '/Users', data: {} }]))).toEqual([400, 'invalidSyntax'])
    expect(refusal(await bulk([{ method: 'DELETE', path: '/Keys/1' }]))).toEqual([400, 'invalidSyntax'])
    expect(refusal(await bulk([user('leo'), user('leo')]))).toEqual([400, 'invalidValue'])
    expect(refusal(await bulk([user('leo')], { failOnErrors: 0 }))).toEqual([400, 'invalidValue'])
    const many = Array.from({ length: 201 }, (_, index) => user(`many-${index}`))
    expect(refusal(await bulk(many))).toEqual([413, 'API-005'])
    expect(refusal(await bulk([user('leo', { title: 'x'.repeat(1_100_000) })]))).toEqual([413, 'API-005'])
    expect(refusal(await bulk([user('leo')], {}, tenant.admin))).toEqual([403, 'AUTH-004'])
    expect(await found('leo@alpha.example')).toBe(0)
  })
})

it('the alias of the caller’s own account is not served, and says so', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const options = method === 'GET' || method === 'DELETE' ? { options: {} } : { body: {}, options: {} }
    const answer = await directory.send(method, '/scim/v2/Me', options)
    expect([method, answer.status, answer.body.error_code, answer.body.status]).toEqual([method, 501, 'IAM-019', '501'])
  }
  expect((await tenant.admin.send('GET', '/scim/v2/Me', { options: {} })).status).toBe(403)
})

it('the order has each operation once, after what it refers to unless they wait in a circle', () => {
  const references = fc.array(fc.array(fc.nat({ max: 11 }), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(references, (wanted) => {
      const { operations } = readBulk({
        Operations: wanted.map((to, index) => ({
          method: 'POST',
          path: '/Users',
          bulkId: `b${index}`,
          data: { members: to.map((other) => `bulkId:b${other}`) },
        })),
      })
      const { order, circular } = inOrder(operations)
      expect(order.toSorted((a, b) => a - b)).toEqual([...operations.keys()])
      for (const [place, index] of order.entries()) {
        const later = order.slice(place)
        const waitsFor = (wanted[index] ?? []).some((other) => later.includes(other))
        expect(circular.has(index)).toBe(waitsFor || circular.has(index))
        if (circular.has(index)) expect((wanted[index] ?? []).some((other) => circular.has(other))).toBe(true)
      }
    }),
  )
})
