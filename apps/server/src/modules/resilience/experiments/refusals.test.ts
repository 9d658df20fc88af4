/** Experiments that do not start, and plans that change nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type World } from '../../../../test/support/world.ts'
import { addProvider, ask } from '../../gateway/testing/support.ts'
import { openUpstream } from '../../gateway/testing/upstream.ts'
import type { FaultBody } from '../declared/scenario-schema.ts'
import { type Lab, openLab } from '../testing/resilience-world.ts'

let world: World
let lab: Lab
beforeAll(async () => {
  world = await openWorld()
  lab = await openLab(world, 'refusals')
})
afterAll(() => world?.close())

const constant = (value: number) => ({ type: 'constant', value }) as const
const onCalls = (kind: FaultBody['kind']): FaultBody => ({ seam: 'upstream', kind, targets: ['local/*'] })
const failures = (over: object = {}) => ({
  ...{ name: 'failures', kind: 'metric', metric: 'failed', window_seconds: 3600 },
  tolerance: { type: 'max', value: 0 },
  ...over,
})

describe('an experiment is refused', () => {
  const path = '/resilience/chaos/experiments'
  const plan = (over: object = {}) => ({
    ...{ mode: 'dry_run', ttl_seconds: 60, blast_radius: { percentage: 5, max_affected_calls: 10 } },
    ...over,
  })

  test('without a reach, beyond its bounds, and for what does not exist', async () => {
    const scenario_id = await lab.scenario([onCalls('unavailable')])
    const post = async (over: object) => {
      const { status, body } = await lab.tenant.admin.post(path, plan({ scenario_id, ...over }))
      return [status, body.error_code]
    }
    // JSON has no NaN: it is sent as text or null, and a number without bounds as 1e999.
    for (const percentage of [0, -1, 101, null, 'NaN', '5', -0.0001, 1e308])
      expect(await post({ blast_radius: { percentage, max_affected_calls: 1 } })).toEqual([400, 'API-001'])
    for (const ttl_seconds of [1e9, 3601, 0, -5, 1.5, null])
      expect(await post({ ttl_seconds })).toEqual([400, 'API-001'])
    for (const max_affected_calls of [0, -1, 1e9, 1.5])
      expect(await post({ blast_radius: { percentage: 5, max_affected_calls } })).toEqual([400, 'API-001'])
    expect(await post({ mode: 'game_day' })).toEqual([400, 'API-001'])
    expect(await post({ seed: 'a b' })).toEqual([400, 'API-001'])
    expect(await post({ scenario_id: world.kernel.random.uuid() })).toEqual([422, 'RES-005'])
    expect(await post({ services: ['nothing'] })).toEqual([422, 'RES-005'])
    expect(await post({ guards: [failures({ metric: undefined })] })).toEqual([422, 'RES-003'])
  })

  test('where its author would approve it, or it has not the permission for its reach', async () => {
    const scenario_id = await lab.scenario([onCalls('unavailable')])
    const wide = plan({ scenario_id, mode: 'automated', blast_radius: { percentage: 50, max_affected_calls: 1 } })
    const analyst = await lab.tenant.as('security_analyst')
    expect((await analyst.post(path, wide)).status).toBe(403)
    const { id, status } = expectStatus(await lab.tenant.admin.post(path, wide), 201).body.data
    expect(status).toBe('pending_approval')
    const own = await lab.tenant.admin.post(`${path}/${id}/actions`, { action: 'approve' })
    expect([own.status, own.body.error_code]).toEqual([403, 'RES-014'])
    expect(await lab.act(id, 'abort')).toMatchObject({ status: 'aborted', verdict: 'inconclusive' })
    const again = await lab.tenant.admin.post(`${path}/${id}/actions`, { action: 'finish' })
    expect([again.status, again.body.error_code]).toEqual([409, 'RES-013'])
  })

  test('a dry run tells what would be hit, and changes nothing', async () => {
    const upstream = await openUpstream()
    await addProvider(lab.tenant.admin, 'local', upstream)
    expectStatus(await ask(lab.tenant.admin, 'Hello.'), 200)
    await upstream.close()
    const scenario_id = await lab.scenario([onCalls('unavailable')])
    const dry = expectStatus(await lab.tenant.admin.post(path, plan({ scenario_id })), 201).body.data
    expect(dry).toMatchObject({ status: 'completed', affected_calls: 0, expected: { approvals_needed: 0 } })
    expect(dry.expected).toMatchObject({
      matching_calls_last_hour: 1,
      targets: [{ target: 'local/test-model', calls: 1 }],
    })
  })
})

test('a protected target is refused when the scenario is made', async () => {
  for (const [seam, target] of [
    ['database', '/api/v1/iam/users'],
    ['database', '/api/v1/gateway/kill-switches'],
    ['job', 'resilience.experiment'],
  ]) {
    const faults = [{ seam, kind: 'latency', targets: [target], delay_ms: constant(1) }]
    const answer = await lab.tenant.admin.post('/resilience/scenarios', { name: `Forbidden ${target}`, faults })
    expect([answer.status, answer.body.error_code]).toEqual([403, 'RES-009'])
  }
})
