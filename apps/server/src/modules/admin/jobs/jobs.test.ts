import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { openTestDatabase } from '../../../../test/support/database.ts'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import type { Actor } from '../../../kernel/access/actor.ts'
import { noPermissions } from '../../../kernel/access/permissions.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { defineModule, type JobContext } from '../../../kernel/module/module.ts'
import { modules } from '../../../modules.ts'

let world: OwnWorld
let tenant: TestTenant
let other: TestTenant

/** Work of this suite's jobs, by the word they were given. */
const work: Record<string, (context: JobContext<unknown>) => Promise<void>> = {}
const kind = 'cybertwins.sample'
/** A module of the sample's name stands in the place of the real one, which no other uses. */
const others = modules.filter(({ name }) => name !== 'cybertwins')
const sample = defineModule({
  name: 'cybertwins',
  prefix: 'cybertwins',
  errors: {},
  tables: [],
  migrations: [],
  routes: [],
  emits: [],
  services: () => undefined,
  jobs: [
    {
      kind,
      maxAttempts: 1,
      leaseMs: 600_000,
      everyMs: null,
      run: (context) => work[String(context.payload.work)]?.(context) ?? Promise.resolve(),
    },
  ],
})

beforeAll(async () => {
  world = await openWorld({ modules: [...others, sample], database: await openTestDatabase(schemaOf(others)) })
  tenant = await world.tenant('jobs')
  other = await world.tenant('jobs-other')
})
afterAll(() => world?.close())

const told = (answer: TestAnswer) => [answer.status, answer.body?.error_code]
const retry = (client: TestClient, id: string, body: object = {}) => client.post(`/admin/jobs/${id}/retry`, body)
const list = async (client: TestClient, query: Record<string, string> = {}) =>
  expectStatus(await client.get('/admin/jobs', { query: { kind, ...query } }), 200).body.data

async function userOf(client: TestClient): Promise<string> {
  return expectStatus(await client.get('/auth/me'), 200).body.data.user.id
}

/** A job that this person started. */
async function started(client: TestClient, word: string, runAt?: number): Promise<string> {
  const id = world.kernel.random.uuid()
  const userId = await userOf(client)
  const actor: Actor = {
    kind: 'user',
    userId,
    tenantId: tenant.id,
    homeTenantId: tenant.id,
    role: 'viewer',
    roles: [],
    permissions: noPermissions,
    operator: false,
    sessionId: null,
    keyId: null,
    authTime: null,
    amr: [],
    rateLimitPerMinute: null,
    tenantRequestsPerMinute: null,
    tenantStatus: 'active',
  }
  await world.kernel.db.tenant({ tenantId: tenant.id, origin: { actor } }, (tx) =>
    tx.enqueue({ id, kind, payload: { work: word }, ...(runAt === undefined ? {} : { runAt }) }),
  )
  return id
}

async function reaches(id: string, status: string): Promise<Record<string, unknown>> {
  const read = async () => (await list(tenant.admin, { id }))[0]
  await expect.poll(async () => (await read()).status).toBe(status)
  return read()
}

/** Events wait in the outbox before they are in the log. */
const deathsOf = (id: string) =>
  world.kernel.db.system('test', (tx) =>
    tx.query(sql<{ data: object }>`
      select data from (select channel, data from outbox union all select channel, data from event_log) e
      where channel = 'admin.job.dead_lettered' and data ->> 'job_id' = ${id}`),
  )

describe('a job', () => {
  test('tells what became of it, and its result', async () => {
    work.answer = async (context) => {
      await context.progress(0.5)
      context.result({ answer: 42 })
    }
    const done = await reaches(await started(tenant.admin, 'answer'), 'completed')
    expect(done).toMatchObject({ progress: 1, result: { answer: 42 }, attempts: 1, max_attempts: 1, last_error: null })
    expect(done.created_by).toBe(await userOf(tenant.admin))
    expect(done.payload_digest).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is seen by who started it, and by those with admin:read', async () => {
    const [viewer, analyst] = [await tenant.as('viewer'), await tenant.as('security_analyst')]
    const id = await started(viewer, 'nothing')
    await reaches(id, 'completed')
    const ids = async (client: TestClient) => (await list(client)).map((one: { id: string }) => one.id)
    expect(await ids(viewer)).toEqual([id])
    expect(await ids(analyst)).toEqual([])
    expect(await ids(await tenant.as('auditor'))).toContain(id)
    expect(await ids(other.admin)).toEqual([])
    expect(await list(other.admin, { id })).toEqual([])
    expect(told(await retry(other.admin, id))).toEqual([404, 'API-013'])
    expect(told(await retry(viewer, id))).toEqual([403, 'AUTH-004'])
  })

  test('that died can be tried again, with its error named but not quoted', async () => {
    let broken = true
    work.breaks = async () => {
      if (broken) throw new RangeError('connect to db-17.internal failed')
    }
    const id = await started(tenant.admin, 'breaks')
    const dead = await reaches(id, 'dead')
    expect(dead.last_error).toEqual({ class: 'RangeError', message: null })
    expect(await deathsOf(id)).toMatchObject([{ data: { job_id: id, kind, attempts: 1, error_class: 'RangeError' } }])
    const headers = { 'x-tenant-id': tenant.id }
    const seen = expectStatus(await world.operator.get('/admin/jobs', { query: { id }, headers }), 200).body.data[0]
    expect(seen.last_error.message).toContain('db-17')
    broken = false
    expectStatus(await retry(tenant.admin, id), 200)
    expect(await reaches(id, 'completed')).toMatchObject({ attempts: 1, last_error: null })
    expect(told(await retry(tenant.admin, id))).toEqual([409, 'ADM-015'])
    const query = { action: 'admin.job.retry' }
    const [entry] = expectStatus(await tenant.admin.get('/admin/audit-logs', { query }), 200).body.data
    expect(entry).toMatchObject({ target: `job:${id}`, before: { status: 'dead' }, after: { status: 'queued' } })
  })

  test('that waits is called off and never runs', async () => {
    let ran = false
    work.late = async () => {
      ran = true
    }
    const id = await started(tenant.admin, 'late', world.kernel.clock.now() + 600)
    expect(expectStatus(await retry(tenant.admin, id, { cancel: true }), 200).body.data.status).toBe('cancelled')
    expect(told(await retry(tenant.admin, id, { cancel: true }))).toEqual([409, 'ADM-015'])
    expect(told(await retry(tenant.admin, id))).toEqual([409, 'ADM-015'])
    const after = await started(tenant.admin, 'nothing', world.kernel.clock.now() + 1_200)
    await reaches(after, 'completed')
    expect(ran).toBe(false)
  })

  test('is not called off for a later time', async () => {
    const id = await started(tenant.admin, 'nothing', world.kernel.clock.now() + 900_000)
    const both = { cancel: true, run_at: '2100-01-01T00:00:00Z' }
    expect(told(await retry(tenant.admin, id, both))).toEqual([400, 'API-001'])
    expect((await list(tenant.admin, { id }))[0].status).toBe('queued')
    expectStatus(await retry(tenant.admin, id, { cancel: true }), 200)
  })

  test('that runs is stopped at once and stays called off', async () => {
    const seen = { begun: false, stopped: false }
    work.long = ({ signal }) => {
      seen.begun = true
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          seen.stopped = true
          resolve()
        }),
      )
    }
    const id = await started(tenant.admin, 'long')
    await expect.poll(() => seen.begun).toBe(true)
    expectStatus(await retry(tenant.admin, id, { cancel: true }), 200)
    // Its lease would be renewed minutes from now: only the announcement can have told it.
    await expect.poll(() => seen.stopped).toBe(true)
    await reaches(await started(tenant.admin, 'nothing'), 'completed')
    expect(await reaches(id, 'cancelled')).toMatchObject({ result: null })
  })
})

test('the queues tell depth, age and deaths to those with admin:read', async () => {
  work.breaks = async () => {
    throw new Error('no')
  }
  await reaches(await started(tenant.admin, 'breaks'), 'dead')
  await started(tenant.admin, 'nothing', world.kernel.clock.now() + 900_000)
  const answer = expectStatus(await tenant.admin.get('/admin/jobs', { query: { view: 'queues' } }), 200)
  const queue = answer.body.meta.queues.find((one: { kind: string }) => one.kind === kind)
  expect(queue).toMatchObject({ depth: 1, running: 0, failed: 0, dead: 1, oldest_waiting_seconds: null })
  expect(queue.completed_last_hour).toBeGreaterThan(0)
  const viewer = await tenant.as('viewer')
  expect(told(await viewer.get('/admin/jobs', { query: { view: 'queues' } }))).toEqual([403, 'AUTH-004'])
})

describe('the installation’s own jobs', () => {
  const platform = { scope: 'platform' }
  const own = async (query: Record<string, string>) =>
    expectStatus(await world.operator.get('/admin/jobs', { query: { ...platform, ...query } }), 200).body

  test('C10 are seen and tried again by operators, and are nobody else’s', async () => {
    const id = world.kernel.random.uuid()
    await world.kernel.db.tenant({ tenantId: platformTenant }, (tx) =>
      tx.enqueue({ id, kind, payload: { work: 'breaks' } }),
    )
    await expect.poll(async () => (await own({ id })).data[0]?.status).toBe('dead')
    expect(await list(tenant.admin, { id })).toEqual([])
    expect(told(await tenant.admin.get('/admin/jobs', { query: platform }))).toEqual([403, 'AUTH-004'])
    const again = (client: TestClient, query: Record<string, string>) =>
      client.post(`/admin/jobs/${id}/retry`, {}, { query })
    expect(told(await again(tenant.admin, platform))).toEqual([403, 'AUTH-004'])
    expect(told(await again(world.operator, {}))).toEqual([404, 'API-013'])
    expect((await own({ id })).data[0].status).toBe('dead')
    expectStatus(await again(world.operator, platform), 200)
    const entries = await world.kernel.db.read(
      platformTenant,
      sql<{ action: string; target: string }>`
        select action, target from audit_entry where action = 'admin.job.retry'`,
    )
    expect(entries).toEqual([{ action: 'admin.job.retry', target: `job:${id}` }])
  })

  test('stand in queues with those of all tenants', async () => {
    const before = await own({ view: 'queues' })
    const depthIn = (body: { meta: { queues: readonly { kind: string; depth: number }[] } }) =>
      body.meta.queues.find((one) => one.kind === kind)?.depth ?? 0
    const later = world.kernel.clock.now() + 900_000
    for (const tenantId of [tenant.id, other.id, platformTenant])
      await world.kernel.db.tenant({ tenantId }, (tx) =>
        tx.enqueue({ kind, payload: { work: 'nothing' }, runAt: later }),
      )
    expect(depthIn(await own({ view: 'queues' })) - depthIn(before)).toBe(3)
    const ofOther = expectStatus(await other.admin.get('/admin/jobs', { query: { view: 'queues' } }), 200).body
    expect(depthIn(ofOther)).toBe(1)
  })
})
