import type { Hundredths, TenThousandths } from '../fixed-point.ts'

/** A signal of one pillar: its weight inside the pillar and its effective value on both sides of a comparison. */
export interface SignalPlayer {
  readonly id: string
  readonly weight: TenThousandths
  readonly before: Hundredths
  readonly after: Hundredths
}

/** A cap of the same pillar and whether it is in force on either side. */
export interface CapPlayer {
  readonly id: string
  readonly limit: Hundredths
  readonly before: boolean
  readonly after: boolean
}

/** Changing players that can be enumerated; 2^20 subsets take about 20 ms, and a pillar has at most 10. */
const mostPlayers = 20

/**
 * Shapley values (L. S. Shapley, "A Value for n-Person Games", 1953) of the signals and caps of one pillar, for the game
 * whose worth is the pillar's score when the players of a coalition have changed sides: the weighted mean of the signals,
 * not above the lowest cap in force. In hundredths of a point of the pillar, before rounding; they add up to the
 * difference of both sides. Without caps the game is additive and `φ = ω (after − before)`. With caps all subsets of the
 * players that change are enumerated, in integers: worths are counted in units of 1/Σω, weights of coalitions in 1/n!.
 */
export function shapleyValues(
  signals: readonly SignalPlayer[],
  caps: readonly CapPlayer[],
): ReadonlyMap<string, number> {
  const total = signals.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) return new Map()
  if (caps.every(({ before, after }) => !before && !after)) {
    return new Map(signals.map(({ id, weight, before, after }) => [id, (weight * (after - before)) / total]))
  }
  const players = [...signals.filter(changes), ...caps.filter(changes)].map(({ id }) => id)
  if (players.length > mostPlayers) throw new RangeError(`${players.length} players are too many to enumerate.`)
  const worths = worthOfSubsets(signals, caps, total)
  const values = new Map<string, number>([...signals, ...caps].map(({ id }) => [id, 0]))
  const weights = coalitionWeights(players.length)
  players.forEach((id, place) => {
    values.set(id, marginalSum(worths, weights, place) / (factorial(players.length) * total))
  })
  return values
}

const changes = ({ before, after }: { readonly before: unknown; readonly after: unknown }): boolean => before !== after

/** The worth of every subset of the changing players (bit i = player i, signals first), times the sum of the weights. */
function worthOfSubsets(
  signals: readonly SignalPlayer[],
  caps: readonly CapPlayer[],
  total: TenThousandths,
): Float64Array {
  const movers = signals.filter(changes)
  const shifters = caps.filter(changes)
  const standing = Math.min(...caps.filter(({ before, after }) => before && after).map(({ limit }) => limit * total))
  const start = signals.reduce((sum, { weight, before }) => sum + weight * before, 0)
  const worths = new Float64Array(2 ** (movers.length + shifters.length))
  for (let subset = 0; subset < worths.length; subset++) {
    let worth = start
    movers.forEach(({ weight, before, after }, place) => {
      if (has(subset, place)) worth += weight * (after - before)
    })
    let limit = standing
    shifters.forEach((cap, place) => {
      const active = has(subset, movers.length + place) ? cap.after : cap.before
      if (active) limit = Math.min(limit, cap.limit * total)
    })
    worths[subset] = Math.min(worth, limit)
  }
  return worths
}

/** Σ over subsets S without the player of |S|! (n − |S| − 1)! (v(S ∪ player) − v(S)): an integer, exact below 2^53. */
function marginalSum(worths: Float64Array, weights: readonly number[], player: number): number {
  let sum = 0
  for (let subset = 0; subset < worths.length; subset++) {
    if (has(subset, player)) continue
    const gain = (worths[subset | (1 << player)] ?? 0) - (worths[subset] ?? 0)
    sum += (weights[bitsOf(subset)] ?? 0) * gain
  }
  return sum
}

/** By size of the coalition: the orders of n players in which a given player comes right after a given coalition. */
function coalitionWeights(players: number): readonly number[] {
  return Array.from({ length: players }, (_, size) => factorial(size) * factorial(players - size - 1))
}

function factorial(n: number): number {
  let product = 1
  for (let factor = 2; factor <= n; factor++) product *= factor
  return product
}

function has(subset: number, place: number): boolean {
  return (subset & (1 << place)) !== 0
}

function bitsOf(subset: number): number {
  let count = 0
  for (let rest = subset; rest !== 0; rest &= rest - 1) count += 1
  return count
}
