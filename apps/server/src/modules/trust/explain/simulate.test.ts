import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { anomalies, enforced as enforcedAt } from '../testing/reports.ts'
import { noReport, openTrustWorld, type TrustWorld } from '../testing/trust-world.ts'

const msPerDay = 86_400_000

let world: TrustWorld
let tenant: TenantId

beforeAll(async () => {
  world = await openTrustWorld()
})

afterAll(() => world.close())

beforeEach(async () => {
  const observed = new Date(world.clock.now() - 7 * msPerDay).toISOString()
  world.reports.gateway = enforcedAt(observed, 1_000_000, 1_000_000)
  world.reports.aegis = { signals: [anomalies(world.clock.iso())], caps: [] }
  tenant = await world.newTenant()
  await world.post(tenant, '/scores/recalculate')
})

async function simulated(changes: readonly object[], at?: string) {
  const { status, body } = await world.post(tenant, '/scores/simulate', {
    changes,
    ...(at === undefined ? {} : { at }),
  })
  expect([status, body.error_code]).toEqual([200, undefined])
  return body.data
}

const current = async () => (await world.get(tenant, '/scores/current')).body.data

describe('a simulation', () => {
  test('without any change is the current score, before and after', async () => {
    const now = await current()
    expect(await simulated([])).toMatchObject({
      before: now,
      after: now,
      delta: 0,
      contributions: [],
      configuration: 0,
    })
  })

  test('of one signal says by how much the score moves, and why', async () => {
    const data = await simulated([{ signal: 'enforced', value: 100 }])
    // 75 again 100: 0.15 × 0.25 × 25 = 0.94.
    expect(data).toMatchObject({ delta: 0.94, contributions: [{ signal: 'enforced', phi: 0.94, baseline: 75 }] })
    expect(data.after.composite_score).toBeCloseTo(data.before.composite_score + 0.94, 9)
  })

  test('of old evidence collected again gives it back', async () => {
    expect(await simulated([{ signal: 'enforced', refresh: true }])).toMatchObject({ delta: 0.94 })
  })

  test('of an event that is closed heals as time goes on', async () => {
    const [event] = (await world.get(tenant, '/pillars/security')).body.data.signals.flatMap(
      ({ events }: { events: readonly { id: string }[] | null }) => events ?? [],
    )
    const later = new Date(world.clock.now() + 7 * msPerDay).toISOString()
    const refresh = { signal: 'anomaly_pressure', refresh: true }
    const open = await simulated([refresh], later)
    const closed = await simulated([{ close_event: event.id }, refresh], later)
    // 100 × 2^(−5/20) = 84.09; half of it after a half-life: 100 × 2^(−2.5/20) = 91.70; × 0.2 × 0.25 of the composite.
    expect(closed.after.pillars.security.score - open.after.pillars.security.score).toBeCloseTo(1.52, 9)
  })

  test('of a cap shows what it takes away', async () => {
    const data = await simulated([{ cap: 'kill_switch_active', value: true }])
    expect(data.after.pillars.security.score).toBe(40)
    expect(data.caps).toMatchObject([{ cap: 'kill_switch_active', pillar: 'security' }])
    expect(data.caps[0].phi).toBeCloseTo(data.delta, 9)
  })

  test('of weights and decay divides the difference into configuration and evidence', async () => {
    const weights = { ai_governance: 0.3, risk: 0.05 }
    const data = await simulated([{ weights }, { decay: { decay_model: 'none' } }])
    expect(data.after).toMatchObject({
      decay_model: 'none',
      pillars: { ai_governance: { weight: 0.3 }, risk: { weight: 0.05 } },
    })
    const [enforced] = data.contributions
    expect(enforced).toMatchObject({ signal: 'enforced', effective: 100, baseline: 75 })
    expect(data.configuration + enforced.phi).toBeCloseTo(data.delta, 9)
  })

  test('of time alone is the score that time brings', async () => {
    const at = new Date(world.clock.now() + 30 * msPerDay).toISOString()
    const data = await simulated([], at)
    expect(data).toMatchObject({ at, before: await current() })
    expect(data.delta).toBeLessThan(0)
    world.reports.gateway = noReport
    world.reports.aegis = noReport
    world.clock.advance(30 * msPerDay)
    const { body } = await world.post(tenant, '/scores/recalculate')
    expect(body.data.composite_score).toBe(data.after.composite_score)
  })

  test('writes nothing at all', async () => {
    const written = sql<{ snapshots: number; versions: number; entries: number; jobs: number }>`
      select (select count(*)::int from trust_snapshot) as snapshots, (select count(*)::int from trust_config) as versions,
        (select count(*)::int from audit_entry) as entries, (select count(*)::int from job) as jobs`
    const state = sql<{ state: string }>`select to_jsonb(trust_state)::text as state from trust_state`
    const [before, stood] = [await world.rows(tenant, written), await world.rows(tenant, state)]
    await simulated([{ signal: 'enforced', value: 0 }, { decay: { prior: 10 } }])
    expect(await world.rows(tenant, written)).toEqual(before)
    expect(await world.rows(tenant, state)).toEqual(stood)
  })
})

describe('a simulation is refused', () => {
  test.each([
    ['TRUST-004', [{ signal: 'luck', value: 1 }]],
    ['TRUST-004', [{ signal: 'anomaly_pressure', value: 1 }]],
    ['TRUST-004', [{ close_event: 'nothing' }]],
    ['TRUST-004', [{ cap: 'luck', value: true }]],
    [
      'TRUST-001',
      [{ weights: { security: 0.25, compliance: 0.25, risk: 0.2, resilience: 0.15, ai_governance: 0.1501 } }],
    ],
    ['TRUST-001', [{ weights: { enforced: 0.3 } }]],
    ['TRUST-002', [{ decay: { signals: { enforced: { applicable: false } } } }]],
    [
      'TRUST-002',
      [
        {
          decay: {
            pillars: {
              risk: {
                steps: [
                  { after_days: 2, factor: 0.1 },
                  { after_days: 1, factor: 0 },
                ],
              },
            },
          },
        },
      ],
    ],
  ])('with %s for %j', async (code, changes) => {
    const { status, body } = await world.post(tenant, '/scores/simulate', { changes })
    expect([status, body.error_code]).toEqual([422, code])
  })

  test.each([
    '{"changes":[{"signal":"enforced","value":101}]}',
    '{"changes":[{"signal":"enforced","value":1e309}]}',
    '{"changes":[{"signal":"enforced","value":-0}]}',
    '{"changes":[{"weights":{"risk":-0.0}}]}',
    '{"changes":[{"weights":{"luck":0.1}}]}',
    '{"changes":[{"signal":"enforced","value":1,"luck":1}]}',
    '{"changes":[{"signal":"enforced"}]}',
    '{"changes":[{"decay":{"version":7}}]}',
    '{"changes":[],"luck":1}',
    '{"changes":[],"at":"2000-01-01T00:00:00Z"}',
    '{"changes":[],"at":"2900-01-01T00:00:00Z"}',
    '{}',
  ])('with API-001 for %s', async (body) => {
    const answer = await world.post(tenant, '/scores/simulate', body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'API-001'])
  })

  test('with API-002 for NaN, which JSON does not have', async () => {
    const answer = await world.post(tenant, '/scores/simulate', '{"changes":[{"signal":"enforced","value":NaN}]}')
    expect([answer.status, answer.body.error_code]).toEqual([400, 'API-002'])
  })

  test('with more than fifty changes', async () => {
    const changes = Array.from({ length: 51 }, () => ({ signal: 'enforced', refresh: true }))
    expect((await world.post(tenant, '/scores/simulate', { changes })).status).toBe(400)
  })
})
