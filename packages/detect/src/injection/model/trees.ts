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

/** A feature that counts `weight` times its value beside the output of the trees. */
export interface Term {
  readonly feature: number
  readonly weight: number
}

/** Makes the trees count less: by `share` of their output where the feature is 1, in proportion below. */
export interface Doubt {
  readonly feature: number
  readonly share: number
}

export interface Trees {
  readonly base: number
  readonly trees: readonly Tree[]
  readonly terms: readonly Term[]
  readonly doubt?: Doubt
}

/** Logit of a row of evidence. */
export function sumTrees(combiner: Trees, row: ArrayLike<number>): number {
  const { base, trees, terms } = combiner
  let sum = base
  for (const tree of trees) sum += leafOf(tree, row)
  sum *= trustOf(combiner, row)
  for (const { feature, weight } of terms) sum += weight * (row[feature] ?? 0)
  return sum
}

const trustOf = ({ doubt }: Trees, row: ArrayLike<number>): number =>
  doubt === undefined ? 1 : 1 - doubt.share * (row[doubt.feature] ?? 0)

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
 * Splits a logit into shares of the features on the paths taken (Saabas, 2014): the change of a split to the mean of
 * its node is the share of the feature it tested. Base and shares add up to the logit. Means weigh both children alike.
 */
export function contributionsOf(combiner: Trees, row: ArrayLike<number>): { base: number; shares: number[] } {
  const { base, trees, terms } = combiner
  const trust = trustOf(combiner, row)
  const shares = new Array<number>(row.length).fill(0)
  let start = base
  for (const tree of trees) {
    let node = 0
    let mean = meanOf(tree, 0)
    start += mean
    for (let tested = tree.feature[0] ?? -1; tested >= 0; tested = tree.feature[node] ?? -1) {
      node = (tree.left[node] ?? 0) + Number((row[tested] ?? 0) > (tree.threshold[node] ?? 0))
      const next = meanOf(tree, node)
      shares[tested] = (shares[tested] ?? 0) + trust * (next - mean)
      mean = next
    }
  }
  for (const { feature, weight } of terms) shares[feature] = (shares[feature] ?? 0) + weight * (row[feature] ?? 0)
  return { base: trust * start, shares }
}

function meanOf(tree: Tree, node: number): number {
  if ((tree.feature[node] ?? -1) < 0) return tree.threshold[node] ?? 0
  const left = tree.left[node] ?? 0
  return (meanOf(tree, left) + meanOf(tree, left + 1)) / 2
}
