/**
 * OpenLineage 2-0-2: each event as a run event of the type OTHER of a job that is named after its channel; data that is a
 * run event already goes as it is. Tested in http-kinds.test.ts.
 */
import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import type { OutgoingMessage } from '../declared/message.ts'
import { Secret, Url, Word } from './fields.ts'
import { defineKind, jsonHeaders } from './kind.ts'

const schemaURL = 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent'
const producer = 'https://github.com/parapet/parapet'

/** The id of the message as the UUID that the run has in every attempt. */
const runIdOf = ({ id }: OutgoingMessage): string =>
  id.replace(/^msg_/, '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export function runEventOf(message: OutgoingMessage, namespace: string): object {
  const { data } = message.event
  if (typeof data === 'object' && data !== null && 'run' in data && 'job' in data && 'eventTime' in data) return data
  return {
    ...{ eventType: 'OTHER', eventTime: message.time, producer, schemaURL },
    run: { runId: runIdOf(message) },
    job: { namespace, name: message.channel },
    ...{ inputs: [], outputs: [] },
  }
}

export const openlineage = defineKind({
  kind: 'openlineage',
  title: 'OpenLineage',
  description: 'Run events for a lineage backend such as Marquez.',
  config: strictObject({ url: Url, namespace: Type.Optional(Word) }),
  credentials: strictObject({ api_key: Type.Optional(Secret) }),
  transport: {
    type: 'http',
    destination: ({ url }) => url,
    request: ({ message, config, credentials }) => ({
      url: `${config.url.replace(/\/$/, '')}/api/v1/lineage`,
      method: 'POST',
      headers: {
        ...jsonHeaders,
        ...(credentials.api_key === undefined ? {} : { authorization: `Bearer ${credentials.api_key}` }),
      },
      body: JSON.stringify(runEventOf(message, config.namespace ?? 'parapet')),
    }),
  },
})
