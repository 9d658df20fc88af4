import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemaOf } from '../../src/kernel/assembly/schema.ts'
import type { SubjectPage, SubjectRows } from '../../src/kernel/data-registry/data-registry.ts'
import type { DataSubject } from '../../src/kernel/data-registry/subject.ts'
import type { Tx } from '../../src/kernel/db/port.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { pruneEvents } from '../../src/kernel/events/retention.ts'
import { pruneJobs } from '../../src/kernel/jobs/retention.ts'
import { eraseSubject } from '../../src/modules/iam/erasure/erase-subject.ts'
import { roleId } from '../../src/modules/iam/sso/testing/sso-world.ts'
import { modules } from '../../src/modules.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../support/world.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('registry')
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five'])
    expectStatus(await tenant.admin.post('/iam/roles', { name, permissions: ['iam:read'] }), 201)
})
afterAll(() => world?.close())

const registry = () => world.kernel.dataRegistry
const within = <T>(work: (tx: Tx) => Promise<T>, { id } = tenant) => world.kernel.db.tenant({ tenantId: id }, work)
const code = (answer: TestAnswer) => [answer.status, answer.body.error_code]

interface Person extends DataSubject {
  readonly id: string
  readonly email: string
}

async function personOf({ id: tenantId, admin }: TestTenant): Promise<Person> {
  const found = await world.kernel.db.read(
    tenantId,
    sql<{ id: string; email: string }>`select u.id, u.email from iam_user u join iam_session s on s.user_id = u.id`,
  )
  const [user] = found
  if (user === undefined || admin.token === '') throw new Error('nobody is signed in')
  return { ...user, userIds: [user.id] }
}

async function newUser(admin: TestClient, email: string): Promise<string> {
  const wish = { email, display_name: 'Robin Moor', role_ids: [await roleId(admin, 'viewer')] }
  const { body } = expectStatus(await admin.post('/iam/users', wish), 201)
  return body.data.id
}

const deactivated = async (admin: TestClient, id: string) =>
  expectStatus(await admin.patch(`/iam/users/${id}`, { status: 'deactivated', status_reason: 'left' }), 200)

describe('the registry of data', () => {
  test('has every table, each with a category and a time for which it is kept', () => {
    const { tables } = schemaOf(modules)
    expect(registry().declarations.map(({ table }) => table)).toEqual(tables.map(({ name }) => name))
    expect(registry().declarations.filter(({ category, retention }) => category === '' || retention === '')).toEqual([])
  })

  test('counts the rows of a person in all tables, of each tenant alone', async () => {
    const person = await personOf(tenant)
    const counts = await within((tx) => registry().counts(tx, person))
    const of = (name: string) => counts.find(({ table }) => table === name)
    expect(of('iam_user')).toMatchObject({ category: 'identity', owned: 1 })
    expect(of('iam_session')?.owned).toBeGreaterThan(0)
    expect(of('audit_entry')?.owned).toBeGreaterThan(0)
    const other = await world.tenant('registry-other')
    expect(await within((tx) => registry().counts(tx, person), other)).toEqual([])
  })

  test('finds rows by an alias, in whatever case', async () => {
    const { id, email } = await personOf(tenant)
    const alias = { userIds: [], aliases: [email.toUpperCase()] }
    const page = { table: 'iam_user', relation: 'owned', limit: 10 } as const
    const { rows, next } = await within((tx) => registry().rowsOf(tx, alias, page))
    expect([rows.map((row) => row.id), next]).toEqual([[id], null])
  })

  test('gives rows in pages', async () => {
    const person = await personOf(tenant)
    const seen: unknown[] = []
    let after: readonly string[] | null = null
    do {
      const page: SubjectPage = { table: 'audit_entry', relation: 'owned', limit: 2, after }
      const { rows, next }: SubjectRows = await within((tx) => registry().rowsOf(tx, person, page))
      expect(rows.length).toBeLessThanOrEqual(2)
      seen.push(...rows.map((row) => row.id))
      after = next
    } while (after !== null)
    const [all] = await within((tx) =>
      tx.query(sql<{ n: number }>`select count(*)::int as n from audit_entry where user_id = ${person.id}`),
    )
    expect([new Set(seen).size, seen.length]).toEqual([all?.n, all?.n])
  })

  test('says which rows go with others, and refuses what it does not know', async () => {
    const dependents = await within((tx) => registry().dependents(tx))
    expect(dependents.get('gateway_request')).toContain('gateway_feedback')
    expect(() => registry().locate('nothing', { userIds: [] }, 'owned')).toThrow('no table of tenants')
    expect(() => registry().locate('iam_tenant', { userIds: [] }, 'owned')).toThrow('no table of tenants')
    const page = { table: 'iam_user', relation: 'owned', limit: 1_001 } as const
    await expect(within((tx) => registry().rowsOf(tx, { userIds: [] }, page))).rejects.toMatchObject({
      code: 'API-001',
    })
  })
})

describe('C61 a legal hold', () => {
  test('on a person stops the erasure, and what a job would remove of the person; its release lets both go on', async () => {
    const { admin } = await world.tenant('hold-person')
    const made = await world.tenant('hold-person-rows')
    const [held, free] = [
      await newUser(made.admin, 'held@moor.example'),
      await newUser(made.admin, 'free@moor.example'),
    ]
    await deactivated(made.admin, held)
    await deactivated(made.admin, free)
    const { holds } = registry()
    const hold = await within((tx) => holds.place(tx, { matter: 'Moor v. Heath', subject: { userIds: [held] } }), made)
    expect((await within((tx) => holds.active(tx), made)).map(({ id }) => id)).toEqual([hold.id])
    const erase = (id: string) => made.admin.delete(`/iam/users/${id}`, { query: { mode: 'erase' } })
    const refused = await erase(held)
    expect([...code(refused), refused.body.detail]).toEqual([409, 'API-032', expect.stringContaining('Moor v. Heath')])
    const { tables } = world.kernel
    const of = (id: string) => within((tx) => eraseSubject(tx, tables, id), made)
    expect(await of(held)).toEqual({})
    expect(Object.keys(await of(free))).toContain('audit_personal')
    expectStatus(await erase(free), 200)
    await within((tx) => holds.release(tx, hold.id), made)
    await expect(within((tx) => holds.release(tx, hold.id), made)).rejects.toMatchObject({ code: 'API-013' })
    expectStatus(await erase(held), 200)
    expect((await admin.get('/iam/users')).status).toBe(200)
  })

  test('on a category keeps records from being removed by hand', async () => {
    const { admin, ...made } = await world.tenant('hold-category')
    const role = { name: 'Auditor of the moor', permissions: ['iam:read'] }
    const { body } = expectStatus(await admin.post('/iam/roles', role), 201)
    const { holds } = registry()
    const place = (category: string) =>
      within((tx) => holds.place(tx, { matter: 'Audit', categories: [category] }), { ...made, admin })
    await place('model_call')
    const hold = await place('authorization')
    const remove = () => admin.delete(`/iam/roles/${body.data.id}`)
    expect(code(await remove())).toEqual([409, 'API-032'])
    await within((tx) => holds.release(tx, hold.id), { ...made, admin })
    expectStatus(await remove(), 200)
  })

  test('on everything keeps jobs, events and the tenant itself', async () => {
    const made = await world.tenant('hold-all')
    const hold = await within((tx) => registry().holds.place(tx, { matter: 'Everything' }), made)
    const { db, clock } = world.kernel
    const inAYear = clock.now() + 365 * 86_400_000
    // The modules' own jobs and events come while this test runs: it looks for the rows that it has seen.
    const finished = async () => {
      const rows = await db.read(made.id, sql<{ id: string }>`select id from job where finished_at is not null`)
      return rows.map(({ id }) => id)
    }
    const events = async () => {
      const [row] = await db.read(made.id, sql<{ n: number }>`select count(*)::int as n from event_log`)
      return row?.n ?? 0
    }
    await within(
      (tx) =>
        tx.execute(sql`
          insert into job (id, kind, payload, status, run_at, attempts, progress, created_at, finished_at)
          values (${world.kernel.random.uuid()}, 'test.kept', '{}', 'done', ${clock.iso()}, 1, 1, ${clock.iso()}, ${clock.iso()})`),
      made,
    )
    await expect.poll(events).toBeGreaterThan(0)
    const [kept, before] = [await finished(), await events()]
    // Of others everything may go; a slice at a time.
    while ((await pruneJobs(db, inAYear, 1)) > 0);
    while ((await pruneEvents({ db, catalogue: [], now: inAYear })) > 0);
    expect(await finished()).toEqual(expect.arrayContaining(kept))
    expect(await events()).toBeGreaterThanOrEqual(before)
    const remove = () => made.admin.delete(`/iam/tenants/${made.id}`, { query: { confirm_slug: made.slug } })
    expect(code(await remove())).toEqual([409, 'IAM-020'])
    await within((tx) => registry().holds.release(tx, hold.id), made)
    while ((await pruneJobs(db, inAYear, 1)) > 0);
    expect((await finished()).filter((id) => kept.includes(id))).toEqual([])
    expectStatus(await remove(), 200)
  })
})
