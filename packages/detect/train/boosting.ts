/**
 * Gradient boosting of shallow trees on the logistic loss with histograms and monotone constraints (Friedman, 2001;
 * Chen and Guestrin, 2016). Every piece of evidence may only raise the logit (or only lower it), so that the combiner
 * cannot learn accidents of the training data such as "long texts are harmless".
 */
import type { Tree, Trees } from '../src/injection/model/trees.ts'

export interface BoostingSettings {
  readonly trees: number
  readonly depth: number
  readonly rate: number
  /** L2 penalty on leaf values. */
  readonly penalty: number
  /** Least sum of hessians in a leaf. */
  readonly least: number
}

export const boostingSettings: BoostingSettings = { trees: 160, depth: 4, rate: 0.08, penalty: 2, least: 8 }

export interface BoostingRows {
  readonly rows: readonly Float64Array[]
  readonly labels: readonly number[]
  readonly weights: readonly number[]
  /** 1: more of it raises the logit; -1: lowers; 0: not for the trees. One per feature. */
  readonly directions: readonly number[]
}

const bins = 64

/** Fits trees; the same rows and settings give the same trees. */
export function trainTrees(data: BoostingRows, settings: BoostingSettings = boostingSettings): Trees {
  const edges = data.directions.map((_, feature) => edgesOf(data.rows, feature))
  const binned = edges.map((steps, feature) => Uint8Array.from(data.rows, (row) => binOf(row[feature] ?? 0, steps)))
  const total = sum(data.weights)
  const positive = data.weights.reduce((all, weight, i) => all + weight * (data.labels[i] ?? 0), 0)
  const base = Math.log(positive / (total - positive))
  const logits = new Float64Array(data.rows.length).fill(base)
  const trees: Tree[] = []
  for (let round = 0; round < settings.trees; round += 1) {
    const grower = new Grower(data, settings, { edges, binned, logits })
    trees.push(grower.grow())
  }
  return { base: Math.fround(base), trees, terms: [] }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** Upper edges of bins with about equally many rows. */
function edgesOf(rows: readonly Float64Array[], feature: number): readonly number[] {
  const values = Float64Array.from(rows, (row) => row[feature] ?? 0).sort()
  const edges: number[] = []
  for (let bin = 1; bin < bins; bin += 1) {
    const edge = Math.fround(values[Math.floor((bin * values.length) / bins)] ?? 0)
    if (edges.length === 0 || edge > (edges[edges.length - 1] ?? 0)) edges.push(edge)
  }
  return edges
}

function binOf(value: number, edges: readonly number[]): number {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (value > (edges[middle] ?? 0)) low = middle + 1
    else high = middle
  }
  return low
}

interface Prepared {
  readonly edges: readonly (readonly number[])[]
  readonly binned: readonly Uint8Array[]
  readonly logits: Float64Array
}

interface Split {
  readonly feature: number
  readonly bin: number
  readonly gain: number
  readonly middle: number
}

/** Least and greatest value a leaf may take, handed down so that the whole tree stays monotone. */
interface Bounds {
  readonly low: number
  readonly high: number
}

class Grower {
  readonly #data: BoostingRows
  readonly #settings: BoostingSettings
  readonly #prepared: Prepared
  readonly #gradient: Float64Array
  readonly #hessian: Float64Array
  readonly #feature: number[] = []
  readonly #threshold: number[] = []
  readonly #left: number[] = []

  constructor(data: BoostingRows, settings: BoostingSettings, prepared: Prepared) {
    this.#data = data
    this.#settings = settings
    this.#prepared = prepared
    this.#gradient = new Float64Array(data.rows.length)
    this.#hessian = new Float64Array(data.rows.length)
    for (let i = 0; i < data.rows.length; i += 1) {
      const probability = 1 / (1 + Math.exp(-(prepared.logits[i] ?? 0)))
      const weight = data.weights[i] ?? 0
      this.#gradient[i] = (probability - (data.labels[i] ?? 0)) * weight
      this.#hessian[i] = probability * (1 - probability) * weight
    }
  }

  grow(): Tree {
    const all = Uint32Array.from(this.#data.rows, (_, i) => i)
    this.#reserve(1)
    this.#fill(0, all, { depth: 0, bounds: { low: -50, high: 50 } })
    return { feature: this.#feature, threshold: this.#threshold, left: this.#left }
  }

  #reserve(count: number): number {
    const first = this.#feature.length
    for (let i = 0; i < count; i += 1) {
      this.#feature.push(-1)
      this.#threshold.push(0)
      this.#left.push(0)
    }
    return first
  }

  #fill(node: number, rows: Uint32Array, { depth, bounds }: { depth: number; bounds: Bounds }): void {
    const split = depth < this.#settings.depth ? this.#bestSplit(rows, bounds) : undefined
    if (split === undefined) {
      this.#leaf(node, rows, bounds)
      return
    }
    const { feature, bin, middle } = split
    const bin8 = this.#prepared.binned[feature] ?? new Uint8Array()
    const left = this.#reserve(2)
    this.#feature[node] = feature
    this.#threshold[node] = this.#prepared.edges[feature]?.[bin] ?? 0
    this.#left[node] = left
    const direction = this.#data.directions[feature] ?? 0
    const lower = rows.filter((row) => (bin8[row] ?? 0) <= bin)
    const upper = rows.filter((row) => (bin8[row] ?? 0) > bin)
    const below = direction > 0 ? { ...bounds, high: middle } : direction < 0 ? { ...bounds, low: middle } : bounds
    const above = direction > 0 ? { ...bounds, low: middle } : direction < 0 ? { ...bounds, high: middle } : bounds
    this.#fill(left, lower, { depth: depth + 1, bounds: below })
    this.#fill(left + 1, upper, { depth: depth + 1, bounds: above })
  }

  #leaf(node: number, rows: Uint32Array, bounds: Bounds): void {
    let gradient = 0
    let hessian = 0
    for (const row of rows) {
      gradient += this.#gradient[row] ?? 0
      hessian += this.#hessian[row] ?? 0
    }
    const value = Math.fround(this.#value(gradient, hessian, bounds) * this.#settings.rate)
    this.#threshold[node] = value
    for (const row of rows) this.#prepared.logits[row] = (this.#prepared.logits[row] ?? 0) + value
  }

  #value(gradient: number, hessian: number, { low, high }: Bounds): number {
    return Math.min(high, Math.max(low, -gradient / (hessian + this.#settings.penalty)))
  }

  #bestSplit(rows: Uint32Array, bounds: Bounds): Split | undefined {
    let best: Split | undefined
    for (let feature = 0; feature < this.#data.directions.length; feature += 1) {
      if (this.#data.directions[feature] === 0) continue
      const found = this.#splitOn(feature, rows, bounds)
      if (found !== undefined && found.gain > (best?.gain ?? 1e-6)) best = found
    }
    return best
  }

  #splitOn(feature: number, rows: Uint32Array, bounds: Bounds): Split | undefined {
    const bin8 = this.#prepared.binned[feature] ?? new Uint8Array()
    const gradients = new Float64Array(bins)
    const hessians = new Float64Array(bins)
    for (const row of rows) {
      const bin = bin8[row] ?? 0
      gradients[bin] = (gradients[bin] ?? 0) + (this.#gradient[row] ?? 0)
      hessians[bin] = (hessians[bin] ?? 0) + (this.#hessian[row] ?? 0)
    }
    const gradient = gradients.reduce((all, value) => all + value, 0)
    const hessian = hessians.reduce((all, value) => all + value, 0)
    const { penalty, least } = this.#settings
    const gainOf = (g: number, h: number): number => (g * g) / (h + penalty)
    const direction = this.#data.directions[feature] ?? 0
    let best: Split | undefined
    let [g, h] = [0, 0]
    for (let bin = 0; bin < (this.#prepared.edges[feature]?.length ?? 0); bin += 1) {
      g += gradients[bin] ?? 0
      h += hessians[bin] ?? 0
      if (h < least || hessian - h < least) continue
      const gain = gainOf(g, h) + gainOf(gradient - g, hessian - h) - gainOf(gradient, hessian)
      if (gain <= (best?.gain ?? 0)) continue
      const left = this.#value(g, h, bounds)
      const right = this.#value(gradient - g, hessian - h, bounds)
      if ((right - left) * direction < 0) continue
      best = { feature, bin, gain, middle: (left + right) / 2 }
    }
    return best
  }
}
