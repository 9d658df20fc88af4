/**
 * Joins rankings of the same things by reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): scores of different
 * kinds are never compared, only places. Pure. Tested in fusion.test.ts.
 */

/** Softens the difference between the first places, as in the paper. */
const smoothing = 60

export interface Fused {
  readonly id: string
  readonly score: number
  /** Place from 1 in each ranking; null where it does not stand in it. */
  readonly ranks: readonly (number | null)[]
}

/** Best first; of equals the one that stands better in an earlier ranking. Ids of a ranking are distinct. */
export function fuse(rankings: readonly (readonly string[])[]): readonly Fused[] {
  const ranks = new Map<string, (number | null)[]>()
  for (const [which, ranking] of rankings.entries()) {
    for (const [place, id] of ranking.entries()) {
      const known = ranks.get(id) ?? rankings.map(() => null)
      known[which] = place + 1
      ranks.set(id, known)
    }
  }
  const fused = [...ranks].map(([id, places]): Fused => ({ id, score: scoreOf(places), ranks: places }))
  return fused.sort((a, b) => b.score - a.score || compare(a.ranks, b.ranks))
}

const scoreOf = (places: readonly (number | null)[]): number =>
  places.reduce<number>((sum, place) => sum + (place === null ? 0 : 1 / (smoothing + place)), 0)

function compare(a: Fused['ranks'], b: Fused['ranks']): number {
  for (const [at, place] of a.entries()) {
    const difference = (place ?? Number.MAX_SAFE_INTEGER) - (b[at] ?? Number.MAX_SAFE_INTEGER)
    if (difference !== 0) return difference
  }
  return 0
}
