import { lawOf } from '../distributions/law.ts'
import type { Distribution, Law } from '../distributions/specification.ts'
import { normalCdf } from '../numeric/normal.ts'

const reach = 8.5
const perUnit = 256
const knots = 2 * reach * perUnit

/** Values of a law at standard normal scores: quantile(Φ(z)), piecewise linear in z, clamped at ±8.5. */
export interface NormalTable {
  readonly base: Float64Array
  readonly rise: Float64Array
}

const cache = new Map<string, NormalTable>()

/** Table of a valid distribution, from a cache by parameters. */
export function normalTableOf(distribution: Distribution): NormalTable {
  const key = JSON.stringify(distribution)
  const known = cache.get(key)
  if (known !== undefined) return known
  const table = normalTableOfLaw(lawOf(distribution))
  if (cache.size >= 256) cache.delete(cache.keys().next().value ?? '')
  cache.set(key, table)
  return table
}

/** Table of a law given by its quantile functions; not cached. */
export function normalTableOfLaw({ quantile, upperQuantile }: Pick<Law, 'quantile' | 'upperQuantile'>): NormalTable {
  const values = new Float64Array(knots + 1)
  for (let i = 0; i <= knots; i += 1) {
    const z = i / perUnit - reach
    values[i] = z <= 0 ? quantile(normalCdf(z)) : upperQuantile(normalCdf(-z))
  }
  const base = new Float64Array(knots)
  const rise = new Float64Array(knots)
  for (let i = 0; i < knots; i += 1) {
    const [a, b] = [values[i] ?? 0, values[i + 1] ?? 0]
    const [before, after] = [values[Math.max(0, i - 1)] ?? 0, values[Math.min(knots, i + 2)] ?? 0]
    // Keeps the mean over the cell to fourth order.
    base[i] = i === 0 || i === knots - 1 ? a : (13 * (a + b) - before - after) / 24 - 0.5 * (b - a)
    rise[i] = b - a
  }
  return { base, rise }
}

/** Value at a standard normal score. */
export function valueAtScore({ base, rise }: NormalTable, z: number): number {
  const position = Math.min(knots - 1e-9, Math.max(0, (z + reach) * perUnit))
  const cell = Math.floor(position)
  return (base[cell] ?? 0) + (rise[cell] ?? 0) * (position - cell)
}
