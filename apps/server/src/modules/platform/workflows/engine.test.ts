import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { closeAll, httpServer } from '../../../kernel/egress/testing/upstream.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import type { WorkflowRow } from './declared/schema.ts'
import { workflows } from './declared/tables.ts'
import { advanceRun } from './engine.ts'
import { stepsOf } from './journal.ts'
import { startRun } from './start.ts'

let world: World
let tenant: TestTenant
let services: PlatformServices
let port: number
const keys: string[] = []

beforeAll(async () => {
  port = await httpServer((request, response) => {
    keys.push(String(request.headers['idempotency-key']))
    response.end(JSON.stringify({ n: 5 }))
  })
  world = await openWorld()
  tenant = await world.tenant('platform-engine')
  services = world.program.assembled.modules.servicesOf('platform') as PlatformServices
})
afterAll(async () => {
  await world?.close()
  await closeAll()
})

const patience = { timeout: 20_000 }
const told = (answer: { status: number; body: { error_code?: string } }) => [answer.status, answer.body.error_code]
const open = (marked: string) => `$\{{ ${marked} }}`
const inTenant = <T>(work: (tx: Tx) => Promise<T>) => world.kernel.db.tenant({ tenantId: tenant.id }, work)
const save = (body: object, client = tenant.admin) => client.post('/platform/workflows', body)
const made = async (key: string, steps: object[], rest: object = {}) => {
  const definition = { trigger: { type: 'manual', input: [{ name: 'model', type: 'string' }] }, steps }
  return expectStatus(await save({ key, name: key, definition, ...rest }), 201).body.data
}
const begin = (id: string, body: object = {}, client = tenant.admin) =>
  client.post(`/platform/workflows/${id}/runs`, body)
const runOf = async (workflowId: string, id: string) =>
  expectStatus(await tenant.admin.get(`/platform/workflows/${workflowId}/runs`, { query: { run_id: id } }), 200).body
    .data[0]
const stepOf = (run: { steps: { step_id: string }[] }, id: string) =>
  run.steps.find(({ step_id }) => step_id === id) as unknown as {
    status: string
    output: never
    error: { code: string } | null
    attempts: number
  }
const patch = (run: { id: string; workflow_id: string }, body: object, client = tenant.admin) =>
  client.patch(`/platform/workflows/${run.workflow_id}/runs/${run.id}`, body)

/** A kernel whose nth transaction is lost: before it begins, or after it was committed. */
function dying(at: number, when: 'before' | 'after'): PlatformServices {
  let count = 0
  const tenantOf: Kernel['db']['tenant'] = async (scope, work) => {
    count += 1
    if (count === at && when === 'before') throw new Error('killed')
    const done = await world.kernel.db.tenant(scope, work)
    if (count === at && when === 'after') throw new Error('killed')
    return done
  }
  const db = new Proxy(world.kernel.db, {
    get: (target, name) => (name === 'tenant' ? tenantOf : bound(target, name)),
  })
  const kernel = new Proxy(world.kernel, { get: (target, name) => (name === 'db' ? db : Reflect.get(target, name)) })
  return { ...services, kernel }
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

const seven = (model: string) => [
  { id: 'name', type: 'set', with: { values: { model } } },
  {
    id: 'ask',
    type: 'http',
    depends_on: ['name'],
    with: { method: 'POST', url: `http://127.0.0.1:${port}/x`, body: '{}' },
  },
  { id: 'is_bad', type: 'condition', depends_on: ['ask'], with: { expression: 'steps.ask.output.body.n > 3' } },
  {
    ...{ id: 'stop', type: 'set_kill_switch', depends_on: ['is_bad'] },
    with: { action: 'activate', scope: 'model', value: open('input.model'), reason: 'Stopped by a workflow' },
  },
  {
    ...{ id: 'tell', type: 'notify', depends_on: ['stop'] },
    with: {
      ...{ title: `Stopped ${open('input.model')}`, body: open('steps.stop.output.kill_switch_id'), severity: 'high' },
      recipients: { permission: 'platform:admin' },
    },
  },
  { id: 'score', type: 'recalculate_trust', depends_on: ['tell'] },
  { id: 'last', type: 'set', depends_on: ['score'], with: { values: { done: 'yes' } } },
]

describe('a run that is killed', () => {
  test('before or after any of its commits has each effect inside once, and each call outside under one key', async () => {
    const workflow = await made('crash', seven('x'), {
      declared_permissions: ['gateway:admin', 'platform:write', 'trust:write'],
    })
    const row = await inTenant((tx) => workflows.get(tx, workflow.id))
    for (let at = 1; at <= 10; at += 1) for (const when of ['before', 'after'] as const) await survive(row, at, when)
  }, 120_000)

  async function survive(workflow: WorkflowRow | null, at: number, when: 'before' | 'after'): Promise<void> {
    if (workflow === null) throw new Error('there is no workflow')
    const model = `crash-${at}-${when}`
    const run = await inTenant((tx) =>
      // No job: this test is the only worker.
      startRun(
        world.kernel,
        new Proxy(tx, { get: (t, name) => (name === 'enqueue' ? async () => {} : bound(t, name)) }),
        {
          ...{ workflow, number: 1, definition: workflow.definition, event: null, input: { model }, depth: 1 },
          trigger: { type: 'manual', event_id: null, channel: null, scheduled_at: null },
          ...{ requestedBy: null, triggerKey: null },
        },
      ),
    )
    const advancing = { tenantId: tenant.id, runId: run?.id ?? '', jobId: 'job-1' }
    keys.splice(0)
    await advanceRun(dying(at, when), advancing).catch((error: Error) => expect(error.message).toBe('killed'))
    await advanceRun(services, advancing)
    const after = await runOf(workflow.id, run?.id ?? '')
    expect([model, after.status]).toEqual([model, 'completed'])
    expect(after.steps.map(({ status }: { status: string }) => status)).toEqual(Array(7).fill('succeeded'))
    expect([...new Set(keys)]).toEqual([`${run?.id}:ask`])
    const count = await inTenant((tx) =>
      tx.first(sql<{ switches: number; notices: number; events: number }>`
        select (select count(*)::int from aegis_kill_switch where value = ${model}) as switches,
          (select count(*)::int from platform_notification where title = ${`Stopped ${model}`}) as notices,
          (select count(*)::int from (
            select subject from outbox where channel = 'platform.workflow.completed' and subject = ${run?.id ?? ''}
            union all
            select subject from event_log where channel = 'platform.workflow.completed' and subject = ${run?.id ?? ''})
            as told) as events`),
    )
    expect([model, count]).toEqual([model, { switches: 1, notices: 1, events: 1 }])
    expect((await inTenant((tx) => stepsOf(tx, run?.id ?? ''))).size).toBe(7)
  }
})

describe('a run', () => {
  test('goes on by itself, and its history shows every step', async () => {
    const workflow = await made(
      'plain',
      [
        { id: 'a', type: 'set', with: { values: { n: open('1 + 1') } } },
        { id: 'no', type: 'condition', depends_on: ['a'], with: { expression: 'steps.a.output.n > 5' } },
        { id: 'never', type: 'recalculate_trust', depends_on: ['no'] },
        { id: 'b', type: 'delay', depends_on: ['a'], with: { seconds: 1 } },
      ],
      { declared_permissions: ['trust:write'] },
    )
    const { id } = expectStatus(await begin(workflow.id), 201).body.data
    await expect.poll(async () => (await runOf(workflow.id, id)).status, patience).toBe('completed')
    const run = await runOf(workflow.id, id)
    expect(run.steps.map(({ status }: { status: string }) => status)).toEqual([
      ...['succeeded', 'skipped', 'skipped', 'succeeded'],
    ])
    expect(stepOf(run, 'a').output).toEqual({ n: 2 })
  })

  test('fails at a step that takes more than its owner may, tells the owner, and is retried from there', async () => {
    const workflow = await made(
      'needy',
      [
        { id: 'first', type: 'set', with: { values: { x: '1' } } },
        { id: 'score', type: 'recalculate_trust', depends_on: ['first'] },
      ],
      { declared_permissions: ['trust:write'] },
    )
    // As if whoever wrote the version had lost the right since.
    const analyst = await tenant.as('ai_engineer')
    const { id: analystId } = expectStatus(await analyst.get('/auth/me'), 200).body.data.user
    const started = expectStatus(await begin(workflow.id), 201).body.data
    await expect.poll(async () => (await runOf(workflow.id, started.id)).status, patience).toBe('completed')
    const run = await inTenant(async (tx) => {
      const row = await startRun(world.kernel, tx, {
        ...{ workflow: { id: workflow.id, owner_id: analystId }, number: 1, definition: workflow.definition },
        ...{ event: null, input: {}, depth: 1, requestedBy: null, triggerKey: null },
        trigger: { type: 'manual', event_id: null, channel: null, scheduled_at: null },
      })
      return row
    })
    await expect.poll(async () => (await runOf(workflow.id, run?.id ?? '')).status, patience).toBe('failed')
    const failed = await runOf(workflow.id, run?.id ?? '')
    expect(stepOf(failed, 'score')).toMatchObject({ status: 'failed', error: { code: 'PLAT-013' } })
    const told = async () =>
      (await analyst.get('/platform/notifications', { query: { category: 'workflow' } })).body.data[0]?.title
    await expect.poll(told, patience).toBe('Workflow failed: needy')
    await inTenant((tx) =>
      tx.execute(sql`
      update platform_run set owner_id = ${workflow.owner_id} where id = ${failed.id}`),
    )
    expectStatus(await patch(failed, { action: 'retry' }), 200)
    await expect.poll(async () => (await runOf(workflow.id, failed.id)).status, patience).toBe('completed')
    expect(stepOf(await runOf(workflow.id, failed.id), 'first')).toMatchObject({ attempts: 1 })
  })

  test('begins by an event that meets the filter, once', async () => {
    const definition = {
      trigger: {
        ...{ type: 'event', channels: ['aegis.kill_switch.*'] },
        filter: "event.channel == 'aegis.kill_switch.activated' && event.data.reason == 'Begins a workflow'",
      },
      steps: [{ id: 'keep', type: 'set', with: { values: { value: open('event.data.reason') } } }],
    }
    const { id } = expectStatus(await save({ key: 'by-event', name: 'By event', definition }), 201).body.data
    for (const reason of ['Something else happened', 'Begins a workflow']) {
      const key = expectStatus(await tenant.admin.post('/iam/api-keys', { name: reason, scopes: ['trust:read'] }), 201)
      const body = { scope: 'key', value: key.body.data.id, reason }
      expectStatus(await tenant.admin.post('/gateway/kill-switches', body), 201)
    }
    const all = async () => expectStatus(await tenant.admin.get(`/platform/workflows/${id}/runs`), 200).body.data
    await expect.poll(async () => (await all())[0]?.status, patience).toBe('completed')
    expect(await all()).toMatchObject([{ trigger: { type: 'event', channel: 'aegis.kill_switch.activated' } }])
    expect(stepOf((await all())[0], 'keep').output).toEqual({ value: 'Begins a workflow' })
    // Events that are logged while a workflow is off start nothing.
    expectStatus(await save({ key: 'by-event', status: 'disabled' }), 201)
    expect(told(await begin(id))).toEqual([409, 'PLAT-014'])
  })

  test('rehearses without an effect', async () => {
    const workflow = await made(
      'rehearsed',
      seven('x').map((step) => (step.id === 'is_bad' ? { ...step, with: { expression: 'input.model == "m"' } } : step)),
      { declared_permissions: ['gateway:admin', 'platform:write', 'trust:write'] },
    )
    keys.splice(0)
    const run = expectStatus(await begin(workflow.id, { dry_run: true, input: { model: 'm' } }), 201).body.data
    expect(run).toMatchObject({ status: 'completed', dry_run: true })
    expect(stepOf(run, 'ask').output).toMatchObject({ would: { type: 'http' }, permission: 'platform:write' })
    expect(stepOf(run, 'stop').output).toMatchObject({ would: { with: { value: 'm', scope: 'model' } } })
    expect(keys).toEqual([])
    const [none] = await world.kernel.db.read(
      tenant.id,
      sql<{ n: number }>`
      select count(*)::int as n from aegis_kill_switch where value = 'm'`,
    )
    expect(none?.n).toBe(0)
    expect(told(await begin(workflow.id, { input: { other: 1 } }))).toEqual([422, 'PLAT-010'])
    expect(told(await begin(workflow.id, { event_id: world.kernel.random.uuid() }))).toEqual([422, 'PLAT-010'])
    expect(told(await begin(workflow.id, { version: 9 }))).toEqual([409, 'PLAT-014'])
  })
})

describe('an approval', () => {
  test('is given once by another person than the owner, and the run goes on with it', async () => {
    const officer = await tenant.as('security_admin')
    await ownCredentials(world, tenant.id)
    const workflow = await made(
      'approved',
      [
        { id: 'ok', type: 'approve', with: { title: 'Stop it', approvers: { roles: ['security_admin'] } } },
        {
          ...{ id: 'stop', type: 'set_kill_switch', depends_on: ['ok'] },
          with: { action: 'activate', scope: 'model', value: 'approved-model', reason: 'After an approval' },
        },
      ],
      { declared_permissions: ['gateway:admin'] },
    )
    const run = expectStatus(await begin(workflow.id), 201).body.data
    await expect.poll(async () => (await runOf(workflow.id, run.id)).status, patience).toBe('waiting')
    const asked = async () =>
      (await officer.get('/platform/notifications', { query: { category: 'approval' } })).body.data[0]?.title
    await expect.poll(asked, patience).toBe('Approval needed: Stop it')
    expect(told(await patch(run, { action: 'approve' }))).toEqual([403, 'PLAT-017'])
    expect(told(await patch(run, { action: 'retry' }))).toEqual([409, 'PLAT-016'])
    expectStatus(await patch(run, { action: 'approve', comment: 'Agreed' }, officer), 200)
    expect(told(await patch(run, { action: 'approve', step_id: 'ok' }, officer))).toEqual([409, 'PLAT-015'])
    await expect.poll(async () => (await runOf(workflow.id, run.id)).status, patience).toBe('completed')
    const [{ n } = { n: 0 }] = await world.kernel.db.read(
      tenant.id,
      sql<{ n: number }>`
      select count(*)::int as n from aegis_kill_switch where value = 'approved-model'`,
    )
    expect(n).toBe(1)
  })

  test('that is rejected or expires fails its run, and a cancelled run takes no more decisions', async () => {
    const officer = await tenant.as('security_admin')
    const steps = [
      {
        ...{ id: 'ok', type: 'approve' },
        with: { title: 'Again', approvers: { roles: ['security_admin'] }, expires_in_seconds: 60 },
      },
    ]
    const workflow = await made('refused', steps)
    const waiting = async () => {
      const run = expectStatus(await begin(workflow.id), 201).body.data
      await expect.poll(async () => (await runOf(workflow.id, run.id)).status, patience).toBe('waiting')
      return run
    }
    const rejected = await waiting()
    expectStatus(await patch(rejected, { action: 'reject' }, officer), 200)
    await expect.poll(async () => (await runOf(workflow.id, rejected.id)).status, patience).toBe('failed')
    const late = await waiting()
    await inTenant(async (tx) => {
      await tx.execute(sql`update platform_run_step set waiting_until = now() where run_id = ${late.id}`)
      await tx.execute(sql`update schedule_wait set until_at = now() where key = ${`${late.id}/ok`}`)
    })
    await expect.poll(async () => (await runOf(workflow.id, late.id)).status, patience).toBe('failed')
    expect(stepOf(await runOf(workflow.id, late.id), 'ok').error?.code).toBe('EXPIRED')
    const gone = await waiting()
    expect(expectStatus(await patch(gone, { action: 'cancel' }), 200).body.data.status).toBe('cancelled')
    expect(told(await patch(gone, { action: 'approve' }, officer))).toEqual([409, 'PLAT-016'])
  })
})

describe('a workflow', () => {
  test('has versions by its key, declares no more than its author holds, and has a schedule that can be kept', async () => {
    const steps = [{ id: 'score', type: 'recalculate_trust' }]
    const first = await made('versioned', steps, { declared_permissions: ['trust:write', 'iam:read'] })
    expect(first.warnings).toEqual(['iam:read is declared and no step takes it.'])
    expect(told(await save({ key: 'versioned', expected_version: 5 }))).toEqual([409, 'PLAT-011'])
    const changed = expectStatus(await save({ key: 'versioned', name: 'Other' }), 201).body.data
    expect(changed).toMatchObject({ id: first.id, version: 2, name: 'Other', definition: first.definition })
    expect(told(await save({ key: 'unknown' }))).toEqual([400, 'API-001'])
    const officer = await tenant.as('security_admin')
    expect(told(await save({ key: 'versioned', declared_permissions: ['trust:write', 'iam:admin'] }, officer))).toEqual(
      [...[403, 'PLAT-013']],
    )
    const circle = { ...steps[0], depends_on: ['score'] }
    const definition = { trigger: { type: 'manual' }, steps: [circle] }
    expect(told(await save({ key: 'versioned', definition }))).toEqual([422, 'PLAT-012'])
    const scheduled = (cron: string) =>
      save({
        key: 'scheduled',
        name: 'S',
        definition: { trigger: { type: 'schedule', cron }, steps },
        declared_permissions: ['trust:write'],
      })
    const wrong = await scheduled('60 * * * *')
    expect(told(wrong)).toEqual([422, 'PLAT-007'])
    expect(wrong.body.errors[0].pointer).toBe('/definition/trigger/cron')
    expect(expectStatus(await scheduled('0 8 * * *'), 201).body.data.next_run_at).toMatch(/T/)
    const { meta } = expectStatus(await tenant.admin.get('/platform/workflows?recipes=true&limit=1'), 200).body
    expect(meta.recipes.length).toBeGreaterThan(3)
  })
})
