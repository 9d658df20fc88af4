/** Rows in a table of an outside PostgreSQL, one for each event, whatever is repeated. Tested in postgres.test.ts. */
import Type from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'
import { Host, Port, Secret, Word } from './fields.ts'
import { defineKind } from './kind.ts'

const Identifier = Type.String({ minLength: 1, maxLength: 63, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })

export const postgres = defineKind({
  kind: 'postgres',
  title: 'PostgreSQL',
  description:
    'A row for each event in a table of yours, once by the id of the event. The table is made where there is none and the account may make it; with TLS, or in clear within private networks.',
  config: strictObject({
    host: Host,
    port: Type.Optional(Port),
    database: Word,
    schema: Type.Optional(Identifier),
    table: Type.Optional(Identifier),
    tls: Type.Optional(Type.Boolean({ description: 'Default true' })),
    ca_pem: Type.Optional(Type.String({ maxLength: 20_000, pattern: '^-----BEGIN CERTIFICATE-----' })),
  }),
  credentials: strictObject({ user: Word, password: Type.Optional(Secret) }),
  transport: {
    type: 'postgres',
    place: (config, { user, password = '' }) => ({
      ...{ host: config.host, port: config.port ?? 5432, database: config.database, user, password },
      tls: (config.tls ?? true) ? { ca: config.ca_pem } : null,
    }),
    row: ({ message, config }) => {
      const { id, event, time, channel, type, subject, tenant_id, severity, title } = message
      return {
        ...{ schema: config.schema ?? 'public', table: config.table ?? 'parapet_event' },
        columns: [
          { name: 'event_id', type: 'text', value: typeof event.id === 'string' ? event.id : id },
          { name: 'occurred_at', type: 'timestamptz not null', value: time },
          { name: 'tenant_id', type: 'uuid not null', value: tenant_id },
          { name: 'channel', type: 'text not null', value: channel },
          { name: 'type', type: 'text not null', value: type },
          { name: 'subject', type: 'text not null', value: subject },
          { name: 'severity', type: 'text not null', value: severity },
          { name: 'title', type: 'text not null', value: title },
          { name: 'event', type: 'jsonb not null', value: JSON.stringify(event) },
        ],
      }
    },
  },
})
