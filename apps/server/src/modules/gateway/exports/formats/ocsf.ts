/**
 * A logged call as an event of the Open Cybersecurity Schema Framework, class API Activity. Has the members required by
 * the class, in the version given in `metadata.version`; fields without a counterpart in the class are in `unmapped`.
 * Tested in formats.test.ts.
 */
import { version as productVersion } from '../../../../version.ts'
import type { RequestSummary } from '../../schemas/request.ts'
import type { ExportedCall } from './exported-call.ts'

/** Version of the schema. Upgraded only deliberately, because consumers choose their parser by it. */
export const ocsfVersion = '1.3.0'

const category = 6
const apiActivity = 6003
/** A model call does not create, read, update or delete a resource of the gateway. */
const otherActivity = 99

export function ocsfEvent(
  { call, ip, payload }: ExportedCall,
  withPayload: boolean,
): Readonly<Record<string, unknown>> {
  return {
    category_uid: category,
    category_name: 'Application Activity',
    class_uid: apiActivity,
    class_name: 'API Activity',
    activity_id: otherActivity,
    activity_name: 'Model Call',
    type_uid: apiActivity * 100 + otherActivity,
    type_name: 'API Activity: Model Call',
    ...severityOf(call),
    ...outcomeOf(call),
    ...controlOf(call),
    time: Date.parse(call.created_at),
    start_time: Date.parse(call.created_at),
    end_time: Date.parse(call.updated_at),
    duration: Math.round(call.timings.total_ms),
    metadata: {
      version: ocsfVersion,
      profiles: ['security_control'],
      product: { name: 'Parapet', vendor_name: 'Parapet', version: productVersion, feature: { name: 'gateway' } },
      uid: call.id,
      tenant_uid: call.tenant_id,
      correlation_uid: call.trace_id ?? call.request_id,
      log_name: 'gateway_request',
      logged_time: Date.parse(call.updated_at),
    },
    actor: {
      user: { uid: call.user_id, ...(call.key_id === null ? {} : { credential_uid: call.key_id }) },
      ...(call.session_id === null ? {} : { session: { uid: call.session_id } }),
    },
    api: {
      operation: call.operation,
      service: { name: call.dialect },
      request: { uid: call.request_id },
      ...(call.error_code === null ? {} : { response: { error: call.error_code } }),
    },
    // The class requires an endpoint; for a call without an address, the known endpoint is the service that received
    // it.
    src_endpoint: ip === null ? { svc_name: 'gateway' } : { ip },
    ...(call.provider === null ? {} : { dst_endpoint: { svc_name: call.provider } }),
    ...(call.model === null ? {} : { resources: [{ type: 'model', name: call.model }] }),
    unmapped: withPayload ? { ...call, payload } : call,
  }
}

/** Ids from the schema's base event. */
function outcomeOf({ status, error_code: code }: RequestSummary) {
  const detail = code === null ? {} : { status_code: code }
  return status === 'completed'
    ? { status_id: 1, status: 'Success', ...detail }
    : { status_id: 2, status: 'Failure', ...detail }
}

function severityOf({ decision, status }: RequestSummary) {
  if (decision === 'blocked') return { severity_id: 3, severity: 'Medium' }
  return decision !== 'allowed' || status !== 'completed'
    ? { severity_id: 2, severity: 'Low' }
    : { severity_id: 1, severity: 'Informational' }
}

/** Action of the gateway, in the terms of the profile Security Control. */
function controlOf({ decision }: RequestSummary) {
  return decision === 'blocked'
    ? { action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' }
    : { action_id: 1, action: 'Allowed', disposition_id: 1, disposition: 'Allowed' }
}
