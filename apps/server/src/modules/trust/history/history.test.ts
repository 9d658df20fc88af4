import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { noReport, openTrustWorld, type TrustWorld } from '../testing/trust-world.ts'

const MS_PER_HOUR = 3_600_000
const MS_PER_DAY = 24 * MS_PER_HOUR

let world: TrustWorld
let tenant: TenantId

beforeAll(async () => {
  world = await openTrustWorld()
})

afterAll(() => world.close())

beforeEach(async () => {
  world.reports.gateway = noReport
  tenant = await world.newTenant()
})

/** A snapshot in which the gateway's `enforced` term has a value 0..100, without the small-sample formula. */
async function scored(value: number): Promise<string> {
  const observed_at = world.clock.iso()
  world.reports.gateway = {
    signals: [{ id: 'enforced', good: null, value, n: null, observed_at, source_ref: null }],
    caps: [],
  }
  const { body } = await world.post(tenant, '/scores/recalculate')
  return body.data.id
}

interface Point {
  readonly at: string
  readonly composite_score: number
  readonly min: number
  readonly max: number
  readonly snapshot_id: string
  readonly pillars: { readonly ai_governance: number }
}

async function history(query: string): Promise<{ readonly points: readonly Point[]; readonly downsampled: boolean }> {
  const { status, body } = await world.get(tenant, `/history${query}`)
  expect(status).toBe(200)
  return body.data
}

const at = (ms: number) => new Date(ms).toISOString()

describe('raw history', () => {
  test('has every snapshot of the range with its score and extremes of its own', async () => {
    const ids = [await scored(100), await scored(0)]
    const { points, downsampled } = await history('?interval=raw')
    expect(downsampled).toBe(false)
    expect(points.slice(1)).toEqual([
      expect.objectContaining({ snapshot_id: ids[0], composite_score: 51.88, min: 51.88, max: 51.88, grade: 'F' }),
      expect.objectContaining({
        snapshot_id: ids[1],
        composite_score: 48.13,
        pillars: expect.objectContaining({ ai_governance: 37.5 }),
      }),
    ])
  })

  test('ends before `to` and begins with `from`', async () => {
    world.clock.advance(1_000)
    const from = world.clock.iso()
    const id = await scored(100)
    world.clock.advance(1_000)
    const to = world.clock.iso()
    await scored(0)
    const { points } = await history(`?interval=raw&from=${from}&to=${to}`)
    expect(points.map((point) => point.snapshot_id)).toEqual([id])
  })

  test('over max_points is thinned and says so, and the dip is still there', async () => {
    for (const value of [90, 91, 92, 0, 93, 94, 95, 96]) {
      world.clock.advance(60_000)
      await scored(value)
    }
    const { points, downsampled } = await history('?interval=raw&max_points=5')
    expect(downsampled).toBe(true)
    expect(points.length).toBeLessThanOrEqual(5)
    expect(Math.min(...points.map((point) => point.composite_score))).toBe(48.13)
  })

  test('of a pillar takes the extremes of that pillar', async () => {
    await scored(100)
    const { points } = await history('?interval=raw&pillar=ai_governance')
    expect(points.at(-1)).toMatchObject({ min: 62.5, max: 62.5, composite_score: 51.88 })
    const { points: others } = await history('?interval=raw&pillar=risk')
    expect(others.at(-1)).toMatchObject({ min: 50, max: 50 })
  })
})

describe('history by the hour', () => {
  test('has one point an hour with the score at its end, also for hours in which nothing happened', async () => {
    const hour = Math.ceil(world.clock.now() / MS_PER_HOUR) * MS_PER_HOUR
    world.clock.advance(hour - world.clock.now())
    await scored(100)
    world.clock.advance(600_000)
    const last = await scored(0)
    world.clock.advance(3 * MS_PER_HOUR)
    const { points } = await history(`?interval=1h&from=${at(hour)}`)
    expect(points.map((point) => point.at)).toEqual([0, 1, 2, 3].map((hours) => at(hour + hours * MS_PER_HOUR)))
    expect(points[0]).toMatchObject({ composite_score: 48.13, snapshot_id: last, min: 48.13 })
    expect(points[0]?.max).toBeGreaterThanOrEqual(51.88)
    expect(points.slice(1).map((point) => [point.composite_score, point.min, point.max])).toEqual(
      Array.from({ length: 3 }, () => [48.13, 48.13, 48.13]),
    )
  })

  test('begins at the border of the hour of `from`, with the score from before', async () => {
    const hour = Math.ceil(world.clock.now() / MS_PER_HOUR) * MS_PER_HOUR + MS_PER_HOUR
    await scored(100)
    world.clock.advance(hour - world.clock.now() + 1_800_000)
    const { points } = await history(`?interval=1h&from=${at(hour + 900_000)}`)
    expect(points).toEqual([expect.objectContaining({ at: at(hour), composite_score: 51.88 })])
  })
})

test('weeks begin on Monday, 00:00 UTC', async () => {
  await scored(100)
  const { points } = await history('?interval=1w')
  const [first] = points
  expect(new Date(first?.at ?? '').getUTCDay()).toBe(1)
  expect(first?.at).toMatch(/T00:00:00\.000Z$/)
})

test('the pillars of every point give its composite', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 100 }), async (value) => {
      world.clock.advance(1_000)
      await scored(value)
      const { points } = await history('?interval=1h')
      const last = points.at(-1)
      expect(last?.composite_score).toBeCloseTo(42.5 + 0.15 * (last?.pillars.ai_governance ?? 0), 1)
    }),
    { numRuns: 5 },
  )
})

describe('a range that cannot be answered', () => {
  const now = () => world.clock.now()
  const ranges: readonly (readonly [string, () => string])[] = [
    ['ends where it begins', () => `?from=${at(now() - 1)}&to=${at(now() - 1)}`],
    ['ends before it begins', () => `?from=${at(now())}&to=${at(now() - MS_PER_DAY)}`],
    ['is older than raw points are kept', () => `?interval=raw&from=${at(now() - 91 * MS_PER_DAY)}`],
    ['is older than hours are kept', () => `?interval=1h&from=${at(now() - 401 * MS_PER_DAY)}`],
  ]
  test.each(ranges)('because it %s is refused with TRUST-006', async (_, query) => {
    const { status, body } = await world.get(tenant, `/history${query()}`)
    expect([status, body.error_code]).toEqual([422, 'TRUST-006'])
  })

  test.each(['?interval=1m', '?max_points=2', '?max_points=5001', '?pillar=luck', '?from=yesterday', '?color=red'])(
    'because %s is no such question is refused with API-001',
    async (query) => {
      const { status, body } = await world.get(tenant, `/history${query}`)
      expect([status, body.error_code]).toEqual([400, 'API-001'])
    },
  )

  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00%2B14:00',
    '9999-12-31T23:59:59-14:00',
    '2026-03-01T23:59:60Z',
  ])('never fails on our side: %s at either end', async (moment) => {
    const statuses = await Promise.all(
      [`?interval=1d&from=${moment}`, `?interval=1w&to=${moment}`].map(
        async (query) => (await world.get(tenant, `/history${query}`)).status,
      ),
    )
    expect(statuses.every((status) => [200, 400, 422].includes(status))).toBe(true)
  })

  test('days reach back without end', async () => {
    const { points } = await history(`?interval=1d&from=1990-01-01T00:00:00Z`)
    expect(points.length).toBeGreaterThan(0)
  })
})
