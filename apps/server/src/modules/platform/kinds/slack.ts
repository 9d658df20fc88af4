/**
 * Slack, as Block Kit: by an incoming webhook, or by `chat.postMessage` with a bot token. Text of others is escaped as Slack
 * asks, so that it makes neither links nor mentions. Tested in http-kinds.test.ts.
 */
import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { OutgoingMessage } from '../declared/message.ts'
import { Secret, Url, Word } from './fields.ts'
import { cut, defineKind, jsonHeaders } from './kind.ts'

const colors = { critical: '#b00020', high: '#d9480f', medium: '#e8a200', low: '#3b82f6', info: '#6b7280' } as const

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function blocksOf({ title, text, url, severity, channel }: OutgoingMessage): readonly object[] {
  return [
    { type: 'header', text: { type: 'plain_text', text: cut(title, 150), emoji: false } },
    ...(text === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: cut(escaped(text), 3_000) } }]),
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', text: cut(escaped(`${severity} · ${channel}`), 2_000) }],
    },
    ...(url === null
      ? []
      : [{ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url }] }]),
  ]
}

const post = 'https://slack.com/api/chat.postMessage'

export const slack = defineKind({
  kind: 'slack',
  title: 'Slack',
  description:
    'A message for each event: with `webhook_url` of an incoming webhook, or with a `bot_token` to the channel of the configuration.',
  config: strictObject({
    channel: Type.Optional(Word),
    api_url: Type.Optional(Url),
  }),
  credentials: strictObject({ webhook_url: Type.Optional(Url), bot_token: Type.Optional(Secret) }),
  transport: {
    type: 'http',
    destination: ({ api_url: api }, { webhook_url: url }) => url ?? api ?? post,
    request: ({ message, config, credentials }) => {
      const { webhook_url: url, bot_token: token } = credentials
      const content = {
        text: cut(escaped(message.title), 3_000),
        attachments: [{ color: colors[message.severity], blocks: blocksOf(message) }],
      }
      if (url !== undefined) return { url, method: 'POST', headers: jsonHeaders, body: JSON.stringify(content) }
      return {
        url: config.api_url ?? post,
        method: 'POST',
        headers: {
          ...jsonHeaders,
          'content-type': 'application/json; charset=utf-8',
          authorization: `Bearer ${token ?? ''}`,
        },
        body: JSON.stringify({ channel: config.channel ?? '', ...content }),
      }
    },
    // The Web API answers 200 to what it refuses; incoming webhooks answer `ok` alone.
    refusal: (body) => {
      const error = /"ok"\s*:\s*false/.test(body) ? /"error"\s*:\s*"([\w.-]{1,100})"/.exec(body) : null
      return error === null ? null : `refused: ${error[1]}`
    },
  },
})
