import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Vectors } from './port.ts'
import { numbersFrom, randomVector } from './testing/numbers.ts'

export interface OpenVectors {
  readonly vectors: Vectors
  close(): Promise<void>
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, number, at) => sum + number * (y[at] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

/** The behavior of every adapter of the vectors port. */
export function describeVectorsContract(name: string, open: () => Promise<OpenVectors>): void {
  describe(`${name} vectors`, () => {
    let opened: OpenVectors
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())
    const filled = (count: number, dimension: number) => {
      const next = numbersFrom(7)
      const index = opened.vectors.create(dimension)
      const all = Array.from({ length: count }, (_, n) => [`v${n}`, randomVector(next, dimension)] as const)
      for (const [id, vector] of all) index.put(id, vector)
      return { index, all: new Map(all), query: randomVector(next, dimension) }
    }
    const expected = (all: ReadonlyMap<string, Float32Array>, query: Float32Array) =>
      [...all].map(([id, vector]) => ({ id, score: cosine(vector, query) })).sort((a, b) => b.score - a.score)

    test.each([
      [1, 3],
      [50, 5],
      [3_000, 96],
      [9_000, 33],
    ])('the nearest of %i vectors of %i numbers are found in their order', async (count, dimension) => {
      const { index, all, query } = filled(count, dimension)
      const found = await index.search({ vector: query, top: 10 })
      const right = expected(all, query).slice(0, 10)
      expect(found.map(({ id }) => id)).toEqual(right.map(({ id }) => id))
      for (const [n, { score }] of found.entries()) expect(score).toBeCloseTo(right[n]?.score ?? 0, 5)
    })

    test('only vectors of at least the cosine that was asked for are matches', async () => {
      const { index, all, query } = filled(500, 4)
      const found = await index.search({ vector: query, top: 1_000, least: 0.5 })
      expect(found).toHaveLength(expected(all, query).filter(({ score }) => score >= 0.5).length)
    })

    test('a vector is found by its direction, and is like itself', async () => {
      const index = opened.vectors.create(2)
      index.put('long', Float32Array.of(30, 40))
      index.put('nothing', Float32Array.of(0, 0))
      const found = await index.search({ vector: Float32Array.of(0.3, 0.4), top: 5, least: 1 - 1e-6 })
      expect(found.map(({ id }) => id)).toEqual(['long'])
    })

    test('of equals the one that was added first comes first', async () => {
      const index = opened.vectors.create(2)
      for (const id of ['b', 'a', 'c']) index.put(id, Float32Array.of(1, 1))
      const found = await index.search({ vector: Float32Array.of(1, 1), top: 2 })
      expect(found.map(({ id }) => id)).toEqual(['b', 'a'])
    })

    test('what is deleted or put again is not found as it was', async () => {
      const { index, all, query } = filled(2_000, 8)
      const ranked = expected(all, query).map(({ id }) => id)
      for (const id of ranked.slice(0, 1_500)) expect(index.delete(id)).toBe(true)
      expect([index.delete('v0x'), index.size, index.has(ranked[0] ?? '')]).toEqual([false, 500, false])
      const found = async () => (await index.search({ vector: query, top: 3 })).map(({ id }) => id)
      expect(await found()).toEqual(ranked.slice(1_500, 1_503))
      index.put(
        ranked[1_500] ?? '',
        query.map((number) => -number),
      )
      expect([await found(), index.size]).toEqual([ranked.slice(1_501, 1_504), 500])
    })

    test('a search goes on as it began while most of the index is deleted', async () => {
      const { index, all, query } = filled(6_000, 64)
      const ranked = expected(all, query).map(({ id }) => id)
      const searching = index.search({ vector: query, top: 5 })
      for (const id of ranked.slice(5)) index.delete(id)
      expect((await searching).map(({ id }) => id)).toEqual(ranked.slice(0, 5))
      expect((await index.search({ vector: query, top: 9 })).map(({ id }) => id)).toEqual(ranked.slice(0, 5))
    })

    test('another dimension and a senseless number of matches are refused', async () => {
      const index = opened.vectors.create(3)
      expect(() => index.put('a', Float32Array.of(1, 2))).toThrow(RangeError)
      await expect(index.search({ vector: Float32Array.of(1), top: 1 })).rejects.toThrow(RangeError)
      for (const top of [0, 1.5, 1_001])
        await expect(index.search({ vector: Float32Array.of(1, 0, 0), top })).rejects.toThrow(RangeError)
      expect(() => opened.vectors.create(0)).toThrow(RangeError)
      expect(await index.search({ vector: Float32Array.of(1, 0, 0), top: 1 })).toEqual([])
    })
  })
}
