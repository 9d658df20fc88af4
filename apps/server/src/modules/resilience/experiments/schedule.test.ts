/** Experiments on a timetable, in blackout windows and on calls of their own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type OwnWorld, openWorld } from '../../../../test/support/world.ts'
import { addProvider, ask } from '../../gateway/testing/support.ts'
import { openUpstream, say, type Upstream } from '../../gateway/testing/upstream.ts'
import type { FaultBody } from '../declared/scenario-schema.ts'
import { kindsOf, type Lab, openLab, patience } from '../testing/resilience-world.ts'

let world: OwnWorld
let lab: Lab
beforeAll(async () => {
  // It moves the safety lever of the platform and sets windows for all.
  world = await openWorld({ own: true })
  lab = await openLab(world, 'timetable')
})
afterAll(() => world?.close())

const path = '/resilience/chaos/experiments'
const unavailable: FaultBody = { seam: 'upstream', kind: 'unavailable', targets: ['nowhere/*'] }
const told = ({ status, body }: { status: number; body: { error_code: string; errors: { pointer?: string }[] } }) => [
  status,
  body.error_code,
  body.errors[0]?.pointer,
]
const daily = { cron: '30 2 * * *', time_zone: 'Europe/Berlin' }
const planOf = async (over: object = {}) => ({
  ...{ scenario_id: await lab.scenario([unavailable]), mode: 'scheduled', ttl_seconds: 5, schedule: daily },
  blast_radius: { percentage: 5, max_affected_calls: 5 },
  ...over,
})

/** Adds the job of a run, as the schedule does when it is due. */
async function runNow(id: string): Promise<void> {
  const schedule = { key: id, scheduled_at: world.kernel.clock.iso(), missed: 0 }
  const kind = 'resilience.scheduled_experiment'
  await world.kernel.db.tenant({ tenantId: lab.tenant.id }, (tx) =>
    tx.enqueue({ kind, payload: { experiment_id: id, schedule } }),
  )
}

interface Entry {
  readonly kind: string
  readonly data: Readonly<Record<string, unknown>>
}
const entries = async (id: string, kind: string): Promise<readonly Entry[]> =>
  (await lab.see(id)).journal.filter((entry: Entry) => entry.kind === kind)

describe('a timetable', () => {
  test('begins an experiment at each run, leaves out one that may not start, and ends with its abort', async () => {
    const plan = expectStatus(await lab.tenant.admin.post(path, await planOf()), 201).body.data
    expect(plan).toMatchObject({
      status: 'scheduled',
      schedule: daily,
      next_run_at: expect.stringMatching(/T0[01]:30/),
    })
    await runNow(plan.id)
    await expect.poll(async () => (await entries(plan.id, 'run')).length, patience).toBe(1)
    const [run] = await entries(plan.id, 'run')
    const made = String(run?.data.experiment_id)
    expect(await lab.see(made)).toMatchObject({ mode: 'automated', scheduled_by: plan.id, next_run_at: null })
    await lab.act(made, 'abort')
    await lab.until(made, 'aborted')

    await lab.act('all', 'engage_lever')
    await runNow(plan.id)
    await expect.poll(async () => (await entries(plan.id, 'skipped')).length, patience).toBe(1)
    const [skipped] = await entries(plan.id, 'skipped')
    expect(skipped?.data).toMatchObject({ error_code: 'RES-010' })
    await lab.act('all', 'release_lever')

    expect(await lab.act(plan.id, 'abort')).toMatchObject({ status: 'aborted', next_run_at: null })
    await runNow(plan.id)
    const later = expectStatus(await lab.tenant.admin.post(path, await planOf()), 201).body.data
    await runNow(later.id)
    await expect.poll(async () => (await entries(later.id, 'run')).length, patience).toBe(1)
    expect(await entries(plan.id, 'run')).toHaveLength(1)
    await lab.act(later.id, 'abort')
    const last = String((await entries(later.id, 'run'))[0]?.data.experiment_id)
    await lab.act(last, 'abort')
    await lab.until(last, 'aborted')
  })

  test('takes the approval that its reach takes, once for all runs', async () => {
    const wide = await planOf({ blast_radius: { percentage: 50, max_affected_calls: 5 } })
    const plan = expectStatus(await lab.tenant.admin.post(path, wide), 201).body.data
    expect(plan).toMatchObject({ status: 'pending_approval', next_run_at: null })
    const approved = expectStatus(await lab.second.post(`${path}/${plan.id}/actions`, { action: 'approve' }), 200).body
      .data
    expect(approved).toMatchObject({ status: 'scheduled', next_run_at: expect.any(String) })
    await runNow(plan.id)
    await expect.poll(async () => (await entries(plan.id, 'run')).length, patience).toBe(1)
    const [run] = await entries(plan.id, 'run')
    expect(await lab.see(String(run?.data.experiment_id))).toMatchObject({ approved_by: approved.approved_by })
    await lab.act(plan.id, 'abort')
    await lab.act(String(run?.data.experiment_id), 'abort')
    await lab.until(String(run?.data.experiment_id), 'aborted')
  })

  test('is refused where it cannot be kept, or without the permission', async () => {
    const post = async (over: object) => told(await lab.tenant.admin.post(path, await planOf(over)))
    expect(await post({ schedule: undefined })).toEqual([400, 'API-001', '/schedule'])
    expect(await post({ mode: 'dry_run' })).toEqual([400, 'API-001', '/schedule'])
    expect(await post({ schedule: { ...daily, cron: '61 * * * *' } })).toEqual([400, 'API-030', '/schedule/cron'])
    expect(await post({ schedule: { ...daily, time_zone: 'Mars/Olympus' } })).toEqual([
      ...[400, 'API-031', '/schedule/time_zone'],
    ])
    const analyst = await lab.tenant.as('security_analyst')
    expect((await analyst.post(path, await planOf())).status).toBe(403)
  })
})

test('nothing starts in a blackout window, of the tenant or of the platform', async () => {
  const { admin } = lab.tenant
  const plan = await planOf({ mode: 'automated', schedule: undefined })
  const at = (ms: number) => new Date(world.kernel.clock.now() + ms).toISOString()
  const freeze = { name: 'Release', starts_at: at(-60_000), ends_at: at(3_600_000) }
  const set = async (scope: 'tenant' | 'platform', windows: readonly object[]) => {
    const values = { 'resilience.blackout_windows': windows }
    const client = scope === 'tenant' ? admin : world.operator
    return expectStatus(await client.patch('/admin/config', { values, scope, comment: 'A freeze of changes' }), 200)
  }
  for (const scope of ['tenant', 'platform'] as const) {
    await set(scope, [freeze])
    const refused = await admin.post(path, plan)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'RES-010'])
    expect(refused.body.detail).toContain('"Release"')
    await set(scope, [])
  }
  const wrong = { values: { 'resilience.blackout_windows': [{ ...freeze, ends_at: at(-120_000) }] }, comment: 'Wrong' }
  expect((await admin.patch('/admin/config', wrong)).status).toBe(422)
  const { id } = expectStatus(await admin.post(path, plan), 201).body.data
  await lab.act(id, 'abort')
  await lab.until(id, 'aborted')
})

describe('synthetic calls', () => {
  let upstream: Upstream
  beforeAll(async () => {
    upstream = await openUpstream()
    upstream.reply(say('Hello.'))
    await addProvider(lab.tenant.admin, 'local', upstream)
  })
  afterAll(() => upstream?.close())

  test('meet the faults of their experiment, and calls of people do not', async () => {
    const { admin } = lab.tenant
    const scenario_id = await lab.scenario([{ seam: 'upstream', kind: 'error', status: 400 }])
    const body = {
      ...{ scenario_id, mode: 'automated', scope: 'synthetic', ttl_seconds: 600 },
      blast_radius: { percentage: 100, max_affected_calls: 1_000 },
    }
    const made = expectStatus(await admin.post(path, body), 201).body.data
    expect(made).toMatchObject({ status: 'ready', expected: { approvals_needed: 0 } })
    await expect.poll(async () => (await lab.see(made.id)).affected_calls, patience).toBeGreaterThan(5)
    for (let i = 0; i < 5; i += 1) expectStatus(await ask(admin, `Question ${i}`), 200)
    await lab.act(made.id, 'finish')
    const done = await lab.until(made.id, 'completed')
    expect(kindsOf(done)).toContain('synthetic_calls')
    const [sums] = await entries(made.id, 'synthetic_calls')
    expect(Number(sums?.data.failed)).toBeGreaterThan(5)
    const faults = await entries(made.id, 'fault')
    expect(faults.filter(({ data }) => !String(data.request_id).startsWith(`chaos_${made.id}_`))).toEqual([])
    expect(faults.filter(({ data }) => data.target !== 'echo/echo-1')).toEqual([])
  })

  test('are refused for faults that they do not meet', async () => {
    const scenario_id = await lab.scenario([{ seam: 'cache', kind: 'unavailable' }])
    const body = { scenario_id, mode: 'automated', scope: 'synthetic', ttl_seconds: 5 }
    const blast_radius = { percentage: 100, max_affected_calls: 5 }
    expect(told(await lab.tenant.admin.post(path, { ...body, blast_radius }))).toEqual([
      ...[422, 'RES-011', '/scenario_id'],
    ])
  })
})
