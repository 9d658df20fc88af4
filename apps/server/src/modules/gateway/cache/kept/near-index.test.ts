import { describe, expect, test } from 'vitest'
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { createExactVectors } from '../../../../kernel/vectors/exact.ts'
import { createNearIndex } from './near-index.ts'
import type { SealedQuestion } from './statements.ts'

const tenantId = 't1' as TenantId

/** Plaintext bytes: sealing is tested elsewhere. */
const parts = {
  vectors: createExactVectors({ threads: { run: () => Promise.reject(new Error('no thread')) }, inPlaceProducts: 1e9 }),
  tenantKeys: { decrypt: async (_tenant: TenantId, _address: object, bytes: Uint8Array) => bytes },
} as unknown as Kernel

const unit = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle))

function row(id: string, angle: number, second = 0): SealedQuestion {
  const created_at = new Date(1_700_000_000_000 + second * 1000).toISOString()
  return { id, created_at, sealed_vector: new Uint8Array(unit(angle).buffer) }
}

/** An index over rows that a test may add to; it counts how often a row was opened. */
function over(rows: SealedQuestion[], maxBytes?: number) {
  const opened: string[] = []
  const index = createNearIndex({
    ...parts,
    tenantKeys: {
      ...parts.tenantKeys,
      decrypt: async (_tenant, address, bytes) => {
        opened.push(address.rowId)
        return bytes
      },
    },
    read: async () => rows.toReversed().slice(0, 20_000),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  })
  const search = (angle: number, threshold = 0.9, context = 'c') =>
    index.search({ tenantId, context, vector: unit(angle), threshold })
  return { index, opened, search }
}

describe('near questions', () => {
  test('are those of at least the threshold, the nearest first', async () => {
    const { search } = over([row('far', 1), row('near', 0.2), row('nearest', 0.1)])
    expect(await search(0)).toEqual(['nearest', 'near'])
    expect(await search(0, Math.cos(0.15))).toEqual(['nearest'])
    expect(await search(2.5)).toEqual([])
  })

  test('are opened once, and newer ones are seen at once', async () => {
    const rows = [row('a', 0)]
    const { search, opened } = over(rows)
    await search(0)
    rows.push(row('b', 0.1, 1))
    expect(await search(0.1)).toEqual(['b', 'a'])
    expect(opened).toEqual(['a', 'b'])
  })

  test('of another length are another model’s', async () => {
    const { index, search } = over([row('a', 0)])
    await search(0)
    const vector = Float32Array.of(1, 0, 0)
    expect(await index.search({ tenantId, context: 'c', vector, threshold: 0.9 })).toEqual([])
  })

  test('are forgotten with their tenant, or when their row is gone', async () => {
    const rows = [row('a', 0), row('b', 0)]
    const { index, search, opened } = over(rows)
    await search(0)
    rows.shift()
    index.drop('c', 'a')
    expect(await search(0)).toEqual(['b'])
    index.forget(tenantId)
    await search(0)
    expect(opened).toEqual(['a', 'b', 'b'])
  })

  test('are at most 20,000 of one context: the oldest leave first, also when newer ones come', async () => {
    const most = 20_000
    const rows = [
      row('oldest', 0),
      row('second', 1),
      ...Array.from({ length: most - 1 }, (_, n) => row(`r${n}`, 2, n + 1)),
    ]
    const { search } = over(rows)
    expect(await search(0)).toEqual([])
    expect(await search(1)).toEqual(['second'])
    rows.push(row('newest', 0, most))
    expect(await search(1)).toEqual([])
    expect(await search(0)).toEqual(['newest'])
    expect(await search(2)).toHaveLength(3)
  })

  test('take no more memory than allowed: the context used longest ago leaves', async () => {
    // Room for eight vectors of two numbers is the minimum of a context.
    const { search, opened } = over([row('a', 0)], 2 * 8 * (8 + 1))
    for (const context of ['one', 'two', 'one', 'three', 'one']) await search(0, 0.9, context)
    expect(opened).toHaveLength(3)
    await search(0, 0.9, 'two')
    expect(opened).toHaveLength(4)
  })
})
