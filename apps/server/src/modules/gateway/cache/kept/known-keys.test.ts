import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { createKeyFilter, keyDigits } from './key-filter.ts'
import { createKnownKeys } from './known-keys.ts'
import type { KeysPage } from './statements.ts'

const keyOf = (name: string | number): string => createHash('sha256').update(String(name)).digest('hex')
const tenant = 'tenant' as TenantId

describe('a filter', () => {
  test('holds what was added and, when full, about one in a thousand of what was not', () => {
    const filter = createKeyFilter(16_384)
    const names = Array.from({ length: 16_384 }, (_, at) => at)
    for (const name of names) filter.add(keyOf(name))
    expect(names.every((name) => filter.mayHold(keyOf(name)))).toBe(true)
    const wrong = names.filter((name) => filter.mayHold(keyOf(`other ${name}`))).length
    expect(wrong).toBeLessThan(16_384 / 200)
    expect(wrong).toBeGreaterThan(0)
  })
})

interface Row {
  readonly key: string
  readonly at: number
}

function scene({ pageRows = 3, mostTenants = 500 } = {}) {
  const rows: Row[] = []
  const reads: string[] = []
  let now = 100_000
  let away = false
  let working: Promise<unknown>[] = []
  const known = createKnownKeys({
    clock: { monotonic: () => now },
    refreshMs: 500,
    mostTenants,
    background: (_name, work) => void working.push(work.catch(() => {})),
    read: async (tenantId, since): Promise<KeysPage> => {
      if (away) throw new Error('away')
      reads.push(`${tenantId} ${since}`)
      const page = rows.filter(({ at }) => at >= Date.parse(since)).slice(0, pageRows)
      const prefixes = page.map(({ key }) => key.slice(0, keyDigits)).join('')
      const newest = page.at(-1)?.at
      return {
        prefixes,
        newest: newest === undefined ? null : new Date(newest).toISOString(),
        isLast: page.length < pageRows,
      }
    },
  })
  return {
    rows,
    reads,
    mayHold: (name: string, of = tenant) => known.mayHold(of, keyOf(name)),
    added: (name: string) => known.added(tenant, keyOf(name)),
    keptElsewhere: (name: string, at: number) => void rows.push({ key: keyOf(name), at }),
    later: (ms: number) => {
      now += ms
    },
    databaseIsAway: (is: boolean) => {
      away = is
    },
    read: async () => {
      await Promise.all(working)
      working = []
    },
  }
}

describe('keys of kept answers', () => {
  test('may all be there until they are read, and then only those that are', async () => {
    const { mayHold, keptElsewhere, read } = scene()
    for (const at of [1, 2, 3, 4, 5, 6, 7]) keptElsewhere(`kept ${at}`, at)
    expect(mayHold('absent')).toBe(true)
    await read()
    expect([mayHold('absent'), mayHold('kept 1'), mayHold('kept 7')]).toEqual([false, true, true])
  })

  test('are there from the moment they are added, also while others are read', async () => {
    const { mayHold, added, read } = scene()
    mayHold('absent')
    added('own')
    await read()
    added('later')
    expect([mayHold('absent'), mayHold('own'), mayHold('later')]).toEqual([false, true, true])
  })

  test('that are long gone do not fill the filter for good', async () => {
    const { mayHold, added, read } = scene()
    mayHold('absent')
    await read()
    for (let round = 0; round < 12; round += 1) {
      for (let at = 0; at < 17_000; at += 1) added(`gone ${round} ${at}`)
      mayHold('absent')
      await read()
      expect(mayHold('absent')).toBe(false)
    }
  })

  test('of other instances are asked for again, and all may be there when that was long ago', async () => {
    const { mayHold, keptElsewhere, later, read } = scene()
    mayHold('absent')
    await read()
    keptElsewhere('elsewhere', 20)
    expect(mayHold('elsewhere')).toBe(false)
    later(600)
    expect(mayHold('absent')).toBe(false)
    await read()
    expect([mayHold('elsewhere'), mayHold('absent')]).toEqual([true, false])
    later(1_100)
    expect(mayHold('absent')).toBe(true)
  })

  test('are found although they became visible late', async () => {
    const { mayHold, keptElsewhere, later, read } = scene()
    keptElsewhere('newest', 60_000)
    mayHold('absent')
    await read()
    keptElsewhere('late', 51_000)
    later(600)
    mayHold('absent')
    await read()
    expect(mayHold('late')).toBe(true)
  })

  test('may all be there while the database is away', async () => {
    const { mayHold, databaseIsAway, later, read } = scene()
    databaseIsAway(true)
    expect(mayHold('absent')).toBe(true)
    await read()
    expect(mayHold('absent')).toBe(true)
    await read()
    databaseIsAway(false)
    later(1)
    mayHold('absent')
    await read()
    expect(mayHold('absent')).toBe(false)
  })

  test('of one instant that fill a page may all be there', async () => {
    const { mayHold, keptElsewhere, reads, later, read } = scene()
    for (const name of ['a', 'b', 'c', 'd']) keptElsewhere(name, 0)
    mayHold('absent')
    await read()
    later(5_000)
    expect([mayHold('absent'), reads.length]).toEqual([true, 1])
  })

  test('that outgrow their filter are read into a larger one', async () => {
    const { mayHold, added, reads, read } = scene()
    mayHold('absent')
    await read()
    for (let at = 0; at <= 16_384; at += 1) added(`own ${at}`)
    expect(mayHold('absent')).toBe(true)
    await read()
    expect([mayHold('absent'), reads.length]).toEqual([false, 2])
  })

  test('of many tenants are not all remembered', async () => {
    const { mayHold, reads, read } = scene({ mostTenants: 2 })
    for (const name of ['one', 'two', 'three', 'one'] as TenantId[]) {
      mayHold('absent', name)
      await read()
    }
    expect(reads.map((each) => each.split(' ')[0])).toEqual(['one', 'two', 'three', 'one'])
  })
})
