/**
 * Kept answers in the database. Promises that an answer is found by its own tenant only, that what is purged is not kept
 * again by a call that began before, and that an answer which is not yet stored when the process dies is only a miss; many
 * answers share a commit. Tested in cache.test.ts and purge.test.ts.
 */
import type { TenantId } from '../../../kernel/auth/actor.ts'
import { isUnavailable } from '../../../kernel/db/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { createGroupCommit } from '../records/group-commit.ts'
import { type CachedAnswer, type EntryFacts, entryRow, type Near, openAnswer } from './entry.ts'
import { createLookups } from './lookups.ts'
import { createNearIndex } from './near-index.ts'
import { answerOfId, insertEntries, type KeyedAnswer, newestOfKeys } from './statements.ts'
import type { CacheEntryRow } from './tables.ts'
import { createTrimmer } from './trim.ts'

export interface Place {
  readonly tenantId: TenantId
  /** How old the answer may be, in milliseconds. */
  readonly maxAgeMs: number
}

export interface Kept {
  readonly facts: EntryFacts
  readonly answer: CachedAnswer
  readonly near: Near | null
  /** Unix milliseconds at which the call began. */
  readonly askedAtMs: number
  /** What the tenant's answers may take. */
  readonly maxBytes: number
}

export interface AnswerStore {
  byKey(place: Place, key: string): Promise<CachedAnswer | null>
  /** Of the nearest question that is near enough. */
  byLikeness(place: Place, near: Near, threshold: number): Promise<CachedAnswer | null>
  keep(kept: Kept): Promise<void>
  drained(): Promise<void>
}

/** Told to every instance when answers were purged. */
export const purgeTopic = 'gateway.cache.purge'
/** Tenants whose last purge is remembered. */
const mostPurges = 10_000

export function createAnswerStore(kernel: Kernel): AnswerStore {
  const commits = createGroupCommit<CacheEntryRow>({
    flush: (rows) => kernel.db.appendUnsynced([insertEntries(rows)]),
    isOutage: isUnavailable,
  })
  const index = createNearIndex({
    tenantKeys: kernel.tenantKeys,
    clock: kernel.clock,
    read: (tenantId, statement) => kernel.db.read(tenantId, statement),
  })
  const trimmer = createTrimmer(kernel)
  const purges = new Map<TenantId, number>()
  kernel.live.on(purgeTopic, (_key, _data, tenantId) => {
    index.forget(tenantId)
    purges.delete(tenantId)
    purges.set(tenantId, kernel.clock.now())
    const [oldest] = purges.keys()
    if (purges.size > mostPurges && oldest !== undefined) purges.delete(oldest)
  })
  const newest = createLookups<KeyedAnswer>(async (tenantId, keys) => {
    const rows = await kernel.db.read(tenantId, newestOfKeys(keys, kernel.clock.iso()))
    return new Map(rows.map((row) => [row.key, row]))
  })
  return {
    byKey: async ({ tenantId, maxAgeMs }, key) => {
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
      if (row === null || askedAtMs <= (purges.get(tenantId) ?? 0)) return
      await commits.add(row)
      await trimmer.added(tenantId, { bytes: row.bytes, maxBytes })
    },
    drained: () => commits.drained(),
  }
}

function lifeAt({ clock }: Pick<Kernel, 'clock'>, maxAgeMs: number) {
  const now = clock.now()
  return { now: new Date(now).toISOString(), notBefore: new Date(Math.max(0, now - maxAgeMs)).toISOString() }
}
