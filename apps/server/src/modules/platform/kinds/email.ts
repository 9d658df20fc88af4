/** Mail through a relay of the tenant. Tested in deliveries.test.ts. */
import Type from 'typebox'
import { Email, strictObject } from '../../../kernel/schema/types.ts'
import { Host, Port, Secret, Word } from './fields.ts'
import { cut, defineKind } from './kind.ts'

export const emailSmtp = defineKind({
  kind: 'email_smtp',
  title: 'E-mail (SMTP)',
  description:
    'Mails through a relay of your own: with TLS from the start (port 465), or with STARTTLS within private networks.',
  config: strictObject({
    host: Host,
    port: Type.Optional(Port),
    tls: Type.Optional(Type.Boolean({ description: 'TLS from the start; default true' })),
    from: Email,
    to: Type.Array(Email, { minItems: 1, maxItems: 20 }),
  }),
  credentials: strictObject({ user: Type.Optional(Word), password: Type.Optional(Secret) }),
  transport: {
    type: 'smtp',
    // STARTTLS may follow, but the connection begins in clear.
    destination: ({ host, tls = true }) => ({ host, tls }),
    letter: ({ message, config, credentials }) => {
      const tls = config.tls ?? true
      return {
        relay: {
          ...{ host: config.host, port: config.port ?? (tls ? 465 : 587), tls, from: config.from },
          ...{ user: credentials.user ?? null, password: credentials.password ?? null },
        },
        to: config.to,
        subject: cut(`[${message.severity}] ${message.title.replaceAll(/\p{Cc}+/gu, ' ')}`, 200),
        text: `${message.title}\n\n${message.text}\n${message.url === null ? '' : `\n${message.url}\n`}`,
      }
    },
  },
})
