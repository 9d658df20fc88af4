/**
 * Vectors of earlier questions in memory, read from their rows, so that near ones are found without an extension of the
 * database. Promises an exact search within one context, which belongs to one partition of one tenant; that rows of other
 * instances are found as soon as they are committed; and bounded memory. A question whose row is gone may still be found:
 * who looks up its answer sees that there is none, and says so. Tested in near-index.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { type Near, openVector } from './entry.ts'
import { lateMs, questionsOf, type SealedQuestion } from './statements.ts'

export interface Wanted extends Near {
  readonly tenantId: TenantId
  /** Least cosine. */
  readonly threshold: number
}

export interface NearIndex {
  /** Ids of the entries whose question is near, nearest first. */
  search(wanted: Wanted): Promise<readonly string[]>
  /** The row of this question is gone. */
  drop(context: string, id: string): void
  forget(tenantId: TenantId): void
}

type Parts = Pick<Kernel, 'tenantKeys' | 'clock'> & {
  readonly read: (tenantId: TenantId, statement: Sql<SealedQuestion>) => Promise<readonly SealedQuestion[]>
  readonly maxBytes?: number
}

/** Questions of one context; the oldest are left out. */
const mostQuestions = 20_000
/** Bytes of vectors held in all; the context that was used longest ago leaves. */
const mostBytes = 67_108_864
/** Products after which others get their turn: about half a millisecond. */
const slice = 500_000
/** Candidates worth looking up. */
const mostFound = 3

interface Loaded {
  readonly tenantId: TenantId
  readonly vectors: Map<string, Float32Array>
  seenTo: number
  bytes: number
  reading: Promise<void>
}

export function createNearIndex(parts: Parts): NearIndex {
  const contexts = new Map<string, Loaded>()
  const contextOf = ({ tenantId, context }: Wanted): Loaded => {
    const loaded = contexts.get(context) ?? fresh(tenantId)
    // Last used, last to leave.
    contexts.delete(context)
    contexts.set(context, loaded)
    return loaded
  }
  return {
    search: async (wanted) => {
      const loaded = contextOf(wanted)
      // One after the other, so that nothing is opened twice.
      const reading = loaded.reading.catch(() => {}).then(() => refresh(parts, loaded, wanted.context))
      loaded.reading = reading
      await reading
      shrink(contexts, parts.maxBytes ?? mostBytes)
      return nearest(parts.clock, loaded, wanted)
    },
    drop: (context, id) => {
      const loaded = contexts.get(context)
      const vector = loaded?.vectors.get(id)
      if (loaded === undefined || vector === undefined) return
      loaded.bytes -= vector.byteLength
      loaded.vectors.delete(id)
    },
    forget: (tenantId) => {
      for (const [context, loaded] of contexts) if (loaded.tenantId === tenantId) contexts.delete(context)
    },
  }
}

function fresh(tenantId: TenantId): Loaded {
  return { tenantId, vectors: new Map(), seenTo: 0, bytes: 0, reading: Promise.resolve() }
}

async function refresh(parts: Parts, loaded: Loaded, context: string): Promise<void> {
  const since = new Date(Math.max(0, loaded.seenTo - lateMs)).toISOString()
  const rows = await parts.read(loaded.tenantId, questionsOf(context, { since, most: mostQuestions }))
  // Oldest first, so that the order of the map is that of age.
  for (const row of rows.toReversed()) {
    loaded.seenTo = Math.max(loaded.seenTo, Date.parse(row.created_at))
    if (loaded.vectors.has(row.id)) continue
    const vector = await openVector(parts, loaded.tenantId, row)
    loaded.vectors.set(row.id, vector)
    loaded.bytes += vector.byteLength
  }
  for (const [id, vector] of loaded.vectors) {
    if (loaded.vectors.size <= mostQuestions) break
    loaded.vectors.delete(id)
    loaded.bytes -= vector.byteLength
  }
}

function shrink(contexts: Map<string, Loaded>, maxBytes: number): void {
  let held = [...contexts.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  for (const [context, { bytes }] of contexts) {
    if (held <= maxBytes) return
    contexts.delete(context)
    held -= bytes
  }
}

interface Found {
  readonly id: string
  readonly cosine: number
}

async function nearest(clock: Pick<Kernel['clock'], 'after'>, loaded: Loaded, wanted: Wanted): Promise<string[]> {
  const found: Found[] = []
  let products = 0
  for (const [id, vector] of loaded.vectors) {
    // Another model's, under the same name.
    if (vector.length !== wanted.vector.length) continue
    const cosine = dot(vector, wanted.vector)
    if (cosine >= wanted.threshold) found.push({ id, cosine })
    products += vector.length
    if (products < slice) continue
    products = 0
    await new Promise<void>((resolve) => void clock.after(0, resolve))
  }
  found.sort((a, b) => b.cosine - a.cosine)
  return found.slice(0, mostFound).map(({ id }) => id)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
