import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { everywhere } from '../testing/reports.ts'
import { noReport, openTrustWorld, type TrustWorld } from '../testing/trust-world.ts'
import { thinHistory } from './thinning.ts'

const msPerMinute = 60_000
const msPerHour = 60 * msPerMinute
const msPerDay = 24 * msPerHour

let world: TrustWorld
let tenant: TenantId

beforeAll(async () => {
  world = await openTrustWorld()
})

afterAll(() => world.close())

beforeEach(async () => {
  Object.assign(world.reports, { gateway: noReport, aegis: noReport })
  tenant = await world.newTenant()
})

/**
 * Snapshots as runs of the past left them: copies of the first one, a composite (hundredths) for each moment (Unix
 * milliseconds).
 */
async function past(scores: readonly (readonly [at: number, composite: number])[], trigger = 'event'): Promise<void> {
  await world.kernel.db.tenant({ tenantId: tenant }, async (tx) => {
    for (const [at, composite] of scores) {
      await tx.execute(sql`
        insert into trust_snapshot (id, created_at, trigger, algorithm, config_version, composite, grade, security,
          compliance, risk, resilience, ai_governance, inputs, inputs_sha256, result)
        select ${world.kernel.random.uuid()}, ${new Date(at).toISOString()}, ${trigger}, algorithm, config_version,
          ${composite}, grade, ${composite}, compliance, risk, resilience, ai_governance, inputs, inputs_sha256, result
        from trust_snapshot where trigger = 'config' limit 1`)
    }
  })
}

const thin = () => thinHistory(world.kernel, tenant, new AbortController().signal)
const scores = async (trigger = 'event') =>
  (
    await world.rows(
      tenant,
      sql<{ composite: number }>`
        select composite from trust_snapshot where trigger = ${trigger} order by created_at`,
    )
  ).map(({ composite }) => composite)

/** The start of the day so many days ago. */
const day = (days: number) => Math.floor((world.clock.now() - days * msPerDay) / msPerDay) * msPerDay

interface Point {
  readonly at: string
  readonly composite_score: number
  readonly min: number
  readonly max: number
}

async function history(query: string): Promise<readonly Point[]> {
  return (await world.get(tenant, `/history${query}`)).body.data.points
}

describe('history that is thinned out', () => {
  test('keeps every snapshot of 90 days, then the last of each hour, after 400 days the last of each day', async () => {
    await past([
      [day(80), 5_100],
      [day(80) + msPerMinute, 5_200],
      [day(100), 6_100],
      [day(100) + msPerMinute, 6_200],
      [day(100) + msPerHour, 6_300],
      [day(500), 7_100],
      [day(500) + msPerMinute, 7_200],
      [day(500) + 5 * msPerHour, 7_300],
    ])
    await thin()
    expect(await scores()).toEqual([7_300, 6_200, 6_300, 5_100, 5_200])
  })

  test('shows by hour and by day what it showed before, dips included', async () => {
    await past([
      [day(120), 6_000],
      [day(120) + 10 * msPerMinute, 1_200],
      [day(120) + 20 * msPerMinute, 6_100],
      [day(120) + 30 * msPerMinute, 9_900],
      [day(120) + 40 * msPerMinute, 6_200],
    ])
    const range = `&from=${new Date(day(120)).toISOString()}&to=${new Date(day(118)).toISOString()}`
    const before = await Promise.all(['1h', '1d'].map((interval) => history(`?interval=${interval}${range}`)))
    expect(before[0]?.[0]).toMatchObject({ min: 12, max: 99 })
    await thin()
    expect(await scores()).toEqual([6_200])
    expect(await Promise.all(['1h', '1d'].map((interval) => history(`?interval=${interval}${range}`)))).toEqual(before)
  })

  test('carries its extremes on when hours become days', async () => {
    const start = day(395)
    await past([
      [start, 6_000],
      [start + msPerMinute, 1_100],
      [start + 2 * msPerMinute, 6_000],
      [start + 3 * msPerHour, 6_500],
    ])
    await thin()
    expect(await scores()).toEqual([6_000, 6_500])
    world.clock.advance(10 * msPerDay)
    await thin()
    expect(await scores()).toEqual([6_500])
    const [point] = await history(`?interval=1d&from=${new Date(start).toISOString()}`)
    expect(point).toMatchObject({ composite_score: 65, min: 11, max: 65 })
    expect(await world.rows(tenant, sql`select snapshot_id from trust_extreme`)).toHaveLength(1)
  })

  test('never loses a snapshot that a person asked for', async () => {
    await past([[day(200), 4_000]], 'manual')
    await past([
      [day(200) + msPerMinute, 4_100],
      [day(200) + 2 * msPerMinute, 4_200],
    ])
    await thin()
    expect([await scores('manual'), await scores()]).toEqual([[4_000], [4_200]])
  })

  test('is another tenant’s no more than before', async () => {
    const mine = tenant
    await past([
      [day(100), 6_100],
      [day(100) + 1, 6_200],
    ])
    tenant = await world.newTenant()
    await thin()
    tenant = mine
    expect(await scores()).toEqual([6_100, 6_200])
  })

  test('is thinned by the schedule, once a day', async () => {
    await past([
      [day(100), 6_100],
      [day(100) + 1, 6_200],
    ])
    await world.kernel.db.tenant({ tenantId: tenant }, (tx) => tx.enqueue({ kind: 'trust.thin_history', payload: {} }))
    await world.passUntil(async () => (await scores()).length === 1)
  })
})

test('a score goes on from thinned history: the trend has its reference', async () => {
  await past([
    [day(100), 4_000],
    [day(100) + 1, 4_500],
  ])
  await thin()
  await world.patch(tenant, '/decay-config', { trend_window_hours: 24 * 60 })
  Object.assign(world.reports, everywhere(world.clock.iso(), 50))
  expect((await world.get(tenant, '/scores/current')).body.data.trend).toBe('+5.0')
})
