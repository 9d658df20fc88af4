import { describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { ChangeHandler, LiveFeed } from '../../../kernel/live/feed.ts'
import { createTenantSnapshots, type TenantSnapshot } from './snapshot.ts'

const tenant = 't1' as TenantId
const other = 't2' as TenantId

function setup() {
  let now = 0
  let changed: ChangeHandler = () => {}
  const live: LiveFeed = {
    on: (_topic, handler) => {
      changed = handler
      return () => {}
    },
    lastContactMs: () => 0,
    start: async () => {},
    stop: async () => {},
  }
  const clock = {
    now: () => now,
    iso: () => '',
    monotonic: () => 0,
    after: () => ({ stop: () => {} }),
    every: () => ({ stop: () => {} }),
  }
  const loads: ((snapshot: TenantSnapshot) => void)[] = []
  const snapshots = createTenantSnapshots({ clock, live }, () => new Promise((resolve) => loads.push(resolve)))
  const fresh = (): TenantSnapshot => ({ providers: [], policies: [], compiled: new Map() })
  return {
    snapshots,
    loads,
    fresh,
    change: (tenantId: TenantId) => changed('x', {}, tenantId),
    wait: (ms: number) => {
      now += ms
    },
  }
}

describe('a tenant’s snapshot', () => {
  test('is read once for callers that come together and then held', async () => {
    const { snapshots, loads, fresh } = setup()
    const both = [snapshots.get(tenant), snapshots.get(tenant)]
    expect(loads).toHaveLength(1)
    const snapshot = fresh()
    loads[0]?.(snapshot)
    expect(await Promise.all(both)).toEqual([snapshot, snapshot])
    expect(snapshots.get(tenant)).toBe(snapshot)
  })

  test('is read anew after a change of this tenant and not of another', async () => {
    const { snapshots, loads, fresh, change } = setup()
    const reading = snapshots.get(tenant)
    loads[0]?.(fresh())
    const first = await reading
    change(other)
    expect(snapshots.get(tenant)).toBe(first)
    change(tenant)
    expect(snapshots.get(tenant)).toBeInstanceOf(Promise)
    expect(loads).toHaveLength(2)
  })

  test('that was being read while the change came is not kept', async () => {
    const { snapshots, loads, fresh, change } = setup()
    const stale = snapshots.get(tenant)
    change(tenant)
    const next = snapshots.get(tenant)
    loads[0]?.(fresh())
    await stale
    expect(loads).toHaveLength(2)
    const current = fresh()
    loads[1]?.(current)
    await next
    expect(snapshots.get(tenant)).toBe(current)
  })

  test('is read again after a minute even when nobody told of a change', async () => {
    const { snapshots, loads, fresh, wait } = setup()
    const reading = snapshots.get(tenant)
    loads[0]?.(fresh())
    await reading
    wait(60_000)
    expect(snapshots.get(tenant)).toBeInstanceOf(Promise)
  })
})
