import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a right that comes with a directory’s group is explained with that group', async () => {
  const { admin } = await world.tenant('acme')
  const role = { name: 'Riskers', permissions: ['risk:write'], assignable_by_scim: true }
  expectStatus(await admin.post('/iam/roles', role), 201)
  const { secret } = expectStatus(await admin.post('/iam/api-keys', { name: 'Directory', kind: 'scim' }), 201).body.data
  const scim = (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    what: { body?: unknown; query?: Record<string, string> },
  ) =>
    world.stranger.with(secret).send(method, `/scim/v2${path}`, {
      ...(what.body === undefined ? {} : { body: what.body }),
      options: {
        ...(what.query === undefined ? {} : { query: what.query }),
        ...(what.body === undefined ? {} : { headers: { 'content-type': 'application/scim+json' } }),
      },
    })
  const person = expectStatus(await scim('POST', '/Users', { body: { userName: 'ada@acme.example' } }), 201).body
  const found = await scim('GET', '/Groups', { query: { filter: 'displayName eq "Riskers"' } })
  const [group] = expectStatus(found, 200).body.Resources
  const Operations = [{ op: 'add', path: 'members', value: [{ value: person.id }] }]
  expectStatus(await scim('PATCH', `/Groups/${group.id}`, { body: { Operations } }), 200)
  const query = { subject_type: 'user', subject_id: person.id, permission: 'risk:read' }
  const [entry] = expectStatus(await admin.get('/iam/permissions', { query }), 200).body.data
  expect(entry).toMatchObject({
    granted: true,
    via: [{ role: 'Riskers', permission: 'risk:write', source: 'scim', groups: [{ id: group.id, name: 'Riskers' }] }],
  })
})
