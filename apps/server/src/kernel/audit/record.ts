/**
 * An audit entry is written in the transaction of the change it tells about: both exist or neither. It records
 * actor, origin, action and outcome, and never holds a secret. Order and seal come later, from the sealer.
 * Tested in record.test.ts.
 */

import type { Actor } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { AuditFields } from '../db/port.ts'
import type { RecordContext } from '../db/recorders.ts'
import { insertRows } from '../db/rows.ts'
import { type Insert, sql } from '../db/sql.ts'
import { storable } from '../db/storable.ts'
import { type AuditRecord, conceal } from './personal.ts'
import { type Digest, redacted } from './redact.ts'
import { type AuditEntryRow, auditEntry, auditPending, auditPersonal } from './tables.ts'

export interface AuditParts {
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'uuid' | 'bytes'>
  /** Keyed digest of a secret; a plain hash of a password could be guessed. */
  readonly digest: Digest
}

export interface AuditAct {
  readonly action: string
  readonly fields: AuditFields
}

const saltBytes = 16

/** One entry, redacted and storable, with its statements about persons beside it. */
export function auditRow(parts: AuditParts, context: RecordContext, { action, fields }: AuditAct): AuditRecord {
  const { actor, ip, userAgent, requestId, traceparent } = context.origin
  const tenantId = context.tenantId
  const job = actor?.job ?? null
  const entry = {
    tenant_id: tenantId,
    id: parts.random.uuid(),
    at: parts.clock.iso(),
    actor_kind: kindOf(actor),
    user_id: actor?.userId ?? null,
    key_id: actor?.keyId ?? null,
    role: actor?.role ?? null,
    home_tenant_id: actor !== null && actor.homeTenantId !== tenantId ? actor.homeTenantId : null,
    action,
    target: storable(fields.target),
    before: stored(fields.before, parts.digest),
    after: stored(fields.after, parts.digest),
    reason: text(fields.reason),
    result: fields.result ?? ('success' as const),
    ip,
    // A job that acts on behalf of the user stands where a request and its program would.
    user_agent: text(userAgent ?? (job === null ? null : `parapet-job/${job.kind}`)),
    request_id: requestId ?? (job === null ? null : `job_${job.id}`),
    traceparent,
  }
  const persons = { actor: actor?.userId ?? fields.from ?? null, subject: fields.about ?? userTargeted(fields.target) }
  return conceal(entry, persons, () => Buffer.from(parts.random.bytes(saltBytes)).toString('base64url'))
}

function kindOf(actor: Actor | null): AuditEntryRow['actor_kind'] {
  if (actor === null) return 'system'
  return actor.kind === 'job' ? 'user' : actor.kind
}

const userTarget = /^user:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function userTargeted(target: string): string | null {
  return userTarget.exec(target)?.[1] ?? null
}

/**
 * Adds any number of entries and puts them in line for their seals, as part of a statement: its text is the same for one
 * and for hundreds, so it is prepared once.
 */
export function auditInserts(rows: readonly AuditRecord[]): Insert {
  const ids = rows.map(({ tenant_id, id }) => ({ tenant_id, id }))
  const personal = rows.flatMap((row) =>
    row.personal.map((own) => ({ tenant_id: row.tenant_id, entry_id: row.id, ...own })),
  )
  const insert = sql`
    entry as (${insertRows(auditEntry, rows)}),
    beside as (${insertRows(auditPersonal, personal, ['tenant_id', 'entry_id', 'subject_id', 'salt', 'opened'])}),
    pending as (${insertRows(auditPending, ids)})`
  return { insert }
}

function stored(value: unknown, digest: Digest): unknown {
  return value === undefined || value === null ? null : redacted(value, digest)
}

function text(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : storable(value)
}
