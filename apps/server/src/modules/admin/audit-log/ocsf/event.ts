/**
 * An audit entry as an event of the Open Cybersecurity Schema Framework. Promises the members that the event's class
 * requires, in the version that `metadata.version` names, and the whole entry in `unmapped`: nothing is lost, and the
 * chain can still be verified from it. Names of people are not looked up: users are told by their ids.
 * Tested in event.test.ts.
 */
import { version as productVersion } from '../../../../version.ts'
import type { AuditEntry } from '../schemas/audit-log.ts'
import { actOf } from './acts.ts'
import { type ClassName, classification, ocsfVersion } from './classes.ts'

type Members = Readonly<Record<string, unknown>>

export function ocsfEvent(entry: AuditEntry): Members {
  const [className, activity] = actOf(entry.action)
  const at = Date.parse(entry.at)
  return {
    ...classification(className, activity),
    ...severityOf(entry),
    ...statusOf(entry),
    time: at,
    metadata: metadataOf(entry),
    actor: actorOf(entry),
    // A class may require an endpoint; for a change without an address we know only the service that made it.
    src_endpoint: entry.ip === null ? { svc_name: 'parapet' } : { ip: entry.ip },
    ...(entry.user_agent === null ? {} : { http_request: { user_agent: entry.user_agent } }),
    ...subjectOf[className](entry),
    unmapped: entry,
  }
}

const severityOf = ({ result }: AuditEntry): Members =>
  result === 'success' ? { severity_id: 1, severity: 'Informational' } : { severity_id: 2, severity: 'Low' }

/** Status members of the schema's base event; a refusal is a failure with a reason. */
function statusOf({ result, reason }: AuditEntry): Members {
  const detail = reason === null ? {} : { status_detail: reason }
  return result === 'success'
    ? { status_id: 1, status: 'Success', ...detail }
    : { status_id: 2, status: 'Failure', status_code: result, ...detail }
}

function metadataOf({ id, tenant_id: tenantId, action, seq, request_id: requestId, sealed_at: sealedAt }: AuditEntry) {
  return {
    version: ocsfVersion,
    product: { name: 'Parapet', vendor_name: 'Parapet', version: productVersion, feature: { name: 'audit' } },
    uid: id,
    tenant_uid: tenantId,
    event_code: action,
    log_name: 'audit_log',
    ...(seq === null ? {} : { sequence: seq }),
    ...(requestId === null ? {} : { correlation_uid: requestId }),
    ...(sealedAt === null ? {} : { logged_time: Date.parse(sealedAt) }),
  }
}

function actorOf(entry: AuditEntry): Members {
  const { actor_kind: kind, user_id: userId, key_id: keyId, role } = entry
  if (kind === 'system' || userId === null) return { app_name: 'parapet' }
  return {
    user: {
      uid: userId,
      ...(keyId === null ? {} : { credential_uid: keyId }),
      ...typed(kind),
    },
    ...(role === null ? {} : { iam_role: { name: role } }),
  }
}

const typed = (kind: 'user' | 'api_key'): Members =>
  kind === 'user' ? { type_id: 1, type: 'User' } : { type_id: 4, type: 'Service' }

/** Subject of each class, which the class requires. */
const subjectOf: Readonly<Record<ClassName, (entry: AuditEntry) => Members>> = {
  authentication: (entry) => ({ user: personOf(entry), service: { name: 'parapet' }, ...sessionOf(entry) }),
  user_management: (entry) => ({ user: personOf(entry) }),
  group_management: ({ target }) => ({ group: named(target) }),
  role_management: ({ target }) => ({ iam_role: named(target) }),
  api_activity: ({ action, target, request_id: requestId }) => ({
    api: {
      operation: action,
      service: { name: action.split('.')[0] ?? 'parapet' },
      ...(requestId === null ? {} : { request: { uid: requestId } }),
    },
    resources: [{ type: kindOf(target), uid: idOf(target) }],
  }),
}

/** The person who signs in or whose account it is: the target, else the user in the entry, else the actor. */
function personOf({ target, after, user_id: userId }: AuditEntry): Members {
  const uid = (kindOf(target) === 'user' ? idOf(target) : null) ?? memberOf(after, 'user_id') ?? userId
  return uid === null ? { name: 'unknown', type_id: 0, type: 'Unknown' } : { uid }
}

const sessionOf = ({ target }: AuditEntry): Members =>
  kindOf(target) === 'session' ? { session: { uid: idOf(target) } } : {}

const named = (target: string): Members => ({ uid: idOf(target) })

/** A target is written `kind:id`. */
const kindOf = (target: string): string => target.slice(0, Math.max(0, target.indexOf(':'))) || 'unknown'
const idOf = (target: string): string => target.slice(target.indexOf(':') + 1)

function memberOf(value: unknown, name: string): string | null {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
  return typeof member === 'string' ? member : null
}
