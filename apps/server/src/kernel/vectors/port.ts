/**
 * Vectors by their likeness: the cosine of the angle between them. Promises the exact nearest ones, in their order, for
 * any index contents; it keeps nothing beyond the process. The contract suite is contract.ts, run on every adapter.
 */
import type { AbortWatch } from '../base/abort.ts'

export interface VectorMatch {
  readonly id: string
  /** Cosine, -1 to 1. */
  readonly score: number
}

export interface VectorQuery {
  /** Of the index's dimension and any length but 0. */
  readonly vector: Float32Array
  /** Matches at most; 1 to 1,000. */
  readonly top: number
  /** Least cosine; default every match counts. */
  readonly least?: number
  readonly signal?: AbortWatch
}

export interface VectorIndex {
  readonly dimension: number
  readonly size: number
  /** Bytes of memory, without the ids. */
  readonly bytes: number
  /** Adds a vector, in the place of an earlier one of this id. @throws RangeError for another dimension */
  put(id: string, vector: Float32Array): void
  has(id: string): boolean
  /** @returns false where there is none */
  delete(id: string): boolean
  /**
   * The nearest vectors, nearest first; of equals the one that was added first. Concurrent additions and deletions may
   * count or not.
   * @throws RangeError for another dimension or number of matches; API-009 when too many searches wait
   */
  search(query: VectorQuery): Promise<readonly VectorMatch[]>
}

export interface Vectors {
  /** An empty index. @param dimension numbers of each vector, 1 to 8,192 */
  create(dimension: number): VectorIndex
}
