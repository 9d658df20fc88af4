/** PagerDuty Events API v2: trigger, acknowledge and resolve with one `dedup_key`. Tested in http-kinds.test.ts. */
import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import { Secret, Url } from './fields.ts'
import { cut, defineKind, jsonHeaders } from './kind.ts'

const severities = { critical: 'critical', high: 'error', medium: 'warning', low: 'info', info: 'info' } as const
const standard = 'https://events.pagerduty.com/v2/enqueue'

export const pagerduty = defineKind({
  kind: 'pagerduty',
  title: 'PagerDuty',
  description: 'An incident that later events of the same thing acknowledge and resolve (Events API v2).',
  config: strictObject({ url: Type.Optional(Url) }),
  credentials: strictObject({ routing_key: Secret }),
  transport: {
    type: 'http',
    destination: ({ url }) => url ?? standard,
    request: ({ message, config, credentials }) => ({
      url: config.url ?? standard,
      method: 'POST',
      headers: jsonHeaders,
      body: JSON.stringify({
        routing_key: credentials.routing_key,
        event_action: message.action,
        dedup_key: message.key,
        client: 'Parapet',
        ...(message.url === null ? {} : { client_url: message.url }),
        payload: {
          summary: cut(message.title, 1_024),
          source: `parapet/${message.tenant_id}`,
          severity: severities[message.severity],
          timestamp: message.time,
          component: message.channel.split('.')[0],
          group: message.channel,
          class: message.type,
          custom_details: { message_id: message.id, text: message.text },
        },
        ...(message.url === null ? {} : { links: [{ href: message.url, text: 'Open in Parapet' }] }),
      }),
    }),
  },
})
