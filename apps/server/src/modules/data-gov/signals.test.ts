/** The trust signal and the facts of data governance, from rows whose counts are known. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readFact } from '../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { sql } from '../../kernel/db/sql.ts'
import { dataGovSignals } from './signals.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  tenant = await world.tenant('data-signals')
})
afterAll(() => world?.close())

const dayMs = 86_400_000
const day = (from: number) => new Date(world.kernel.clock.now() + from * dayMs).toISOString()

interface Run {
  readonly kind?: string
  readonly status?: string
  /** In days from now. */
  readonly due: number
  readonly done?: number
  readonly dryRun?: boolean
}

const add = ({ kind = 'subject_request', status, due, done, dryRun = false }: Run) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(sql`
      insert into data_gov_run (id, version, created_at, updated_at, kind, request_type, dry_run, policy_ids,
        aliases_masked, received_at, due_at, extended, status, plan, results, completed_at)
      values (gen_random_uuid(), 1, ${day(due - 300)}, ${day(due - 30)}, ${kind}, 'access', ${dryRun}, '{}', '{}',
        ${day(due - 300)}, ${day(due)}, false, ${status ?? (done === undefined ? 'identity_pending' : 'completed')},
        '[]', '[]', ${done === undefined ? null : day(done)})`),
  )
const signal = async (at = day(0)) => {
  const report = await world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) => dataGovSignals(tx, at))
  return report.signals[0]
}

test('nothing that fell due is no evidence', async () => {
  expect(await signal()).toMatchObject({ id: 'data_rights_timeliness', good: null, n: null, value: null })
  await add({ due: 10 })
  await add({ due: -5, done: -6, dryRun: true })
  await add({ due: -5, done: -6, status: 'withdrawn' })
  expect(await signal()).toMatchObject({ good: null, n: null })
})

test('requests and runs count by their due moment, and what is open and overdue counts until it is done', async () => {
  await add({ due: -5, done: -6 })
  await add({ due: -5, done: -6, kind: 'policy' })
  await add({ due: -5, done: -4 })
  await add({ due: -5 })
  await add({ due: -200 })
  await add({ due: -200, done: -199 })
  await add({ due: 20, done: -1 })
  expect(await signal()).toMatchObject({ good: 3, n: 6 })
  // As it stood before one of them was done late.
  expect(await signal(day(-4.5))).toMatchObject({ good: 2, n: 5 })
})

test('facts tell requests by their state, overdue ones however old', async () => {
  for (const run of [{ due: 5 }, { due: -1 }, { due: -250 }, { due: -5, done: -6 }, { due: -5, done: -4 }])
    await add(run)
  await add({ due: -200, done: -150 })
  await add({ kind: 'policy', due: -1 })
  expect(await readFact(world, tenant.id, 'data_gov.requests')).toEqual({
    ...{ open: 3, overdue: 2, done_in_time: 1, done_late: 1 },
  })
})

test('facts tell assets, consents, retention and lineage as they are', async () => {
  const { admin } = tenant
  const values = Array.from({ length: 50 }, (_, n) => `person${n}@mail.example`)
  const source = {
    ...{ kind: 'inline', namespace: 'w', name: 'people' },
    columns: [
      { name: 'email', values },
      { name: 'card', values: ['4111 1111 1111 1111'] },
    ],
  }
  const scan = (more: object) => admin.post('/data-gov/classification/scans', { source, ...more })
  // A card is sure to 0.99, so nobody has confirmed it yet.
  expectStatus(await scan({ auto_confirm: 1 }), 201)
  expect(await readFact(world, tenant.id, 'data_gov.assets')).toEqual({
    ...{ total: 3, unconfirmed: 2, restricted: 0, confidential: 2 },
  })
  expectStatus(await scan({ auto_confirm: 0.5 }), 201)
  expect(await readFact(world, tenant.id, 'data_gov.assets')).toEqual({
    ...{ total: 3, unconfirmed: 0, restricted: 2, confidential: 1 },
  })
  const event = (value: string, over: object) => ({
    ...{ subject: { aliases: [{ kind: 'email', value }] }, event: 'given', purposes: ['service'] },
    ...{ basis: 'contract', method: 'contract', ...over },
  })
  const events = [
    event('a@people.example', {}),
    event('b@people.example', {}),
    event('b@people.example', { event: 'withdrawn' }),
    event('c@people.example', { occurred_at: day(-9), valid_until: day(-1) }),
  ]
  expectStatus(await admin.post('/data-gov/consents', { kind: 'batch', events }), 201)
  expect(await readFact(world, tenant.id, 'data_gov.consents')).toEqual({
    ...{ records: 3, given: 1, withdrawn: 1, expired: 1 },
  })
  const schedule = { kind: 'schedule', name: 'Lineage', categories: ['lineage'], maximum: 'P500D', ground: 'Test' }
  expectStatus(await admin.post('/data-gov/retention-policies', schedule), 201)
  const hold = { kind: 'legal_hold', name: 'Case', matter: 'A v. B', ground: 'Court order' }
  const placed = expectStatus(await admin.post('/data-gov/retention-policies', hold), 201).body.data
  await add({ kind: 'policy', status: 'awaiting_approval', due: 5 })
  expect(await readFact(world, tenant.id, 'data_gov.retention')).toEqual({
    ...{ schedules: 1, holds: 1, awaiting_approval: 1, failed: 0 },
  })
  const end = { kind: 'legal_hold', supersedes: placed.id, status: 'released', reason: 'Over' }
  expectStatus(await admin.post('/data-gov/retention-policies', end), 201)
  expect(await readFact(world, tenant.id, 'data_gov.retention')).toMatchObject({ holds: 0 })
  const told = {
    ...{ eventTime: '2026-01-01T00:00:00Z', producer: 'https://e.example/p' },
    ...{ schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json', job: { namespace: 'etl', name: 'copy' } },
    ...{ inputs: [{ namespace: 'w', name: 'people' }], outputs: [{ namespace: 'w', name: 'copied' }] },
  }
  expectStatus(await admin.post('/data-gov/lineage', told), 201)
  // From input to output, from the input to the job, and from there to the output.
  expect(await readFact(world, tenant.id, 'data_gov.lineage')).toEqual({ datasets: 2, columns: 0, edges: 3, models: 0 })
})
