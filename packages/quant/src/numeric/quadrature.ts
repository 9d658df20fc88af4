/** A discrete measure: nodes and weights that sum to 1. */
export interface Rule {
  readonly nodes: readonly number[]
  readonly weights: readonly number[]
}

/** Gauss–Jacobi rule with n nodes on [0, 1] for the beta distribution with parameters a, b > 0 (Golub–Welsch). */
export function betaRule(a: number, b: number, n: number): Rule {
  // Recurrence of the Jacobi polynomials with weight (1-t)^(b-1) (1+t)^(a-1) on [-1, 1] (Gautschi 2004, table 1.1).
  const p = b - 1
  const q = a - 1
  const diagonal: number[] = []
  const off: number[] = []
  for (let k = 0; k < n; k += 1) {
    const s = 2 * k + p + q
    diagonal.push(k === 0 ? (q - p) / (p + q + 2) : ((q - p) * (q + p)) / (s * (s + 2)))
    if (k === 0) continue
    const beta =
      k === 1
        ? (4 * (1 + p) * (1 + q)) / ((2 + p + q) ** 2 * (3 + p + q))
        : (4 * k * (k + p) * (k + q) * (k + p + q)) / (s * s * (s + 1) * (s - 1))
    off.push(Math.sqrt(beta))
  }
  const { nodes, weights } = ruleOfJacobiMatrix(diagonal, off)
  return { nodes: nodes.map((t) => 0.5 * (1 + t)), weights }
}

/** Gauss rule with at most n nodes of a discrete measure, exact for polynomials of degree 2n-1 (Lanczos, Gragg–Harwood). */
export function reduceRule(rule: Rule, n: number): Rule {
  if (rule.nodes.length <= n) return rule
  const size = rule.nodes.length
  const diagonal: number[] = []
  const off: number[] = []
  const basis: Float64Array[] = [Float64Array.from(rule.weights, (weight) => Math.sqrt(Math.max(0, weight)))]
  for (let k = 0; k < n; k += 1) {
    const vector = basis[k] ?? new Float64Array(size)
    const next = vector.map((x, i) => x * (rule.nodes[i] ?? 0))
    diagonal.push(dot(next, vector))
    // Twice: rounding would bring back directions already taken.
    for (let pass = 0; pass < 2; pass += 1) for (const earlier of basis) subtract(next, earlier)
    const norm = Math.sqrt(dot(next, next))
    if (k === n - 1 || norm < 1e-13 * Math.max(...rule.nodes.map(Math.abs))) break
    off.push(norm)
    basis.push(next.map((x) => x / norm))
  }
  return ruleOfJacobiMatrix(diagonal, off)
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

function subtract(vector: Float64Array, direction: Float64Array): void {
  const share = dot(vector, direction)
  for (let i = 0; i < vector.length; i += 1) vector[i] = (vector[i] ?? 0) - share * (direction[i] ?? 0)
}

/** Eigenvalues and squared first components of the eigenvectors of a symmetric tridiagonal matrix (implicit QL). */
function ruleOfJacobiMatrix(diagonal: readonly number[], offDiagonal: readonly number[]): Rule {
  const n = diagonal.length
  const d = Float64Array.from(diagonal)
  const e = new Float64Array(n)
  e.set(offDiagonal)
  const first = new Float64Array(n)
  first[0] = 1
  for (let l = 0; l < n; l += 1) {
    for (let sweep = 0; sweep < 100; sweep += 1) {
      const m = endOfBlock(d, e, l)
      if (m === l) break
      rotate(d, e, first, l, m)
    }
  }
  const order = Array.from(d, (_, i) => i).sort((i, j) => (d[i] ?? 0) - (d[j] ?? 0))
  return { nodes: order.map((i) => d[i] ?? 0), weights: order.map((i) => (first[i] ?? 0) ** 2) }
}

function endOfBlock(d: Float64Array, e: Float64Array, l: number): number {
  let m = l
  while (m < d.length - 1) {
    const scale = Math.abs(d[m] ?? 0) + Math.abs(d[m + 1] ?? 0)
    if (Math.abs(e[m] ?? 0) <= 1e-16 * scale) break
    m += 1
  }
  return m
}

/** One implicit QL step on rows l..m (Numerical Recipes `tqli`, first components only). */
function rotate(d: Float64Array, e: Float64Array, z: Float64Array, l: number, m: number): void {
  const dl = d[l] ?? 0
  const el = e[l] ?? 0
  let g = ((d[l + 1] ?? 0) - dl) / (2 * el)
  let r = Math.sqrt(g * g + 1)
  g = (d[m] ?? 0) - dl + el / (g + (g >= 0 ? r : -r))
  let s = 1
  let c = 1
  let p = 0
  for (let i = m - 1; i >= l; i -= 1) {
    const f = s * (e[i] ?? 0)
    const b = c * (e[i] ?? 0)
    r = Math.sqrt(f * f + g * g)
    e[i + 1] = r
    if (r === 0) {
      d[i + 1] = (d[i + 1] ?? 0) - p
      e[m] = 0
      return
    }
    s = f / r
    c = g / r
    g = (d[i + 1] ?? 0) - p
    r = ((d[i] ?? 0) - g) * s + 2 * c * b
    p = s * r
    d[i + 1] = g + p
    g = c * r - b
    const upper = z[i + 1] ?? 0
    z[i + 1] = s * (z[i] ?? 0) + c * upper
    z[i] = c * (z[i] ?? 0) - s * upper
  }
  d[l] = (d[l] ?? 0) - p
  e[l] = g
  e[m] = 0
}
