import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { DEFAULT_DECAY_CONFIG } from '../engine/config-defaults.ts'
import { enforced as enforcedAt } from '../testing/reports.ts'
import { noReport, openTrustWorld, type TrustWorld } from '../testing/trust-world.ts'

let world: TrustWorld
let tenant: TenantId

beforeAll(async () => {
  world = await openTrustWorld()
})

afterAll(() => world.close())

beforeEach(async () => {
  world.reports.gateway = enforcedAt(world.clock.iso(), 1_000_000, 1_000_000)
  world.reports.aegis = noReport
  tenant = await world.newTenant()
  await world.post(tenant, '/scores/recalculate')
})

const path = '/decay-config'
const read = async (query = '') => (await world.get(tenant, `${path}${query}`)).body.data
const weights = (...of: readonly number[]) => ({
  pillars: Object.fromEntries(
    ['security', 'compliance', 'risk', 'resilience', 'ai_governance'].map((name, i) => [name, { weight: of[i] }]),
  ),
})

describe('the decay configuration', () => {
  test('is version 1 with the defaults at first', async () => {
    const { body, headers } = await world.get(tenant, path)
    expect(body.data).toMatchObject({ ...DEFAULT_DECAY_CONFIG, status: 'active', created_by: null })
    expect(headers.etag).toMatch(/^"1-/)
  })

  test('changes by merge patch to a new version that scores at once, and the old one is kept', async () => {
    const before = (await world.get(tenant, '/scores/current')).body.data
    const { status, body, headers } = await world.patch(tenant, path, weights(0.25, 0.25, 0.05, 0.15, 0.3))
    expect(status).toBe(200)
    expect(headers.etag).toMatch(/^"2-/)
    expect(body.data).toMatchObject({
      version: 2,
      status: 'active',
      pillars: { ai_governance: { weight: 0.3, half_life_days: 7 }, risk: { weight: 0.05, half_life_days: 30 } },
    })
    const after = (await world.get(tenant, '/scores/current')).body.data
    // 62.5 × 0.3 + 50 × 0.7
    expect(after.composite_score).toBe(53.75)
    expect(body.data.effect).toMatchObject({
      before: { composite_score: before.composite_score },
      after: { composite_score: 53.75 },
    })
    expect(await read('?version=1')).toMatchObject({ version: 1, status: 'superseded' })
    const [snapshot] = await world.rows(
      tenant,
      sql<{ trigger: string; config_version: number }>`
        select trigger, config_version from trust_snapshot order by created_at desc, id desc limit 1`,
    )
    expect(snapshot).toEqual({ trigger: 'config', config_version: 2 })
  })

  test('that changes is announced and entered with both versions', async () => {
    await world.patch(tenant, path, { prior: 40 })
    const told = () => world.heard('trust.config.changed').filter((event) => event.tenantId === tenant)
    await world.passUntil(() => told().length > 0)
    expect(told()[0]?.data).toMatchObject({ version: 2, by: expect.any(String), score_before: 51.88 })
    expect(told()[0]?.data.score_after).toBeLessThan(51.88)
    const [entry] = await world.rows(
      tenant,
      sql<{ target: string; complete: boolean }>`
        select target, before is not null and after is not null as complete from audit_entry
        where action = 'trust.config.update'`,
    )
    expect(entry).toEqual({ target: 'trust_config:2', complete: true })
  })

  test('shows with dry_run what would be, and does not', async () => {
    const { status, body, headers } = await world.patch(tenant, `${path}?dry_run=true`, {
      decay_model: 'none',
      prior: 0,
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ version: 2, decay_model: 'none', effect: { before: { composite_score: 51.88 } } })
    expect(body.data.effect.after.composite_score).toBeLessThan(10)
    expect(headers.etag).toMatch(/^"1-/)
    expect(await read()).toMatchObject({ version: 1, prior: 50 })
    expect((await world.get(tenant, '/scores/current')).body.data.composite_score).toBe(51.88)
  })

  test('takes `If-Match`', async () => {
    const { headers } = await world.get(tenant, path)
    const tag = { 'if-match': String(headers.etag) }
    expect((await world.patch(tenant, path, { prior: 49 }, tag)).status).toBe(200)
    const late = await world.patch(tenant, path, { prior: 48 }, tag)
    expect([late.status, late.body.error_code]).toEqual([412, 'API-012'])
    expect(await read()).toMatchObject({ version: 2, prior: 49 })
  })

  test('of two changes at once with the same tag takes one', async () => {
    const { headers } = await world.get(tenant, path)
    const tag = { 'if-match': String(headers.etag) }
    const answers = await Promise.all([48, 47, 46].map((prior) => world.patch(tenant, path, { prior }, tag)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412])
    expect((await read()).version).toBe(2)
  })

  test('puts a default back for null, and switches a cap off for it', async () => {
    await world.patch(tenant, path, { prior: 40, pillars: { risk: { grace_days: 3, half_life_days: 9 } } })
    const { body } = await world.patch(tenant, path, {
      prior: null,
      pillars: { risk: { grace_days: null, half_life_days: null } },
      caps: { kill_switch_active: null },
    })
    expect(body.data).toMatchObject({ version: 3, prior: 50, caps: { kill_switch_active: null } })
    expect(body.data.pillars.risk).toEqual({ weight: 0.2, half_life_days: 30 })
  })

  test('that a patch leaves as it is gets no new version', async () => {
    const { body } = await world.patch(tenant, path, { prior: 50 })
    expect(body.data).toMatchObject({ version: 1, status: 'active' })
    expect(await read()).toMatchObject({ version: 1 })
  })

  test('takes the weights that binary fractions do not sum to one', async () => {
    const { status } = await world.patch(tenant, path, weights(0.3, 0.3, 0.2, 0.1, 0.1))
    expect(status).toBe(200)
  })

  test('sets a signal aside with a reason, whose weight goes to its siblings', async () => {
    const signals = { budgeted: { applicable: false, reason: 'Nobody pays for the local models.' } }
    expect((await world.patch(tenant, path, { signals })).status).toBe(200)
    const { signals: shown } = (await world.get(tenant, '/pillars/ai_governance')).body.data
    expect(shown.at(-1)).toMatchObject({ id: 'budgeted', applicable: false, reason: signals.budgeted.reason })
  })
})

describe('a change is refused', () => {
  test('for weights that sum to 1.0001, with the sum and the set', async () => {
    const { status, body } = await world.patch(tenant, path, weights(0.25, 0.25, 0.2, 0.15, 0.1501))
    expect([status, body.error_code]).toEqual([422, 'TRUST-001'])
    expect(body.detail).toContain('pillars: The weights sum to 1.0001')
    expect(await read()).toMatchObject({ version: 1 })
  })

  test.each([
    ['TRUST-001', { signals: { enforced: { weight: 0.3 } } }],
    ['TRUST-001', { pillars: { risk: { weight: 0.20001 } } }],
    ['TRUST-002', { signals: { enforced: { applicable: false } } }],
    ['TRUST-002', { prior: 33.333 }],
    [
      'TRUST-002',
      {
        pillars: {
          risk: {
            steps: [
              { after_days: 1, factor: 0.5 },
              { after_days: 2, factor: 0.6 },
            ],
          },
        },
      },
    ],
  ])('with %s for %j', async (code, patch) => {
    for (const query of ['', '?dry_run=true']) {
      const { status, body } = await world.patch(tenant, `${path}${query}`, patch)
      expect([status, body.error_code]).toEqual([422, code])
    }
    expect(await read()).toMatchObject({ version: 1 })
  })

  test.each([
    '{"luck":1}',
    '{"version":9}',
    '{"status":"active"}',
    '{"pillars":{"luck":{"weight":1}}}',
    '{"pillars":{"risk":{"weight":1e309}}}',
    '{"pillars":{"risk":{"weight":-0}}}',
    '{"prior":-0.0}',
    '{"pillars":{"risk":{"half_life_days":0.2}}}',
    '{"pillars":{"risk":{"weight":"0.2"}}}',
    '[]',
  ])('with API-001 for %s', async (body) => {
    const answer = await world.patch(tenant, path, body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'API-001'])
  })

  test('with API-002 for NaN, which JSON does not have', async () => {
    const answer = await world.patch(tenant, path, '{"prior":NaN}')
    expect([answer.status, answer.body.error_code]).toEqual([400, 'API-002'])
  })

  test('for a version that there is not', async () => {
    const { status, body } = await world.get(tenant, `${path}?version=7`)
    expect([status, body.error_code]).toEqual([404, 'API-013'])
    expect((await world.get(tenant, `${path}?version=0`)).status).toBe(400)
  })
})
