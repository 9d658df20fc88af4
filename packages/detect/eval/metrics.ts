/** Figures of a detector from scores of attacks and of harmless texts. All are pure; none needs sorted input. */

/** Area under the ROC curve: chance that an attack scores above a harmless text, ties counting half (Mann and Whitney). */
export function areaUnderCurve(attacks: readonly number[], harmless: readonly number[]): number {
  const all = [
    ...attacks.map((score) => ({ score, attack: true })),
    ...harmless.map((score) => ({ score, attack: false })),
  ].sort((a, b) => a.score - b.score)
  let ranks = 0
  for (let i = 0; i < all.length; ) {
    let end = i
    while (end < all.length && all[end]?.score === all[i]?.score) end += 1
    for (let k = i; k < end; k += 1) if (all[k]?.attack) ranks += (i + end + 1) / 2
    i = end
  }
  return (ranks - (attacks.length * (attacks.length + 1)) / 2) / (attacks.length * harmless.length)
}

/** Share of attacks above the score that a share `rate` of harmless texts exceeds. */
export function recallAtRate(attacks: readonly number[], harmless: readonly number[], rate: number): number {
  const sorted = [...harmless].sort((a, b) => b - a)
  const threshold = sorted[Math.floor(rate * sorted.length)] ?? Number.NEGATIVE_INFINITY
  return shareAbove(attacks, threshold)
}

/** Share of scores above a threshold; 0 of nothing. */
export function shareAbove(scores: readonly number[], threshold: number): number {
  return scores.length === 0 ? 0 : scores.filter((score) => score > threshold).length / scores.length
}

/** Share of scores at or above a threshold; 0 of nothing. */
export function shareFrom(scores: readonly number[], threshold: number): number {
  return scores.length === 0 ? 0 : scores.filter((score) => score >= threshold).length / scores.length
}

/** Best F1 over all thresholds. */
export function bestF1(attacks: readonly number[], harmless: readonly number[]): number {
  const all = [
    ...attacks.map((score) => ({ score, attack: 1 })),
    ...harmless.map((score) => ({ score, attack: 0 })),
  ].sort((a, b) => b.score - a.score)
  let [hits, best] = [0, 0]
  all.forEach(({ score, attack }, i) => {
    hits += attack
    if (all[i + 1]?.score !== score) best = Math.max(best, (2 * hits) / (i + 1 + attacks.length))
  })
  return best
}

/** Quantile by the nearest rank, of a copy. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
