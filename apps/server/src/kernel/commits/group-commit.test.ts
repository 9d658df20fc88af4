import { describe, expect, test } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

function store() {
  const flushed: number[][] = []
  const gates: (() => void)[] = []
  let refuse: (records: readonly number[]) => Error | null = () => null
  return {
    flushed,
    refuseWhen: (rule: (records: readonly number[]) => Error | null) => {
      refuse = rule
    },
    release: () => gates.shift()?.(),
    /** Resolves when that many flushes have begun. */
    begun: async (count: number) => {
      while (flushed.length < count) await Promise.resolve()
    },
    flush: async (records: readonly number[]) => {
      flushed.push([...records])
      const refused = refuse(records)
      if (refused !== null) throw refused
    },
    slowFlush: (records: readonly number[]) =>
      new Promise<void>((resolve) => {
        flushed.push([...records])
        gates.push(resolve)
      }),
  }
}

const never = () => false

describe('group commit', () => {
  test('a lone record is stored at once', async () => {
    const { flush, flushed } = store()
    await createGroupCommit({ flush, isOutage: never }).add(1)
    expect(flushed).toEqual([[1]])
  })

  test('what comes while a flush runs shares the next one', async () => {
    const { slowFlush, flushed, release, begun } = store()
    const group = createGroupCommit({ flush: slowFlush, isOutage: never })
    const first = group.add(1)
    await begun(1)
    const later = [group.add(2), group.add(3)]
    release()
    await first
    await begun(2)
    release()
    await Promise.all(later)
    expect(flushed).toEqual([[1], [2, 3]])
  })

  test('a flush takes at most 256 records', async () => {
    const { flush, flushed } = store()
    const group = createGroupCommit({ flush, isOutage: never })
    await Promise.all(Array.from({ length: 600 }, (_, at) => group.add(at)))
    expect(flushed.map((records) => records.length)).toEqual([256, 256, 88])
  })

  test('one bad record is refused alone and the others are stored', async () => {
    const bad = store()
    bad.refuseWhen((records) => (records.includes(2) ? new Error('bad') : null))
    const group = createGroupCommit({ flush: bad.flush, isOutage: never })
    const settled = await Promise.allSettled([group.add(1), group.add(2), group.add(3)])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('an outage refuses all at once and the next record is tried anew', async () => {
    const away = store()
    let down = true
    away.refuseWhen(() => (down ? new Error('away') : null))
    const group = createGroupCommit({ flush: away.flush, isOutage: () => true })
    const settled = await Promise.allSettled([group.add(1), group.add(2)])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(away.flushed).toHaveLength(1)
    down = false
    await expect(group.add(3)).resolves.toBeUndefined()
  })

  test('records overtake a flush of few, in one of their own, and not one of many', async () => {
    const { slowFlush, flushed, release, begun } = store()
    const group = createGroupCommit({ flush: slowFlush, isOutage: never, beside: 3 })
    const all = [group.add(1)]
    await begun(1)
    all.push(group.add(2), group.add(3), group.add(4))
    await begun(2)
    expect(flushed).toEqual([[1], [2, 3, 4]])
    all.push(group.add(5), group.add(6))
    release()
    await begun(3)
    expect(flushed.at(-1)).toEqual([5, 6])
    release()
    release()
    await Promise.all(all)
    await group.drained()
  })

  test('is not drained while a record that overtook is under way', async () => {
    const { slowFlush, release, begun } = store()
    const group = createGroupCommit({ flush: slowFlush, isOutage: never, beside: 3 })
    const first = group.add(1)
    await begun(1)
    const second = group.add(2)
    let drained = false
    const draining = group.drained().then(() => {
      drained = true
    })
    release()
    await first
    expect(drained).toBe(false)
    release()
    await Promise.all([second, draining])
  })

  test('what nobody waits for is gathered before it is stored', async () => {
    const { flush, flushed } = store()
    const timers: (() => void)[] = []
    const after = (_ms: number, run: () => void) => {
      timers.push(run)
      return { stop: () => {} }
    }
    const gather = { clock: { after }, ms: 100 }
    const group = createGroupCommit({ flush, isOutage: never, gather })
    const all = [group.add(1), group.add(2)]
    await Promise.resolve()
    expect(flushed).toEqual([])
    timers[0]?.()
    await Promise.all(all)
    expect(flushed).toEqual([[1, 2]])
  })
})
