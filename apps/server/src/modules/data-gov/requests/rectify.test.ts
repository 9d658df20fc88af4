/** Rectification: corrected where data counts, and named where it stays. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'

let world: World
let tenant: TestTenant
let admin: TestClient
let second: TestClient
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('rectified')
  admin = tenant.admin
  second = await tenant.as('compliance_officer')
  await ownCredentials(world, tenant.id)
})
afterAll(() => world?.close())

const alias = (value: string) => ({ aliases: [{ kind: 'email', value }] })
const open = (value: string, corrections?: object[], type = 'rectification') =>
  admin.post('/data-gov/retention-runs', {
    ...{ kind: 'subject_request', request_type: type, subject: alias(value) },
    ...(corrections === undefined ? {} : { corrections }),
  })
const act = (run: string, action: string, by: TestClient, more: object = {}) =>
  by.post('/data-gov/retention-runs', { run_id: run, action, ...more })
const identity = { identity: { method: 'signed letter' } }

async function rectified(value: string, corrections: object[]) {
  const { id } = expectStatus(await open(value, corrections), 201).body.data
  expectStatus(await act(id, 'verify_identity', admin, identity), 201)
  expect((await act(id, 'approve', admin)).body.error_code).toBe('DGOV-013')
  expectStatus(await act(id, 'approve', second), 201)
  const now = async () => expectStatus(await admin.get('/data-gov/retention-runs', { query: { id } }), 200).body.data[0]
  await expect.poll(async () => (await now()).status, { timeout: 30_000 }).toMatch(/completed|partial/)
  return now()
}
const tell = async (value: string, event: string) =>
  expectStatus(
    await admin.post('/data-gov/consents', {
      kind: 'event',
      event: {
        ...{ subject: alias(value), event, purposes: ['service'] },
        ...{ basis: 'contract', method: 'contract' },
      },
    }),
    201,
  )
const decision = async (subject: string) => {
  const query = { decide: 'true', subject, purpose: 'service' }
  return expectStatus(await admin.get('/data-gov/consents', { query }), 200).body.meta.decision.rule
}
async function person(email: string, name: string): Promise<string> {
  const roles = expectStatus(await admin.get('/iam/roles', { query: { q: 'viewer' } }), 200).body.data
  const body = { email, display_name: name, role_ids: [roles[0].id] }
  return expectStatus(await admin.post('/iam/users', body), 201).body.data.id
}
const nameOf = async (id: string) => expectStatus(await admin.get(`/iam/users/${id}`), 200).body.data.display_name

describe('a request for rectification', () => {
  test('corrects the name of the account after another person approved it, and says where it stays on record', async () => {
    const id = await person('misspelled@people.example', 'Otillie Planted')
    const done = await rectified('misspelled@people.example', [{ from: 'Otillie Planted', to: 'Ottilie Planted' }])
    expect(await nameOf(id)).toBe('Ottilie Planted')
    expect(done).toMatchObject({ status: 'completed', results: [{ table: 'iam_user', rows: 1 }] })
    const grounds = done.verification.residue.map(({ ground }: { ground: string }) => ground)
    expect(new Set(grounds)).toEqual(new Set(['kept as a record of what was said or done']))
  })

  test('moves consents to the corrected identifier at once', async () => {
    await tell('old.address@people.example', 'given')
    expect(await decision('old.address@people.example')).toBe('basis')
    const corrections = [{ from: 'old.address@people.example', to: 'new.address@people.example' }]
    const done = await rectified('old.address@people.example', corrections)
    expect(done).toMatchObject({ status: 'completed', results: [{ table: 'data_gov_alias', rows: 1 }] })
    expect(await decision('new.address@people.example')).toBe('basis')
    expect(await decision('old.address@people.example')).toBe('no_record')
    await tell('new.address@people.example', 'withdrawn')
    expect(await decision('new.address@people.example')).toBe('withdrawn')
  })

  test('never makes one person of two', async () => {
    await tell('one@people.example', 'given')
    await tell('two@people.example', 'given')
    await tell('two@people.example', 'withdrawn')
    const done = await rectified('one@people.example', [{ from: 'one@people.example', to: 'two@people.example' }])
    expect(done.results).toEqual([])
    expect([await decision('one@people.example'), await decision('two@people.example')]).toEqual(['basis', 'withdrawn'])
  })

  test('is partial while the account keeps the old text, which only IAM can change', async () => {
    await person('wrong.address@people.example', 'Some Body')
    const corrections = [{ from: 'wrong.address@people.example', to: 'right.address@people.example' }]
    const done = await rectified('wrong.address@people.example', corrections)
    expect(done.status).toBe('partial')
    expect(done.verification.residue).toContainEqual({ place: 'iam_user', rows: 1, ground: null })
  })

  test('is refused under a legal hold, and changes nothing', async () => {
    const id = await person('held@people.example', 'Held Pearson')
    const hold = { kind: 'legal_hold', name: 'Case', matter: 'Held v. Held', ground: 'Court order' }
    const placed = await admin.post('/data-gov/retention-policies', { ...hold, subject: alias('held@people.example') })
    expectStatus(placed, 201)
    const corrections = [{ from: 'Held Pearson', to: 'Held Person' }]
    const { id: run } = expectStatus(await open('held@people.example', corrections), 201).body.data
    expectStatus(await act(run, 'verify_identity', admin, identity), 201)
    const refused = await act(run, 'approve', second)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'DGOV-012'])
    expect(await nameOf(id)).toBe('Held Pearson')
  })

  test.each([
    ['without corrections', () => open('x.y@people.example'), '/corrections'],
    ['of nothing into something', () => open('x.y@people.example', [{ from: '  ', to: 'x' }]), '/corrections/0/from'],
    [
      'as a part of another request',
      () => open('x.y@people.example', [{ from: 'ab', to: 'x' }], 'access'),
      '/corrections',
    ],
  ])('%s is refused', async (_, act, pointer) => {
    const answer = await act()
    expect([answer.status, answer.body.error_code, answer.body.errors[0].pointer]).toEqual([400, 'API-001', pointer])
  })
})
