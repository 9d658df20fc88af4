/**
 * Ends credentials before their time: effective in this process at the commit, in others when the live feed brings it
 * (about a second). While the feed is silent the table is asked for each request, and if that fails all are refused.
 * It does not end refresh tokens: sessions are rows of the identity module, which ends them there.
 * Tested in revocation.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Database, Tx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import { apiErrors } from '../errors/errors.ts'
import { ProblemError } from '../errors/problem.ts'
import type { ChangeSource } from '../live/changes.ts'
import { createCutoffs, type Revocable, type Revocation } from './cutoffs.ts'
import type { RevocationScope } from './port.ts'
import { revocationTable } from './tables.ts'
import { clockSkew } from './token-checks.ts'
import { accessLife } from './tokens.ts'

export interface RevocationList {
  start(): Promise<void>
  stop(): void
  /** False while the memory cannot be relied on; then only `isRevoked` answers. */
  isFresh(): boolean
  /** By memory alone. */
  covers(credential: Revocable): boolean
  /** By memory and, while that is stale, by the table. @throws API-009 */
  isRevoked(credential: Revocable): Promise<boolean>
  revoke(tx: Tx, scope: RevocationScope, subject: string): Promise<void>
}

export interface RevocationParts {
  readonly db: Pick<Database, 'system'>
  readonly clock: Clock
  readonly random: Pick<Random, 'uuid'>
  readonly changes: ChangeSource
  /** A reload or a clearing that failed; both are tried again. */
  readonly failed: (error: unknown) => void
}

export const revokedTopic = 'auth.revoked'

/** Milliseconds of silence after which the feed is not believed to be complete. */
const longestSilence = 5_000
/** How long a record matters: one access token's life and the skew of two clocks, both sides. */
const recordLife = (accessLife + 2 * clockSkew) * 1_000
const dayMs = 86_400_000

function removeOld({ clock, db, failed }: RevocationParts): void {
  const before = new Date(clock.now() - dayMs).toISOString()
  db.system('old revocations', (tx) => tx.execute(sql`delete from revocation where at < ${before}`)).catch(failed)
}

export function createRevocationList(parts: RevocationParts): RevocationList {
  const cutoffs = createCutoffs()
  const stops: (() => void)[] = []
  let complete = false
  let loading: Promise<void> | null = null

  const load = async (): Promise<void> => {
    const rows = await parts.db.system('revocations', (tx) => tx.query(recentRevocations(parts.clock.now())))
    for (const row of rows) cutoffs.add(fromRow(row))
    complete = true
  }
  const feedIsAlive = () => parts.changes.lastContactMs() <= longestSilence
  const isFresh = (): boolean => {
    const alive = feedIsAlive()
    // After an outage the feed repeats only half a minute; earlier revocations are only in the table.
    if (!alive) complete = false
    return alive && complete
  }
  const watch = (): void => {
    cutoffs.forgetBefore(parts.clock.now() - recordLife)
    if (isFresh() || !feedIsAlive() || loading !== null) return
    loading = load()
      .catch(parts.failed)
      .finally(() => {
        loading = null
      })
  }

  return {
    start: async () => {
      stops.push(parts.changes.on(revokedTopic, (_, data) => addAnnounced(cutoffs.add, data)))
      await load()
      stops.push(parts.clock.every(1_000, watch).stop, parts.clock.every(3_600_000, () => removeOld(parts)).stop)
    },
    stop: () => {
      for (const stop of stops.splice(0)) stop()
    },
    isFresh,
    covers: cutoffs.covers,
    isRevoked: async (credential) => cutoffs.covers(credential) || (!isFresh() && (await isInTable(parts, credential))),
    revoke: async (tx, scope, subject) => {
      const row = {
        id: parts.random.uuid(),
        scope,
        subject,
        // The newest session id this process could have given out: sessions made after this line are not covered.
        cutoff_sid: parts.random.uuid(),
        at: parts.clock.iso(),
      }
      await revocationTable.insert(tx, { tenant_id: tx.tenantId, ...row })
      await tx.announce(revokedTopic, subject, row)
    },
  }
}

interface RevocationRow {
  readonly scope: RevocationScope
  readonly subject: string
  readonly cutoff_sid: string
  readonly at: string
}

function recentRevocations(now: number) {
  return sql<RevocationRow>`
    select scope, subject, cutoff_sid, at
    from revocation
    where at > ${new Date(now - recordLife).toISOString()}
    order by at`
}

/** The fail-closed way: the same rule, asked of the table. Uses revocation_at. */
async function isInTable(parts: RevocationParts, credential: Revocable): Promise<boolean> {
  const { sub, tid, sid, keyId } = credential
  try {
    const row = await parts.db.system('revocation check', (tx) =>
      tx.first(sql<{ found: number }>`
        select 1 as found
        from revocation
        where at > ${new Date(parts.clock.now() - recordLife).toISOString()}
          and (
            (scope = 'key' and subject = ${keyId}::text)
            or (scope = 'session' and subject = ${sid}::text)
            or (cutoff_sid >= ${sid}::uuid and (
              (scope = 'user' and subject = ${sub}::text)
              or (scope = 'tenant' and subject = ${tid}::text)
              or scope = 'platform')))
        limit 1`),
    )
    return row !== null
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw apiErrors.unavailable({ what: 'Credentials cannot be checked at the moment.' }).causedBy(error)
  }
}

const scopes = ['session', 'user', 'tenant', 'platform', 'key'] as const satisfies readonly RevocationScope[]

/** Data of the feed went through JSON; a record that cannot be read is loud, because dropping it would keep a token alive. */
function addAnnounced(add: (revocation: Revocation) => void, data: Readonly<Record<string, unknown>>): void {
  const { subject, cutoff_sid: cutoffSid, at } = data
  const scope = scopes.find((name) => name === data.scope)
  if (scope === undefined || typeof subject !== 'string' || typeof cutoffSid !== 'string' || typeof at !== 'string') {
    throw new TypeError('a revocation was announced in an unknown form')
  }
  add({ scope, subject, cutoffSid, at: Date.parse(at) })
}

function fromRow(row: RevocationRow): Revocation {
  return { scope: row.scope, subject: row.subject, cutoffSid: row.cutoff_sid, at: Date.parse(row.at) }
}
