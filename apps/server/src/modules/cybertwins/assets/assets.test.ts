import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addEstate, estate, told } from '../testing/twin-world.ts'

let world: World
let tenant: TestTenant
let ids: Awaited<ReturnType<typeof addEstate>>
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('twin-assets')
  ids = await addEstate(tenant)
})
afterAll(() => world?.close())

const post = (...assets: readonly object[]) => tenant.admin.post('/cybertwins/assets', { assets })
const list = async (query: object) =>
  expectStatus(await tenant.admin.get('/cybertwins/assets', { query: { limit: '100', ...query } }), 200).body.data
const namesOf = (found: { name: string }[]) =>
  found
    .map(({ name }) => name.replace('Asset ', ''))
    .sort()
    .join('')
const one = async (id: string) => (await list({ id }))[0]

test('assets come with their relations, and the same again changes nothing', async () => {
  expect(namesOf(await list({}))).toBe('ACDHITVW')
  expect((await one(ids.A)).relationships).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'invokes_tool', target_id: ids.T, p_override: 0.95, source: 'manual' }),
      expect.objectContaining({ kind: 'contains_secret', target_id: ids.V }),
    ]),
  )
  const again = expectStatus(await post(...estate()), 201).body.data
  expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 8, relations: 0 })
})

test('filters: kind, crown jewel, criticality, name, and the neighborhood in both directions', async () => {
  expect(namesOf(await list({ kind: 'host' }))).toBe('HW')
  expect(namesOf(await list({ crown_jewel: true }))).toBe('D')
  expect(namesOf(await list({ criticality_min: 4 }))).toBe('')
  expect(namesOf(await list({ q: 'asset t' }))).toBe('T')
  expect(namesOf(await list({ near: ids.A }))).toBe('ACTV')
  expect(namesOf(await list({ near: ids.A, hops: 2 }))).toBe('ACDITV')
})

test('vulnerabilities have the score of their vector, and are found by CVE', async () => {
  const cvss_vector = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
  const vulnerabilities = [{ id: 'CVE-2024-3094', cvss_vector, kev: true, vex_state: 'exploitable' }]
  const made = expectStatus(await post({ kind: 'software', name: 'xz', vulnerabilities }), 201).body.data.items[0].asset
  expect(made.vulnerabilities).toEqual([expect.objectContaining({ cvss_score: 9.3, source: 'manual' })])
  expect((await list({ cve: 'CVE-2024-3094' })).map(({ id }: { id: string }) => id)).toEqual([made.id])
  expect(await list({ kev: true })).toHaveLength(1)
})

test('people change, retire and reactivate; an unknown version, owner or move changes nothing', async () => {
  const path = `/cybertwins/assets/${ids.W}`
  const changed = expectStatus(await tenant.admin.patch(path, { criticality: 5, exposure: 'internet' }), 200).body.data
  expect(changed).toMatchObject({ criticality: 5, exposure: 'internet', status: 'active' })
  const stale = { headers: { 'if-match': '"99-x"' } }
  expect(told(await tenant.admin.patch(path, { criticality: 1 }, stale))[1]).toBe('API-012')
  const owner_id = '00000000-0000-4000-8000-000000000001'
  expect(told(await tenant.admin.patch(path, { owner_id }))).toEqual([422, 'TWIN-002', '/owner_id'])
  expectStatus(await tenant.admin.patch(path, { status: 'retired' }), 200)
  expect((await one(ids.W)).status).toBe('retired')
  expectStatus(await tenant.admin.patch(path, { status: 'active' }), 200)
  const replaced = { relationships: [{ kind: 'network_reach', target: ids.D }] }
  const { relationships } = expectStatus(await tenant.admin.patch(path, replaced), 200).body.data
  expect(relationships).toEqual([expect.objectContaining({ target_id: ids.D, p_override: null })])
})

test.each([
  [
    'an external id of another kind',
    [{ kind: 'host', name: 'x', external_ids: [{ source: 'estate', id: 'A' }] }],
    [409, 'TWIN-001', '/assets/0/kind'],
  ],
  [
    'external ids of two assets',
    [
      {
        kind: 'host',
        name: 'x',
        external_ids: [
          { source: 'estate', id: 'W' },
          { source: 'estate', id: 'H' },
        ],
      },
    ],
    [422, 'TWIN-002', '/assets/0/external_ids'],
  ],
  [
    'a relation to nothing',
    [
      { kind: 'host', name: 'fine' },
      { kind: 'host', name: 'x', relationships: [{ kind: 'reads', target: 'estate:none' }] },
    ],
    [422, 'TWIN-002', '/assets/1/relationships/0/target'],
  ],
  [
    'a relation to itself',
    [
      {
        ...{ kind: 'host', name: 'x', external_ids: [{ source: 'self', id: '1' }] },
        relationships: [{ kind: 'reads', target: 'self:1' }],
      },
    ],
    [422, 'TWIN-002', '/assets/0/relationships/0/target'],
  ],
  [
    'a probability without a reason',
    [{ kind: 'host', name: 'x', relationships: [{ kind: 'reads', target: 'estate:D', p_override: 0.5 }] }],
    [422, 'TWIN-002', '/assets/0/relationships/0/reason'],
  ],
  [
    'a vector that is none',
    [{ kind: 'host', name: 'x', vulnerabilities: [{ id: 'CVE-1', cvss_vector: 'CVSS:4.0/AV:Q' }] }],
    [422, 'TWIN-002', '/assets/0/vulnerabilities/0/cvss_vector'],
  ],
])('%s is refused with its place, and nothing is stored', async (_name, assets, expected) => {
  const before = (await list({})).length
  expect(told(await post(...assets))).toEqual(expected)
  expect((await list({})).length).toBe(before)
})
