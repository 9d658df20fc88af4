/** Standard Webhooks 1.0.0 with a CloudEvent as the body. Tested in http-kinds.test.ts. */
import { strictObject } from '../../../kernel/schema/types.ts'
import { signedHeaders } from '../../../kernel/webhooks/sign.ts'
import { Url } from './fields.ts'
import { defineKind } from './kind.ts'

export const webhook = defineKind({
  kind: 'webhook',
  title: 'Webhook',
  description:
    'Signed HTTP requests (Standard Webhooks 1.0.0, HMAC-SHA-256) with CloudEvents 1.0 as the body. The secret is made by Parapet and shown once.',
  config: strictObject({ url: Url }),
  credentials: strictObject({}),
  transport: {
    type: 'http',
    destination: ({ url }) => url,
    request: ({ message, config, secrets, nowMs }) => {
      const body = JSON.stringify(message.event)
      return {
        url: config.url,
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/cloudevents+json; charset=utf-8',
          'user-agent': 'Parapet-Webhooks',
          ...signedHeaders({ id: message.id, body, secrets }, nowMs),
        },
      }
    },
  },
})
