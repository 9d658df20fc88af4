/** Requests of data subjects, retention schedules and legal holds through the API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { addProvider, ask } from '../../gateway/testing/support.ts'
import { openUpstream, say, type Upstream } from '../../gateway/testing/upstream.ts'

let world: World
let tenant: TestTenant
let admin: TestClient
let upstream: Upstream
let second: TestClient
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('requests')
  admin = tenant.admin
  second = await tenant.as('compliance_officer')
  await ownCredentials(world, tenant.id)
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  await addProvider(admin, 'local', upstream)
})
afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const address = 'customer@people.example'
const open = (type: string, value = address) =>
  admin.post('/data-gov/retention-runs', {
    ...{ kind: 'subject_request', request_type: type },
    subject: { aliases: [{ kind: 'email', value }] },
  })
const act = (run: string, action: string, more: object = {}, by = admin) =>
  by.post('/data-gov/retention-runs', { run_id: run, action, ...more })
const verified = (run: string) => act(run, 'verify_identity', { identity: { method: 'signed letter' } })
const seen = async (id: string) =>
  expectStatus(await admin.get('/data-gov/retention-runs', { query: { id } }), 200).body.data[0]
const ended = async (id: string, status: string) => {
  await expect.poll(async () => (await seen(id)).status, { timeout: 30_000 }).toBe(status)
  return seen(id)
}
const code = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]

describe('a request of a data subject', () => {
  test('for access ends with a file of the person’s own data, after the identity was verified', async () => {
    const roles = expectStatus(await admin.get('/iam/roles', { query: { q: 'viewer' } }), 200).body.data
    const person = { email: address, display_name: 'Customer One', role_ids: [roles[0].id] }
    expectStatus(await admin.post('/iam/users', person), 201)
    const made = expectStatus(await open('access'), 201).body.data
    expect(made).toMatchObject({ status: 'identity_pending', aliases_masked: ['email: c***@p***.example'] })
    const [received, due] = [new Date(made.received_at), new Date(made.due_at)]
    const month = (12 + due.getUTCMonth() - received.getUTCMonth()) % 12
    expect(month).toBe(1)
    const accept = { headers: { accept: 'application/x-ndjson' }, query: { id: made.id } }
    expect(code(await admin.get('/data-gov/retention-runs', accept))).toEqual([404, 'DGOV-018'])
    expectStatus(await verified(made.id), 201)
    const done = await ended(made.id, 'completed')
    expect(done.export_expires_at).not.toBeNull()
    const { text } = expectStatus(await admin.get('/data-gov/retention-runs', accept), 200)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ form: 'parapet/subject-export/1', run_id: made.id })
    const users = lines.filter(({ table }: { table?: string }) => table === 'iam_user')
    expect(users.map(({ row }: { row: { email: string } }) => row.email)).toEqual([address])
    expect(text).not.toContain('password_hash')
    expect(lines.at(-1).rows.iam_user).toBe(1)
    const reader = await tenant.as('auditor')
    expect((await reader.get('/data-gov/retention-runs', accept)).status).toBe(403)
  })

  test('for restriction and objection counts for the next model call', async () => {
    const value = 'restricted@people.example'
    const call = () => ask(admin, 'Hello.', { metadata: { data_subject: value, purpose: 'service' } })
    const event = {
      ...{ subject: { aliases: [{ kind: 'email', value }] }, event: 'given', purposes: ['service'] },
      ...{ basis: 'contract', method: 'contract' },
    }
    expectStatus(await admin.post('/data-gov/consents', { kind: 'event', event }), 201)
    expectStatus(await call(), 200)
    const objection = expectStatus(await open('objection', value), 201).body.data
    expectStatus(await verified(objection.id), 201)
    expect((await call()).body.detail).toContain('consent-objected')
    const restriction = expectStatus(await open('restriction', value), 201).body.data
    expect(expectStatus(await verified(restriction.id), 201).body.data.status).toBe('completed')
    expect((await call()).body.detail).toContain('consent-restricted')
  })

  test('is moved only as its state allows, by whoever may', async () => {
    const { id } = expectStatus(await open('erasure', 'nobody@people.example'), 201).body.data
    expect(code(await act(id, 'approve'))).toEqual([422, 'DGOV-016'])
    expect(code(await act(id, 'resume'))).toEqual([409, 'DGOV-015'])
    expectStatus(await verified(id), 201)
    expect(code(await verified(id))).toEqual([409, 'DGOV-015'])
    expect(code(await act(id, 'approve'))).toEqual([403, 'DGOV-013'])
    expectStatus(await act(id, 'extend', { reason: 'Many systems' }), 201)
    expect(code(await act(id, 'extend', { reason: 'Again' }))).toEqual([409, 'DGOV-015'])
    expect(code(await act(id, 'refuse'))).toEqual([400, 'API-001'])
    expect(expectStatus(await act(id, 'refuse', { reason: 'Manifestly unfounded' }), 201).body.data.status).toBe(
      'refused',
    )
    const [row] = await world.kernel.db.read(
      tenant.id as never,
      sql<{ sealed: unknown }>`select sealed_aliases as sealed from data_gov_run where id = ${id}`,
    )
    expect(row?.sealed).toBeNull()
  })
})

describe('a legal hold', () => {
  test('on a person refuses the erasure until it is released', async () => {
    const value = 'litigant@people.example'
    const hold = { kind: 'legal_hold', name: 'Case', matter: 'Smith v. Jones', ground: 'Court order' }
    const placed = expectStatus(
      await admin.post('/data-gov/retention-policies', { ...hold, subject: { aliases: [{ kind: 'email', value }] } }),
      201,
    ).body.data
    expect(placed).toMatchObject({ status: 'active', subjects: 1 })
    const { id } = expectStatus(await open('erasure', value), 201).body.data
    expectStatus(await verified(id), 201)
    const refused = await act(id, 'approve', {}, second)
    expect([...code(refused), refused.body.detail]).toEqual([
      409,
      'DGOV-012',
      expect.stringContaining('Smith v. Jones'),
    ])
    const end = { kind: 'legal_hold', supersedes: placed.id, status: 'released', reason: 'Settled' }
    expectStatus(await admin.post('/data-gov/retention-policies', end), 201)
    expect(code(await admin.post('/data-gov/retention-policies', end))).toEqual([409, 'DGOV-015'])
    expectStatus(await act(id, 'approve', {}, second), 201)
    const done = await ended(id, 'partial')
    // The release leaves the identifiers in the hold, which says what was held.
    expect(done.verification.residue.map(({ place }: { place: string }) => place)).toEqual(['data_hold'])
  })
})

describe('a retention schedule', () => {
  const schedule = (over: object = {}) =>
    admin.post('/data-gov/retention-policies', {
      ...{
        kind: 'schedule',
        name: 'Lineage',
        categories: ['lineage'],
        maximum: 'P30D',
        ground: 'Not needed any more',
        ...over,
      },
    })
  const old = (count: number) =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`
        insert into data_gov_lineage_event (id, created_at, digest, kind, event_time, event)
        select gen_random_uuid(), now() - interval '60 days', md5(random()::text) || md5(random()::text), 'job', now(), '{}'
        from generate_series(1, ${count})`),
    )
  const left = async () =>
    (
      await world.kernel.db.read(
        tenant.id as never,
        sql<{ n: number }>`select count(*)::int as n from data_gov_lineage_event`,
      )
    )[0]?.n

  test.each([
    ['an unknown category', { categories: ['nothing'] }, 422, 'DGOV-004'],
    ['a minimum above the maximum', { minimum: 'P2Y' }, 409, 'DGOV-011'],
    ['less than a day', { maximum: 'P0D' }, 409, 'DGOV-011'],
    ['data that does not age', { categories: ['consent'] }, 409, 'DGOV-011'],
    ['less than the statutory minimum', { categories: ['model_call'], maximum: 'P3D' }, 409, 'DGOV-020'],
  ])('with %s is refused', async (_, over, status, error) => {
    expect(code(await schedule(over))).toEqual([status, error])
  })

  test('says what it would remove, removes it in a run, and never what a hold covers', async () => {
    await old(5)
    const dry = expectStatus(await schedule({ dry_run: true }), 201).body.data
    expect(dry.affected).toEqual([{ table: 'data_gov_lineage_event', category: 'lineage', rows: 5 }])
    const { id } = expectStatus(await schedule(), 201).body.data
    const start = (more: object = {}) =>
      admin.post('/data-gov/retention-runs', { kind: 'policy', policy_ids: [id], ...more })
    const counted = expectStatus(await start({ dry_run: true }), 201).body.data
    expect(counted).toMatchObject({ status: 'completed', dry_run: true })
    expect(counted.plan[0]).toMatchObject({ matched: 5, to_erase: 5 })
    const hold = { kind: 'legal_hold', name: 'All', matter: 'Audit', ground: 'Court order', categories: ['lineage'] }
    const placed = expectStatus(await admin.post('/data-gov/retention-policies', hold), 201).body.data
    const kept = expectStatus(await start(), 201).body.data
    expect(kept.plan[0].to_keep).toEqual([{ ground: 'legal hold', rows: 5 }])
    await ended(kept.id, 'partial')
    expect(await left()).toBe(5)
    const end = { kind: 'legal_hold', supersedes: placed.id, status: 'released', reason: 'Over' }
    expectStatus(await admin.post('/data-gov/retention-policies', end), 201)
    const run = expectStatus(await start({ dry_run_id: counted.id }), 201).body.data
    expect((await ended(run.id, 'completed')).results).toEqual([{ table: 'data_gov_lineage_event', rows: 5 }])
    expect(await left()).toBe(0)
    expectStatus(
      await admin.post('/data-gov/retention-policies', {
        kind: 'schedule',
        supersedes: id,
        status: 'retired',
        reason: 'Test',
      }),
      201,
    )
  })

  test('waits for a second person above the limit, and refuses a plan that drifted', async () => {
    const { id } = expectStatus(await schedule(), 201).body.data
    const start = (more: object = {}) =>
      admin.post('/data-gov/retention-runs', { kind: 'policy', policy_ids: [id], ...more })
    const counted = expectStatus(await start({ dry_run: true }), 201).body.data
    await old(1_200)
    expect(code(await start({ dry_run_id: counted.id }))).toEqual([409, 'DGOV-014'])
    const run = expectStatus(await start(), 201).body.data
    expect(run.status).toBe('awaiting_approval')
    expect(code(await act(run.id, 'approve'))).toEqual([403, 'DGOV-013'])
    expect(await left()).toBe(1_200)
    expectStatus(await act(run.id, 'approve', {}, second), 201)
    await ended(run.id, 'completed')
    expect(await left()).toBe(0)
  })

  test('shows the registry of data with every table once', async () => {
    const { meta } = expectStatus(
      await admin.get('/data-gov/retention-policies', { query: { include: 'registry' } }),
      200,
    ).body
    const tables = meta.registry.flatMap((one: { tables: { table: string }[] }) => one.tables.map(({ table }) => table))
    expect(new Set(tables).size).toBe(tables.length)
    expect(tables.sort()).toEqual(
      world.kernel.tables
        .filter(({ scope }) => scope === 'tenant')
        .map(({ name }) => name)
        .sort(),
    )
  })
})
