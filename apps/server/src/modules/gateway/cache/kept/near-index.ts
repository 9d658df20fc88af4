/**
 * Vectors of earlier questions in memory, read from their rows, so that similar ones are found without a database
 * extension. The search is exact within one context, which belongs to one partition of one tenant; rows of other
 * instances are found as soon as they are committed; and memory is bounded. A question whose row is gone may still be
 * found: the lookup of its answer then detects that there is none and reports it. Tested in near-index.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { VectorIndex } from '../../../../kernel/vectors/port.ts'
import { type Near, openVector } from './entry.ts'
import { lateMs, questionsOf, type SealedQuestion } from './statements.ts'

export interface Wanted extends Near {
  readonly tenantId: TenantId
  /** Minimum cosine. */
  readonly threshold: number
}

export interface NearIndex {
  /** Ids of the entries with similar questions, nearest first. */
  search(wanted: Wanted): Promise<readonly string[]>
  /** The row of this question is gone. */
  drop(context: string, id: string): void
  forget(tenantId: TenantId): void
}

type Parts = Pick<Kernel, 'tenantKeys' | 'vectors'> & {
  readonly read: (tenantId: TenantId, statement: Sql<SealedQuestion>) => Promise<readonly SealedQuestion[]>
  readonly maxBytes?: number
}

/** Questions of one context; the oldest are dropped. */
const mostQuestions = 20_000
/** Total bytes of vectors; the least recently used context is evicted. */
const mostBytes = 67_108_864
/** Maximum candidates to look up. */
const mostFound = 3

interface Loaded {
  readonly tenantId: TenantId
  /**
   * Oldest first, each with the dimension of its vector: another model under the same name may have a different one.
   */
  readonly questions: Map<string, number>
  /** By dimension. */
  readonly indexes: Map<number, VectorIndex>
  seenTo: number
  reading: Promise<void>
}

export function createNearIndex(parts: Parts): NearIndex {
  const contexts = new Map<string, Loaded>()
  const contextOf = ({ tenantId, context }: Wanted): Loaded => {
    const loaded = contexts.get(context) ?? fresh(tenantId)
    // Reinserted at the end: the most recently used context is evicted last.
    contexts.delete(context)
    contexts.set(context, loaded)
    return loaded
  }
  return {
    search: async (wanted) => {
      const loaded = contextOf(wanted)
      // Sequential, so that nothing is decrypted twice.
      const reading = loaded.reading.catch(() => {}).then(() => refresh(parts, loaded, wanted.context))
      loaded.reading = reading
      await reading
      shrink(contexts, parts.maxBytes ?? mostBytes)
      return nearest(loaded, wanted)
    },
    drop: (context, id) => {
      const loaded = contexts.get(context)
      if (loaded !== undefined) leave(loaded, id)
    },
    forget: (tenantId) => {
      for (const [context, loaded] of contexts) if (loaded.tenantId === tenantId) contexts.delete(context)
    },
  }
}

function fresh(tenantId: TenantId): Loaded {
  return { tenantId, questions: new Map(), indexes: new Map(), seenTo: 0, reading: Promise.resolve() }
}

async function refresh(parts: Parts, loaded: Loaded, context: string): Promise<void> {
  const since = new Date(Math.max(0, loaded.seenTo - lateMs)).toISOString()
  const rows = await parts.read(loaded.tenantId, questionsOf(context, { since, most: mostQuestions }))
  // Oldest first, so that the order of the map is that of age.
  for (const row of rows.toReversed()) {
    loaded.seenTo = Math.max(loaded.seenTo, Date.parse(row.created_at))
    if (loaded.questions.has(row.id)) continue
    enter(parts, loaded, { id: row.id, vector: await openVector(parts, loaded.tenantId, row) })
  }
  for (const id of loaded.questions.keys()) {
    if (loaded.questions.size <= mostQuestions) break
    leave(loaded, id)
  }
}

interface Question {
  readonly id: string
  readonly vector: Float32Array
}

function enter({ vectors }: Parts, { questions, indexes }: Loaded, { id, vector }: Question): void {
  const index = indexes.get(vector.length) ?? vectors.create(vector.length)
  indexes.set(vector.length, index)
  index.put(id, vector)
  questions.set(id, vector.length)
}

function leave({ questions, indexes }: Loaded, id: string): void {
  const dimension = questions.get(id)
  if (dimension === undefined) return
  questions.delete(id)
  indexes.get(dimension)?.delete(id)
}

const bytesOf = ({ indexes }: Loaded): number => [...indexes.values()].reduce((sum, { bytes }) => sum + bytes, 0)

function shrink(contexts: Map<string, Loaded>, maxBytes: number): void {
  let held = [...contexts.values()].reduce((sum, loaded) => sum + bytesOf(loaded), 0)
  for (const [context, loaded] of contexts) {
    if (held <= maxBytes) return
    contexts.delete(context)
    held -= bytesOf(loaded)
  }
}

async function nearest({ indexes }: Loaded, { vector, threshold: least }: Wanted): Promise<readonly string[]> {
  const found = await indexes.get(vector.length)?.search({ vector, top: mostFound, least })
  return found?.map(({ id }) => id) ?? []
}
