/**
 * A small sum of decision trees that combines the evidence of one reading of a text into a logit. Trees are flat arrays:
 * of node `i`, `feature[i]` is compared with `threshold[i]`; a leaf has feature -1 and its value in `threshold`.
 */
export interface Tree {
  readonly feature: readonly number[]
  readonly threshold: readonly number[]
  /** Index of the child for values at or below the threshold; the other child follows it. */
  readonly left: readonly number[]
}

/** A feature that counts `weight` times its value beside what the trees make of it. */
export interface Term {
  readonly feature: number
  readonly weight: number
}

export interface Trees {
  readonly base: number
  readonly trees: readonly Tree[]
  readonly terms: readonly Term[]
}

/** Logit of a row of evidence. */
export function sumTrees({ base, trees, terms }: Trees, row: ArrayLike<number>): number {
  let sum = base
  for (const tree of trees) sum += leafOf(tree, row)
  for (const { feature, weight } of terms) sum += weight * (row[feature] ?? 0)
  return sum
}

function leafOf({ feature, threshold, left }: Tree, row: ArrayLike<number>): number {
  let node = 0
  for (;;) {
    const tested = feature[node] ?? -1
    const value = threshold[node] ?? 0
    if (tested < 0) return value
    node = (left[node] ?? 0) + Number((row[tested] ?? 0) > value)
  }
}

/**
 * Splits a logit into shares of the features on the paths taken (Saabas, 2014): what a split changed of the mean of its
 * node is the share of the feature it tested. Base and shares add up to the logit. Means weigh both children alike.
 */
export function contributionsOf(
  { base, trees, terms }: Trees,
  row: ArrayLike<number>,
): { base: number; shares: number[] } {
  const shares = new Array<number>(row.length).fill(0)
  let start = base
  for (const tree of trees) {
    let node = 0
    let mean = meanOf(tree, 0)
    start += mean
    for (let tested = tree.feature[0] ?? -1; tested >= 0; tested = tree.feature[node] ?? -1) {
      node = (tree.left[node] ?? 0) + Number((row[tested] ?? 0) > (tree.threshold[node] ?? 0))
      const next = meanOf(tree, node)
      shares[tested] = (shares[tested] ?? 0) + next - mean
      mean = next
    }
  }
  for (const { feature, weight } of terms) shares[feature] = (shares[feature] ?? 0) + weight * (row[feature] ?? 0)
  return { base: start, shares }
}

function meanOf(tree: Tree, node: number): number {
  if ((tree.feature[node] ?? -1) < 0) return tree.threshold[node] ?? 0
  const left = tree.left[node] ?? 0
  return (meanOf(tree, left) + meanOf(tree, left + 1)) / 2
}
