/**
 * Kept answers in the database. An answer is found only by its own tenant, purged content is not stored again by a call
 * that began before the purge, and an answer not yet stored when the process dies is only a cache miss; many answers
 * share a commit. Tested in cache.test.ts and purge.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { createGroupCommit } from '../../../../kernel/commits/group-commit.ts'
import { isUnavailable } from '../../../../kernel/db/errors.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { type CachedAnswer, type EntryFacts, entryRow, type Near, openAnswer } from './entry.ts'
import { keyDigits } from './key-filter.ts'
import { createKnownKeys } from './known-keys.ts'
import { createLookups } from './lookups.ts'
import { createNearIndex } from './near-index.ts'
import { createPurges, purgeTopic } from './purges.ts'
import { answerOfId, type Filled, insertEntries, type KeyedAnswer, keysSince, newestOfKeys } from './statements.ts'
import { createTrimmer } from './trim.ts'

export interface Place {
  readonly tenantId: TenantId
  /** Maximum age of the answer, in milliseconds. */
  readonly maxAgeMs: number
}

export interface Kept {
  readonly facts: EntryFacts
  readonly answer: CachedAnswer
  readonly near: Near | null
  /** Unix milliseconds at which the call began. */
  readonly askedAtMs: number
  /** Maximum bytes for the tenant's answers. */
  readonly maxBytes: number
}

export interface AnswerStore {
  byKey(place: Place, key: string): Promise<CachedAnswer | null>
  /** Answer to the nearest question within the threshold. */
  byLikeness(place: Place, near: Near, threshold: number): Promise<CachedAnswer | null>
  keep(kept: Kept): Promise<void>
  /** Whether the tenant's content of that time, in Unix milliseconds, has been purged since. */
  isPurged(tenantId: TenantId, at: number): boolean
  drained(): Promise<void>
}

/** Milliseconds for which answers are collected before a write. */
const gatherMs = 100
/** The embedded database has no other writers. */
const refreshMs = { pg: 500, pglite: 60_000 } as const

export function createAnswerStore(kernel: Kernel): AnswerStore {
  const purges = createPurges(kernel)
  const commits = createGroupCommit<Filled>({
    flush: (filled) => kernel.db.appendUnsynced(insertEntries(filled)),
    isOutage: isUnavailable,
    // No call waits for the write: equal calls meanwhile get the answer from the flight.
    gather: { clock: kernel.clock, ms: gatherMs },
  })
  const known = createKnownKeys({
    clock: kernel.clock,
    background: kernel.background,
    refreshMs: refreshMs[kernel.db.kind],
    read: async (tenantId, since) => {
      const [page] = await kernel.db.read(tenantId, keysSince(since, keyDigits))
      return page ?? { prefixes: '', newest: null, isLast: true }
    },
  })
  const index = createNearIndex({
    tenantKeys: kernel.tenantKeys,
    vectors: kernel.vectors,
    read: (tenantId, statement) => kernel.db.read(tenantId, statement),
  })
  const trimmer = createTrimmer(kernel)
  kernel.live.on(purgeTopic, (_key, _data, tenantId) => index.forget(tenantId))
  const newest = createLookups<KeyedAnswer>(async (tenantId, keys) => {
    const rows = await kernel.db.read(tenantId, newestOfKeys(keys, kernel.clock.iso()))
    return new Map(rows.map((row) => [row.key, row]))
  })
  return {
    byKey: async ({ tenantId, maxAgeMs }, key) => {
      if (!known.mayHold(tenantId, key)) return null
      const row = await newest(tenantId, key)
      const isYoung = row !== undefined && Date.parse(row.created_at) >= kernel.clock.now() - maxAgeMs
      return isYoung ? openAnswer(kernel, tenantId, row) : null
    },
    byLikeness: async ({ tenantId, maxAgeMs }, near, threshold) => {
      for (const id of await index.search({ ...near, tenantId, threshold })) {
        const [row] = await kernel.db.read(tenantId, answerOfId(id, lifeAt(kernel, maxAgeMs)))
        if (row !== undefined) return openAnswer(kernel, tenantId, row)
        index.drop(near.context, id)
      }
      return null
    },
    keep: async ({ facts, answer, near, askedAtMs, maxBytes }) => {
      const tenantId = facts.tenant_id as TenantId
      const row = await entryRow(kernel, facts, { answer, near })
      if (row === null || purges.covers(tenantId, askedAtMs)) return
      known.added(tenantId, row.key)
      await commits.add({ row, askedAtMs })
      await trimmer.added(tenantId, { bytes: row.bytes, maxBytes })
    },
    isPurged: purges.covers,
    drained: () => commits.drained(),
  }
}

function lifeAt({ clock }: Pick<Kernel, 'clock'>, maxAgeMs: number) {
  const now = clock.now()
  return { now: new Date(now).toISOString(), notBefore: new Date(Math.max(0, now - maxAgeMs)).toISOString() }
}
