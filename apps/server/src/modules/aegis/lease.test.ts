import { beforeEach, describe, expect, test } from 'vitest'
import type { Sql } from '../../kernel/db/sql.ts'
import { createFakeClock, type FakeClock } from '../../kernel/testing/fake-clock.ts'
import { createLease, type Lease } from './lease.ts'

let clock: FakeClock
let away: boolean
let feedSilentMs: number
let reads: number
/** Runs in the middle of each read. */
let meanwhile: () => void
let said: string[]

beforeEach(() => {
  clock = createFakeClock()
  away = false
  feedSilentMs = 0
  reads = 0
  meanwhile = () => undefined
  said = []
})

function leaseOf(kind: 'pg' | 'pglite', settled = true): Lease {
  const system = async (_reason: string, work: (tx: never) => Promise<unknown>) => {
    if (away) throw new Error('away')
    return work({ execute: async (statement: Sql<unknown>) => said.push(statement.text.trim().slice(0, 6)) } as never)
  }
  return createLease({
    kernel: {
      clock,
      node: 'here',
      log: { warn: () => undefined, error: () => undefined },
      db: { kind, system },
      live: { lastContactMs: () => feedSilentMs },
    } as never,
    reread: async () => {
      if (away) throw new Error('away')
      reads += 1
      meanwhile()
      return settled
    },
  })
}

/** Lets the promises of a run go on, then moves the clock. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 500) {
    clock.advance(500)
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
}

describe('the lease on the kill list', () => {
  test('is held from the start on and kept up by reading', async () => {
    const lease = leaseOf('pg')
    expect(lease.fresh()).toBe(false)
    await lease.start()
    expect(lease.fresh()).toBe(true)
    await pass(60_000)
    expect(lease.fresh()).toBe(true)
    expect(reads).toBeGreaterThan(15)
    await lease.stop()
  })

  test('is lost ten seconds after the last read began, and found again by the next one', async () => {
    const lease = leaseOf('pg')
    await lease.start()
    await pass(0)
    away = true
    const since = clock.now()
    while (lease.fresh()) await pass(500)
    // The last renewal may be as old as the pause between two.
    expect(clock.now() - since).toBeLessThanOrEqual(10_500)
    expect(clock.now() - since).toBeGreaterThan(6_500)
    await pass(30_000)
    expect(lease.fresh()).toBe(false)
    away = false
    await pass(6_000)
    expect(lease.fresh()).toBe(true)
    await lease.stop()
  })

  test('is counted from before a read that took long', async () => {
    const lease = leaseOf('pg')
    meanwhile = () => clock.advance(11_000)
    await lease.start()
    expect(lease.fresh()).toBe(false)
    await lease.stop()
  })

  test('is not held while the list did not come to rest, or the change feed is silent', async () => {
    const restless = leaseOf('pg', false)
    await restless.start()
    expect(restless.fresh()).toBe(false)
    await restless.stop()
    const deaf = leaseOf('pg')
    await deaf.start()
    feedSilentMs = 10_001
    expect(deaf.fresh()).toBe(false)
    await deaf.stop()
  })

  test('tells other instances, where there can be any', async () => {
    const shared = leaseOf('pg')
    await shared.start()
    await shared.stop()
    expect([said[0], said.at(-1)]).toEqual(['with g', 'delete'])
    said = []
    const alone = leaseOf('pglite')
    await alone.start()
    await alone.stop()
    expect(said).toEqual([])
  })
})
