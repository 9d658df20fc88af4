/** Ready-made workflows through the whole program, rehearsals on events that happened, and waits that are rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { recipes } from './recipes.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('platform-recipes')
})
afterAll(() => world?.close())

const patience = { timeout: 30_000 }
const open = (marked: string) => `$\{{ ${marked} }}`
const save = async (body: object) => expectStatus(await tenant.admin.post('/platform/workflows', body), 201).body.data
const begin = async (id: string, body: object = {}) =>
  expectStatus(await tenant.admin.post(`/platform/workflows/${id}/runs`, body), 201).body.data
const runOf = async ({ id, workflow_id: of }: { id: string; workflow_id: string }) =>
  expectStatus(await tenant.admin.get(`/platform/workflows/${of}/runs`, { query: { run_id: id } }), 200).body.data[0]
const read = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row> => {
  const [row] = await world.kernel.db.read(tenant.id, statement)
  if (row === undefined) throw new Error('there is no row')
  return row
}
const recipe = (key: string) => {
  const found = recipes.find((one) => one.key === key)
  if (found === undefined) throw new Error(`there is no recipe ${key}`)
  const { description: _description, ...body } = found
  return body
}

describe('a recipe', () => {
  test.each(recipes.map(({ key }) => key))('%s is accepted as the catalog shows it, without a warning', async (key) => {
    const { meta } = expectStatus(await tenant.admin.get('/platform/workflows?recipes=true&limit=1'), 200).body
    const { description: _description, ...body } = meta.recipes.find((one: { key: string }) => one.key === key)
    expect(await save({ ...body, status: 'disabled' })).toMatchObject({ key, warnings: [] })
  })

  test('for a critical alert shows whom it would quarantine, after whose approval', async () => {
    const { id } = await save(recipe('quarantine-on-critical-alert'))
    const agentId = world.kernel.random.uuid()
    const entities = [
      { type: 'agent', id: agentId },
      { type: 'user', id: 'u' },
    ]
    const event = { channel: 'aegis.alert.created', data: { severity: 'critical', title: 'Leak', entities } }
    const { status, steps } = await begin(id, { dry_run: true, event })
    expect([status, steps.map(({ status: one }: { status: string }) => one)]).toEqual([
      ...['completed', ['succeeded', 'succeeded', 'succeeded', 'succeeded']],
    ])
    expect(steps[1].output.would.with).toMatchObject({ title: 'Quarantine the agents of: Leak' })
    expect(steps[2].output).toMatchObject({
      ...{ permission: 'aegis:write' },
      would: [{ type: 'quarantine_agent', with: { agent_id: agentId, reason: 'Alert sample: Leak' } }],
    })
  })

  test('that stops a model waits for a second person, and then has stopped it', async () => {
    const officer = await tenant.as('security_admin')
    await ownCredentials(world, tenant.id)
    const { id } = await save({ ...recipe('stop-model-on-demand'), status: 'enabled' })
    const run = await begin(id, { input: { model: 'recipe-model' } })
    await expect.poll(async () => (await runOf(run)).status, patience).toBe('waiting')
    const count = () =>
      read(sql<{ n: number }>`select count(*)::int as n from aegis_kill_switch where value = 'recipe-model'`)
    expect((await count()).n).toBe(0)
    const approval = { action: 'approve' }
    expectStatus(await officer.patch(`/platform/workflows/${id}/runs/${run.id}`, approval), 200)
    await expect.poll(async () => (await runOf(run)).status, patience).toBe('completed')
    expect((await count()).n).toBe(1)
  })

  test('for a weekly report makes one when it is begun by hand', async () => {
    const { id } = await save({ ...recipe('weekly-executive-report'), status: 'enabled' })
    await begin(id)
    const reports = async () =>
      (await tenant.admin.get('/platform/reports', { query: { workflow_id: id } })).body.data.map(
        ({ kind, status }: { kind: string; status: string }) => [kind, status],
      )
    await expect.poll(reports, patience).toEqual([['executive', 'completed']])
    await save({ key: 'weekly-executive-report', status: 'archived' })
  })
})

test('a rehearsal on an event that happened has its values and changes nothing', async () => {
  const key = expectStatus(await tenant.admin.post('/iam/api-keys', { name: 'Past', scopes: ['trust:read'] }), 201)
  const reason = 'Happened before the workflow'
  const killSwitch = { scope: 'key', value: key.body.data.id, reason }
  const { id: switchId } = expectStatus(await tenant.admin.post('/gateway/kill-switches', killSwitch), 201).body.data
  const logged = async () =>
    (
      await world.kernel.db.read(
        tenant.id,
        sql<{ id: string }>`
          select id from event_log where channel = 'aegis.kill_switch.activated' and subject = ${switchId}`,
      )
    )[0]?.id ?? ''
  await expect.poll(logged, patience).not.toBe('')
  const { id } = await save({
    ...{ key: 'past', name: 'Past', declared_permissions: ['platform:write', 'gateway:admin'] },
    definition: {
      trigger: { type: 'manual' },
      steps: [
        { id: 'is_key', type: 'condition', with: { expression: 'event.data.scope == "key"' } },
        {
          ...{ id: 'end', type: 'set_kill_switch', depends_on: ['is_key'] },
          with: { action: 'deactivate', kill_switch_id: open('event.subject'), reason: 'It was a mistake' },
        },
        {
          ...{ id: 'tell', type: 'notify', depends_on: ['end'] },
          with: {
            ...{ title: open('event.data.reason'), body: 'B', severity: 'low' },
            recipients: { permission: 'platform:admin' },
          },
        },
        { id: 'never', type: 'condition', with: { expression: 'event.data.scope == "tenant"' } },
      ],
    },
  })
  const state = () =>
    read(sql<object>`
      select (select count(*)::int from platform_notification) as notifications,
        (select count(*)::int from platform_delivery) as deliveries,
        (select status from aegis_kill_switch where id = ${switchId}) as status`)
  await expect
    .poll(async () => (await state()) as { notifications: number }, patience)
    .toMatchObject({ status: 'active' })
  const before = await state()
  const { status, steps } = await begin(id, { dry_run: true, event_id: await logged() })
  expect([status, ...steps.map((step: { status: string }) => step.status)]).toEqual([
    ...['completed', 'succeeded', 'succeeded', 'succeeded', 'skipped'],
  ])
  expect(steps[1].output.would.with).toMatchObject({ action: 'deactivate', kill_switch_id: switchId })
  expect(steps[2].output.would.with).toMatchObject({ title: reason })
  expect(await state()).toMatchObject({ status: 'active', deliveries: (before as { deliveries: number }).deliveries })
  const raised = await world.kernel.db.read(
    tenant.id,
    sql<{
      n: number
    }>`select count(*)::int as n from platform_notification where source = 'workflow' and title = ${reason}`,
  )
  expect(raised[0]?.n).toBe(0)
})

test('a delay is a row: no job holds a worker for it, and it is over when its time has come', async () => {
  const steps = [
    { id: 'later', type: 'delay', with: { seconds: 86_400 } },
    { id: 'done', type: 'set', depends_on: ['later'], with: { values: { x: '1' } } },
  ]
  const { id } = await save({ key: 'delayed', name: 'Delayed', definition: { trigger: { type: 'manual' }, steps } })
  const run = await begin(id)
  await expect.poll(async () => (await runOf(run)).status, patience).toBe('waiting')
  const held = () =>
    read(sql<{ jobs: number; waits: number }>`
      select (select count(*)::int from job where key = ${run.id} and status in ('waiting', 'running')) as jobs,
        (select count(*)::int from schedule_wait where key = ${`${run.id}/later`}) as waits`)
  await expect.poll(held, patience).toEqual({ jobs: 0, waits: 1 })
  await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
    await tx.execute(sql`update platform_run_step set waiting_until = now() where run_id = ${run.id}`)
    await tx.execute(sql`update schedule_wait set until_at = now() where key = ${`${run.id}/later`}`)
  })
  await expect.poll(async () => (await runOf(run)).status, patience).toBe('completed')
})
