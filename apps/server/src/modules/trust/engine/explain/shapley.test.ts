import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CapPlayer, type SignalPlayer, shapleyValues } from './shapley.ts'

const a = { id: 'a', weight: 6_000, before: 5_000, after: 9_000 }
const b = { id: 'b', weight: 4_000, before: 5_000, after: 4_000 }
const cap = { id: 'cap', limit: 6_000, before: false, after: true }

const score = fc.integer({ min: 0, max: 10_000 })
const signals: fc.Arbitrary<readonly SignalPlayer[]> = fc
  .array(fc.record({ weight: fc.integer({ min: 1, max: 4_000 }), before: score, after: score }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((players) => players.map((player, place) => ({ id: `s${place}`, ...player })))
const caps: fc.Arbitrary<readonly CapPlayer[]> = fc
  .array(fc.record({ limit: score, before: fc.boolean(), after: fc.boolean() }), { maxLength: 3 })
  .map((players) => players.map((player, place) => ({ id: `c${place}`, ...player })))

function worth(side: 'before' | 'after', players: readonly SignalPlayer[], limits: readonly CapPlayer[]): number {
  const total = players.reduce((sum, { weight }) => sum + weight, 0)
  const mean = players.reduce((sum, player) => sum + player.weight * player[side], 0) / total
  return Math.min(mean, ...limits.filter((one) => one[side]).map(({ limit }) => limit))
}

const sum = (values: ReadonlyMap<string, number>) => [...values.values()].reduce((total, value) => total + value, 0)

describe('Shapley values of a pillar', () => {
  // By hand: six orders of a, b and the cap.
  test('under a cap, worked out by hand', () => {
    const values = shapleyValues([a, b], [cap])
    expect(values.get('a')).toBeCloseTo(1_833.333333, 6)
    expect(values.get('b')).toBeCloseTo(-266.666667, 6)
    expect(values.get('cap')).toBeCloseTo(-566.666667, 6)
    expect(sum(values)).toBeCloseTo(1_000, 9)
  })

  test('without a cap are weight times difference', () => {
    expect([...shapleyValues([a, b], [])]).toEqual([
      ['a', 2_400],
      ['b', -400],
    ])
  })

  test('of a cap that is never reached are those without it', () => {
    fc.assert(
      fc.property(signals, (players) => {
        const out = { id: 'c', limit: 10_000, before: false, after: true }
        const closed = shapleyValues(players, [])
        for (const [id, value] of shapleyValues(players, [out])) expect(value).toBeCloseTo(closed.get(id) ?? 0, 6)
      }),
    )
  })

  test('add up to the difference of the pillar', () => {
    fc.assert(
      fc.property(signals, caps, (players, limits) => {
        const difference = worth('after', players, limits) - worth('before', players, limits)
        expect(sum(shapleyValues(players, limits))).toBeCloseTo(difference, 6)
      }),
    )
  })

  test('give nothing to who does not change, and as much to equals', () => {
    fc.assert(
      fc.property(signals, caps, (players, limits) => {
        const still = { id: 'still', weight: 1_000, before: 4_000, after: 4_000 }
        const [first] = players
        const twin = { ...first, id: 'twin' } as SignalPlayer
        const values = shapleyValues([...players, twin, still], limits)
        expect(values.get('still')).toBe(0)
        expect(values.get('twin')).toBe(values.get('s0'))
      }),
    )
  })

  test('of the way back are the same with the other sign', () => {
    fc.assert(
      fc.property(signals, caps, (players, limits) => {
        const turned = <P extends { readonly before: unknown; readonly after: unknown }>(player: P) => ({
          ...player,
          before: player.after,
          after: player.before,
        })
        const back = shapleyValues(players.map(turned), limits.map(turned))
        for (const [id, value] of shapleyValues(players, limits)) expect(back.get(id)).toBeCloseTo(-value, 6)
      }),
    )
  })

  test('do not depend on the order of the players', () => {
    fc.assert(
      fc.property(signals, caps, (players, limits) => {
        const turned = shapleyValues(players.toReversed(), limits.toReversed())
        for (const [id, value] of shapleyValues(players, limits)) expect(turned.get(id)).toBeCloseTo(value, 9)
      }),
    )
  })
})
