/** Splunk HTTP Event Collector. Tested in http-kinds.test.ts. */
import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import { Secret, Url, Word } from './fields.ts'
import { defineKind, jsonHeaders } from './kind.ts'

export const splunkHec = defineKind({
  kind: 'splunk_hec',
  title: 'Splunk',
  description: 'CloudEvents to the HTTP Event Collector.',
  config: strictObject({ url: Url, index: Type.Optional(Word), sourcetype: Type.Optional(Word) }),
  credentials: strictObject({ token: Secret }),
  transport: {
    type: 'http',
    destination: ({ url }) => url,
    request: ({ message, config, credentials }) => ({
      url: `${config.url.replace(/\/$/, '')}/services/collector/event`,
      method: 'POST',
      headers: { ...jsonHeaders, authorization: `Splunk ${credentials.token}` },
      body: JSON.stringify({
        time: Date.parse(message.time) / 1_000,
        host: 'parapet',
        source: message.channel,
        sourcetype: config.sourcetype ?? 'parapet:event',
        ...(config.index === undefined ? {} : { index: config.index }),
        event: message.event,
        fields: { severity: message.severity, message_id: message.id },
      }),
    }),
    refusal: (body) => {
      const code = /"code"\s*:\s*(\d+)/.exec(body)?.[1]
      return code === undefined || code === '0' ? null : `refused with the code ${code}`
    },
  },
})
