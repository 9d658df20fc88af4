import { type QuantileTable, quantileAt } from '../distributions/table.ts'
import type { RandomStream } from '../random/stream.ts'

/**
 * Fills `out[0, years)` with one draw from each of `years` equally likely strata, in random order (McKay, Beckman and
 * Conover 1979). Strata are those of one block, so that blocks stay independent of each other.
 */
export function fillStratified(
  table: QuantileTable,
  stream: RandomStream,
  out: Float64Array,
  years: number,
  order: Uint32Array,
): void {
  for (let i = 0; i < years; i += 1) order[i] = i
  for (let i = years - 1; i > 0; i -= 1) {
    const j = Math.floor(stream.uniform() * (i + 1))
    const kept = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = kept
  }
  for (let i = 0; i < years; i += 1) {
    const word = (((order[i] ?? 0) + stream.uniform()) / years) * 0x100000000
    const high = Math.floor(word)
    out[i] = quantileAt(table, high, Math.floor((word - high) * 0x100000000))
  }
}
