/**
 * An audit entry is written in the transaction of the change it tells about: both exist or neither. It says who, from
 * where, what and with which outcome, and never holds a secret. Order and seal come later, from the sealer.
 * Tested in record.test.ts.
 */
import type { Random } from '../crypto/random.ts'
import type { AuditFields } from '../db/port.ts'
import { json, type Sql, sql } from '../db/sql.ts'
import type { RecordContext } from '../events/outbox.ts'
import type { Clock } from '../kernel.ts'
import { type Digest, redacted, storable } from './redact.ts'

export interface AuditParts {
  readonly clock: Pick<Clock, 'iso'>
  readonly random: Pick<Random, 'uuid'>
  /** Keyed digest of a secret; a plain hash of a password could be guessed. */
  readonly digest: Digest
}

/** The statement that adds one entry and puts it in line for its seal. */
export function auditInsert(
  parts: AuditParts,
  context: RecordContext,
  entry: { readonly action: string; readonly fields: AuditFields },
): Sql {
  const { action, fields } = entry
  const { actor, ip, userAgent, requestId, traceparent } = context.origin
  const tenantId = context.tenantId
  const id = parts.random.uuid()
  const home = actor !== null && actor.homeTenantId !== tenantId ? actor.homeTenantId : null
  return sql`
    with entry as (
      insert into audit_entry (tenant_id, id, at, actor_kind, user_id, key_id, role, home_tenant_id, action, target,
        before, after, reason, result, ip, user_agent, request_id, traceparent)
      values (${tenantId}, ${id}, ${parts.clock.iso()}, ${actor?.kind ?? 'system'}, ${actor?.userId ?? null},
        ${actor?.keyId ?? null}, ${actor?.role ?? null}, ${home}, ${action}, ${storable(fields.target)},
        ${stored(fields.before, parts.digest)}, ${stored(fields.after, parts.digest)},
        ${text(fields.reason)}, ${fields.result ?? 'success'}, ${ip}, ${text(userAgent)}, ${requestId}, ${traceparent}))
    insert into audit_pending (tenant_id, id) values (${tenantId}, ${id})`
}

function stored(value: unknown, digest: Digest): string | null {
  return value === undefined || value === null ? null : json(redacted(value, digest))
}

function text(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : storable(value)
}
