/**
 * A message as an event of the Open Cybersecurity Schema Framework 1.9, class Detection Finding (2004), and its delivery by
 * HTTP. Tested in http-kinds.test.ts.
 */
import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import { version as productVersion } from '../../../version.ts'
import type { MessageAction, OutgoingMessage } from '../declared/message.ts'
import { Secret, Url } from './fields.ts'
import { defineKind, jsonHeaders } from './kind.ts'

const severityIds = {
  critical: [5, 'Critical'],
  high: [4, 'High'],
  medium: [3, 'Medium'],
  low: [2, 'Low'],
  info: [1, 'Informational'],
} as const
const activities: Readonly<Record<MessageAction, readonly [id: number, name: string, status: number]>> = {
  trigger: [1, 'Create', 1],
  acknowledge: [2, 'Update', 2],
  resolve: [3, 'Close', 4],
}

export function ocsfFinding(message: OutgoingMessage): Readonly<Record<string, unknown>> {
  const [severityId, severity] = severityIds[message.severity]
  const [activityId, activity, statusId] = activities[message.action]
  const time = Date.parse(message.time)
  return {
    ...{ category_uid: 2, category_name: 'Findings', class_uid: 2004, class_name: 'Detection Finding' },
    ...{ activity_id: activityId, activity_name: activity, type_uid: 200_400 + activityId },
    type_name: `Detection Finding: ${activity}`,
    ...{ severity_id: severityId, severity, status_id: statusId, is_alert: message.severity !== 'info', time },
    message: message.text === '' ? message.title : message.text,
    metadata: {
      version: '1.9.0',
      uid: message.id,
      event_code: message.channel,
      tenant_uid: message.tenant_id,
      logged_time: time,
      product: { name: 'Parapet', vendor_name: 'Parapet', version: productVersion },
    },
    finding_info: {
      uid: message.key,
      title: message.title,
      created_time: time,
      types: [message.channel],
      ...(message.url === null ? {} : { src_url: message.url }),
    },
    unmapped: { event: message.event },
  }
}

export const ocsfHttp = defineKind({
  kind: 'ocsf_http',
  title: 'OCSF over HTTP',
  description: 'Detection Findings of OCSF 1.9 as JSON, to any collector that takes them by POST.',
  config: strictObject({
    url: Url,
    header: Type.Optional(
      Type.String({ maxLength: 60, pattern: '^[A-Za-z][A-Za-z0-9-]*$', description: 'Default: Authorization' }),
    ),
  }),
  credentials: strictObject({ header_value: Type.Optional(Secret) }),
  transport: {
    type: 'http',
    destination: ({ url }) => url,
    request: ({ message, config, credentials }) => ({
      url: config.url,
      method: 'POST',
      headers: {
        ...jsonHeaders,
        ...(credentials.header_value === undefined
          ? {}
          : { [(config.header ?? 'authorization').toLowerCase()]: credentials.header_value }),
      },
      body: JSON.stringify(ocsfFinding(message)),
    }),
  },
})
