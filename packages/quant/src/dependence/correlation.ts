import { ModelError } from '../distributions/specification.ts'
import { sine } from '../numeric/trigonometry.ts'
import { eigenOf } from './eigen.ts'

/** A square matrix, row by row. */
export type Matrix = readonly (readonly number[])[]

export interface CorrelationInput {
  /** Spearman rank correlations, symmetric, 1 on the diagonal. */
  readonly spearman: Matrix
  /** Replaces a matrix that is not positive semi-definite by the nearest correlation matrix. Default: refuse. */
  readonly repair?: boolean
}

export interface CorrelationFactor {
  /** Pearson correlations of the Gaussian copula. */
  readonly correlation: Matrix
  /** Lower triangular L with L Lᵀ = correlation. */
  readonly factor: readonly Float64Array[]
  /** Frobenius distance between the given and the repaired matrix; 0 where none was needed. */
  readonly distance: number
}

/** A correlation matrix that no random variables can have. */
export class CorrelationError extends ModelError {
  readonly smallestEigenvalue: number

  constructor(pointer: string, smallestEigenvalue: number) {
    super(pointer, `The correlations are not positive semi-definite: smallest eigenvalue ${smallestEigenvalue}.`)
    this.smallestEigenvalue = smallestEigenvalue
  }
}

const tolerance = 1e-10

/** Pearson correlation of the Gaussian copula with a given Spearman correlation: 2 sin(π ρ / 6). */
export function pearsonOfSpearman(rho: number): number {
  return Math.abs(rho) === 1 ? rho : 2 * sine((Math.PI * rho) / 6)
}

/**
 * Gaussian copula of rank correlations.
 * @throws ModelError for a matrix that is none, CorrelationError for one that is not positive semi-definite.
 */
export function factorCorrelation({ spearman, repair = false }: CorrelationInput, pointer = ''): CorrelationFactor {
  checkMatrix(spearman, pointer)
  const pearson = spearman.map((row) => row.map(pearsonOfSpearman))
  const smallest = Math.min(...eigenOf(pearson).values)
  if (smallest >= -tolerance) return { correlation: pearson, factor: cholesky(pearson), distance: 0 }
  if (!repair) throw new CorrelationError(pointer, smallest)
  const nearest = nearestCorrelation(pearson)
  return { correlation: nearest, factor: cholesky(nearest), distance: frobenius(pearson, nearest) }
}

function checkMatrix(matrix: Matrix, pointer: string): void {
  matrix.forEach((row, i) => {
    if (row.length !== matrix.length) throw new ModelError(`${pointer}/${i}`, 'The matrix must be square.')
    row.forEach((value, j) => {
      const at = `${pointer}/${i}/${j}`
      if (!(value >= -1 && value <= 1)) throw new ModelError(at, 'A correlation is -1 to 1.')
      if (value !== matrix[j]?.[i]) throw new ModelError(at, 'The matrix must be symmetric.')
      if (i === j && value !== 1) throw new ModelError(at, 'The diagonal must be 1.')
    })
  })
}

/** Nearest correlation matrix in the Frobenius norm: alternating projections with Dykstra's correction (Higham 2002). */
export function nearestCorrelation(matrix: Matrix): Matrix {
  const n = matrix.length
  let y = matrix.map((row) => [...row])
  let correction = y.map((row) => row.map(() => 0))
  for (let step = 0; step < 1_000; step += 1) {
    const r = y.map((row, i) => row.map((value, j) => value - (correction[i]?.[j] ?? 0)))
    const x = positivePart(r)
    correction = x.map((row, i) => row.map((value, j) => value - (r[i]?.[j] ?? 0)))
    const next = x.map((row, i) => row.map((value, j) => (i === j ? 1 : value)))
    const change = frobenius(next, y)
    y = next
    if (change <= 1e-12 * n && Math.min(...eigenOf(y).values) > -tolerance) break
  }
  // Rounding may leave an eigenvalue of -1e-11: one last projection, brought back to a diagonal of 1.
  const x = positivePart(y)
  return x.map((row, i) =>
    row.map((value, j) => (i === j ? 1 : value / Math.sqrt((x[i]?.[i] ?? 1) * (x[j]?.[j] ?? 1)))),
  )
}

/** Projection onto the positive semi-definite matrices: negative eigenvalues become 0. */
function positivePart(matrix: Matrix): number[][] {
  const { values, vectors } = eigenOf(matrix)
  return matrix.map((row, i) =>
    row.map((_, j) =>
      values.reduce((sum, value, k) => sum + Math.max(0, value) * (vectors[i]?.[k] ?? 0) * (vectors[j]?.[k] ?? 0), 0),
    ),
  )
}

function frobenius(a: Matrix, b: Matrix): number {
  let sum = 0
  a.forEach((row, i) => {
    row.forEach((value, j) => {
      sum += (value - (b[i]?.[j] ?? 0)) ** 2
    })
  })
  return Math.sqrt(sum)
}

/** Cholesky factor of a positive semi-definite matrix; a pivot of 0 gives a column of 0. */
function cholesky(matrix: Matrix): readonly Float64Array[] {
  const rows = matrix.map(() => new Float64Array(matrix.length))
  matrix.forEach((row, i) => {
    for (let j = 0; j <= i; j += 1) {
      let sum = row[j] ?? 0
      for (let k = 0; k < j; k += 1) sum -= (rows[i]?.[k] ?? 0) * (rows[j]?.[k] ?? 0)
      const pivot = rows[j]?.[j] ?? 0
      const value = i === j ? Math.sqrt(Math.max(0, sum)) : pivot > 1e-7 ? sum / pivot : 0
      const target = rows[i]
      if (target !== undefined) target[j] = value
    }
  })
  return rows
}
