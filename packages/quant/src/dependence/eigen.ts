/** Eigenvalues and eigenvectors (columns) of a symmetric matrix by cyclic Jacobi rotations. */
export function eigenOf(matrix: readonly (readonly number[])[]): {
  readonly values: readonly number[]
  readonly vectors: readonly (readonly number[])[]
} {
  const n = matrix.length
  const a = Float64Array.from(matrix.flat())
  const v = new Float64Array(n * n)
  for (let i = 0; i < n; i += 1) v[i * n + i] = 1
  for (let sweep = 0; sweep < 60; sweep += 1) {
    let off = 0
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) off += (a[p * n + q] ?? 0) ** 2
    if (off < 1e-30) break
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) rotate(a, v, n, p, q)
  }
  const rows = (values: Float64Array): number[][] =>
    Array.from({ length: n }, (_, i) => Array.from(values.subarray(i * n, (i + 1) * n)))
  return { values: Array.from({ length: n }, (_, i) => a[i * n + i] ?? 0), vectors: rows(v) }
}

function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q] ?? 0
  if (apq === 0) return
  const theta = ((a[q * n + q] ?? 0) - (a[p * n + p] ?? 0)) / (2 * apq)
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  const turn = (m: Float64Array, i: number, j: number): void => {
    const [x, y] = [m[i] ?? 0, m[j] ?? 0]
    m[i] = c * x - s * y
    m[j] = s * x + c * y
  }
  for (let k = 0; k < n; k += 1) turn(a, k * n + p, k * n + q)
  for (let k = 0; k < n; k += 1) turn(a, p * n + k, q * n + k)
  for (let k = 0; k < n; k += 1) turn(v, k * n + p, k * n + q)
}
