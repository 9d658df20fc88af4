/**
 * An audit entry is written in the transaction of the change it tells about: both exist or neither. It says who, from
 * where, what and with which outcome, and never holds a secret. Order and seal come later, from the sealer.
 * Tested in record.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { AuditFields } from '../db/port.ts'
import type { RecordContext } from '../db/recorders.ts'
import { type Insert, json, sql } from '../db/sql.ts'
import { storable } from '../db/storable.ts'
import { type AuditRecord, conceal } from './personal.ts'
import { type Digest, redacted } from './redact.ts'

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

/** One entry, redacted and storable, with what it says about persons beside it. */
export function auditRow(parts: AuditParts, context: RecordContext, { action, fields }: AuditAct): AuditRecord {
  const { actor, ip, userAgent, requestId, traceparent } = context.origin
  const tenantId = context.tenantId
  const entry = {
    tenant_id: tenantId,
    id: parts.random.uuid(),
    at: parts.clock.iso(),
    actor_kind: actor?.kind ?? ('system' as const),
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
    user_agent: text(userAgent),
    request_id: requestId,
    traceparent,
  }
  const persons = { actor: actor?.userId ?? fields.from ?? null, subject: fields.about ?? userTargeted(fields.target) }
  return conceal(entry, persons, () => Buffer.from(parts.random.bytes(saltBytes)).toString('base64url'))
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
  const insert = sql`
    given as (
      select * from jsonb_to_recordset(${json(rows)}::jsonb) as row (tenant_id uuid, id uuid, at timestamptz(3),
        actor_kind text, user_id uuid, key_id text, role text, home_tenant_id uuid, action text, target text,
        before jsonb, after jsonb, reason text, result text, ip text, user_agent text, request_id text,
        traceparent text, personal jsonb)),
    entry as (
      insert into audit_entry (tenant_id, id, at, actor_kind, user_id, key_id, role, home_tenant_id, action, target,
        before, after, reason, result, ip, user_agent, request_id, traceparent)
      select tenant_id, id, at, actor_kind, user_id, key_id, role, home_tenant_id, action, target,
        nullif(before, 'null'), nullif(after, 'null'), reason, result, ip, user_agent, request_id, traceparent
      from given),
    beside as (
      insert into audit_personal (tenant_id, entry_id, subject_id, salt, opened)
      select given.tenant_id, given.id, own.subject_id, own.salt, own.opened
      from given, jsonb_to_recordset(given.personal) as own (subject_id uuid, salt text, opened jsonb)),
    pending as (
      insert into audit_pending (tenant_id, id) select tenant_id, id from given)`
  return { insert }
}

function stored(value: unknown, digest: Digest): unknown {
  return value === undefined || value === null ? null : redacted(value, digest)
}

function text(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : storable(value)
}
