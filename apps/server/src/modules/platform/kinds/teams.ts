/** Microsoft Teams, as an Adaptive Card 1.5 to the webhook of a workflow. Tested in http-kinds.test.ts. */
import { strictObject } from '../../../kernel/schema/types.ts'
import type { OutgoingMessage } from '../declared/message.ts'
import { Url } from './fields.ts'
import { cut, defineKind, jsonHeaders } from './kind.ts'

const colors = { critical: 'attention', high: 'attention', medium: 'warning', low: 'accent', info: 'default' } as const

function cardOf({ title, text, url, severity, channel, time }: OutgoingMessage): object {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    body: [
      {
        type: 'TextBlock',
        text: cut(title, 200),
        size: 'large',
        weight: 'bolder',
        wrap: true,
        color: colors[severity],
      },
      ...(text === '' ? [] : [{ type: 'TextBlock', text: cut(text, 4_000), wrap: true }]),
      {
        type: 'FactSet',
        facts: [
          { title: 'Severity', value: severity },
          { title: 'Event', value: channel },
          { title: 'Time', value: time },
        ],
      },
    ],
    actions: url === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url }],
  }
}

export const teams = defineKind({
  kind: 'teams',
  title: 'Microsoft Teams',
  description: 'An Adaptive Card for each event, to the webhook of a workflow in Teams.',
  config: strictObject({}),
  credentials: strictObject({ webhook_url: Url }),
  transport: {
    type: 'http',
    destination: (_config, { webhook_url: url }) => url,
    request: ({ message, credentials }) => ({
      url: credentials.webhook_url,
      method: 'POST',
      headers: jsonHeaders,
      body: JSON.stringify({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: cardOf(message),
          },
        ],
      }),
    }),
  },
})
