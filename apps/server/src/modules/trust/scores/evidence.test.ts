/** A score over time: grades, the hourly run, and evidence that ages. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { enforced as enforcedAt, everywhere } from '../testing/reports.ts'
import { noReport, openTrustWorld, requestBlocked, type TrustWorld, within } from '../testing/trust-world.ts'

let world: TrustWorld
let tenant: TenantId

beforeAll(async () => {
  world = await openTrustWorld()
})

afterAll(() => world.close())

beforeEach(async () => {
  world.reports.gateway = noReport
  world.reports.aegis = noReport
  tenant = await world.newTenant()
})

const enforced = (good: number, n: number) => enforcedAt(world.clock.iso(), good, n)
const updates = () => world.heard('trust.score.updated').filter((event) => event.tenantId === tenant)

describe('a grade', () => {
  test('is told only when the score is half a point clear of its boundary', async () => {
    const grades: string[] = []
    for (const value of [82.64, 85.2, 81.5, 80]) {
      world.clock.advance(1_000)
      Object.assign(world.reports, everywhere(world.clock.iso(), value))
      const { body } = await world.post(tenant, '/scores/recalculate')
      grades.push(`${body.data.composite_score} ${body.data.grade}`)
    }
    expect(grades).toEqual(['60.2 D-', '61 D-', '59.85 F', '59.38 F'])
    const told = () => world.heard('trust.grade.changed').filter((event) => event.tenantId === tenant)
    await world.passUntil(() => told().length >= 2 && updates().length >= 4)
    expect(told().map(({ data }) => [data.from, data.to, data.score, data.direction])).toEqual([
      ['F', 'D-', 61, 'up'],
      ['D-', 'F', 59.38, 'down'],
    ])
    expect(updates().map(({ data }) => data.score)).toEqual([60.2, 61, 59.85, 59.38])
    const [up, down] = told().map(({ data }) => data.top_contributions as readonly { id: string; phi: number }[])
    // Against what people were told last: the priors of a new tenant, then the score of 61.
    expect(up).toMatchObject([{ id: 'guardrail_coverage', phi: 1.76 }, {}, {}])
    expect(down?.every(({ phi }) => phi < 0)).toBe(true)
  })

  test('that only time changes is told in its minute', async () => {
    Object.assign(world.reports, everywhere(world.clock.iso(), 90))
    await world.post(tenant, '/scores/recalculate')
    Object.assign(world.reports, { gateway: noReport, aegis: noReport })
    const [next] = (await world.get(tenant, '/scores/explain')).body.data.forecast
    // The run of the hour before plans it.
    world.clock.advance(Date.parse(next.at) - world.clock.now() - 1_800_000)
    await world.post(tenant, '/scores/recalculate')
    world.clock.advance(1_790_000)
    const planned = sql<{ run_at: string }>`select run_at from job where key = 'forecast' and status = 'waiting'`
    expect(await world.rows(tenant, planned)).toEqual([{ run_at: next.at }])
    const grade = async () => (await world.get(tenant, '/scores/current')).body.data.grade
    await world.passUntil(async () => (await grade()) === next.grade)
    // The run of the hour may come in the same minute and be first.
    const late = world.clock.now() - Date.parse(next.at)
    expect(late).toBeGreaterThan(-60_000)
    expect(late).toBeLessThan(within(2_000))
  })
})

describe('every hour', () => {
  test('evidence that only ages is scored again without anybody asking', async () => {
    world.reports.gateway = enforced(100, 100)
    await world.post(tenant, '/scores/recalculate')
    world.reports.gateway = noReport
    world.clock.advance(24 * 3_600_000)
    await world.passUntil(() => updates().length >= 2)
    const [row] = await world.rows(
      tenant,
      sql<{ trigger: string; composite: number }>`
        select trigger, composite from trust_snapshot order by created_at desc limit 1`,
    )
    expect(row?.trigger).toBe('schedule')
    expect(row?.composite).toBeLessThan(5_170)
  })

  test('a tenant from before there was a score gets its first', async () => {
    const old = world.kernel.random.uuid() as TenantId
    await world.kernel.db.tenant({ tenantId: old }, (tx) => world.kernel.tenantKeys.create(tx))
    expect((await world.get(old, '/scores/current')).status).toBe(404)
    world.clock.advance(3_600_000)
    await world.passUntil(async () => (await world.get(old, '/scores/current')).status === 200)
  })
})

describe('evidence', () => {
  test('that its source stops reporting is kept and goes on aging', async () => {
    world.reports.gateway = enforced(100, 100)
    await world.post(tenant, '/scores/recalculate')
    world.reports.gateway = noReport
    world.clock.advance(7 * 86_400_000)
    const { body } = await world.post(tenant, '/scores/recalculate')
    const signal = body.data.signals.find((candidate: { id: string }) => candidate.id === 'enforced')
    // One half-life of the pillar: 50 + (95.45 − 50) / 2.
    expect(signal).toMatchObject({ value: 95.45, freshness: 0.5, effective: 72.73 })
  })

  test('newer than the snapshot is not forgotten when a run stored none', async () => {
    world.reports.gateway = enforced(1_000_000, 1_000_000)
    await world.post(tenant, '/scores/recalculate')
    world.clock.advance(60_000)
    const later = world.clock.iso()
    world.reports.gateway = enforced(1_000_001, 1_000_001)
    await world.emit(tenant, requestBlocked)
    await world.passUntil(
      async () => (await world.get(tenant, '/scores/current')).body.data.last_recalculated_at > later,
    )
    world.reports.gateway = noReport
    const { body } = await world.post(tenant, '/scores/recalculate')
    const signal = body.data.signals.find((candidate: { id: string }) => candidate.id === 'enforced')
    expect(signal).toMatchObject({ n: 1_000_001, observed_at: later })
  })

  test('that cannot be scored is refused with a line in the log, and the other sources still count', async () => {
    const [broken] = enforced(2, 1).signals
    world.reports.gateway = { signals: broken === undefined ? [] : [broken], caps: [] }
    world.reports.aegis = { signals: [], caps: [{ id: 'kill_switch_active', active: true }] }
    const { status, body } = await world.post(tenant, '/scores/recalculate')
    expect(status).toBe(201)
    expect(body.data.composite_score).toBe(47.5)
    expect(world.lines.some((line) => line.includes('good is a number from 0 to n'))).toBe(true)
  })

  test('about another module is refused', async () => {
    world.reports.aegis = enforced(100, 100)
    const { body } = await world.post(tenant, '/scores/recalculate')
    expect(body.data.composite_score).toBe(50)
  })
})
