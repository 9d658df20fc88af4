/**
 * Syslog messages of RFC 5424 over TCP, with octet counting (RFC 6587 section 3.4.1) and over TLS as RFC 5425 has it. The
 * message is text with structured data, CEF:0, or an OCSF event. Pure. Tested in syslog.test.ts.
 */
import Type from 'typebox'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'
import { version as productVersion } from '../../../version.ts'
import type { OutgoingMessage } from '../declared/message.ts'
import { Host, Port } from './fields.ts'
import { defineKind } from './kind.ts'
import { ocsfFinding } from './ocsf.ts'

/** RFC 5424, table 2. */
const levels = { critical: 2, high: 3, medium: 4, low: 5, info: 6 } as const
/** Log audit. */
const facility = 13
const cefSeverities = { critical: 10, high: 8, medium: 5, low: 3, info: 1 } as const

/** Printable ASCII without spaces, at most so long; `-` where nothing is left. */
const token = (text: string, most: number): string => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, most) || '-'

const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ')

/** RFC 5424 section 6.3.3: a backslash, a quote and a closing bracket are escaped. */
const parameter = (text: string): string => oneLine(text).replaceAll(/["\\\]]/g, (char) => `\\${char}`)

export interface SyslogSettings {
  readonly format: 'rfc5424' | 'cef' | 'ocsf'
  readonly hostname: string
}

export function syslogMessage(message: OutgoingMessage, { format, hostname }: SyslogSettings): string {
  const priority = facility * 8 + levels[message.severity]
  const header = `<${priority}>1 ${message.time} ${token(hostname, 255)} parapet - ${token(message.channel, 32)}`
  if (format === 'cef') return `${header} - \uFEFF${cefEvent(message)}`
  if (format === 'ocsf') return `${header} - \uFEFF${JSON.stringify(ocsfFinding(message))}`
  const values = { id: message.id, tenant: message.tenant_id, type: message.type, subject: message.subject }
  const data = Object.entries(values).map(([name, value]) => ` ${name}="${parameter(value)}"`)
  return `${header} [event@32473${data.join('')}] \uFEFF${oneLine(`${message.title} ${message.text}`).trim()}`
}

/** A header field has no line breaks; a backslash and a pipe are escaped. */
const headerField = (text: string): string => oneLine(text).replaceAll(/[\\|]/g, (char) => `\\${char}`)

/** In a value a backslash and an equals sign are escaped, and line breaks are written as `\n` and `\r`. */
const extensionValue = (text: string): string =>
  text
    .replaceAll(/[\\=]/g, (char) => `\\${char}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')

export function cefEvent(message: OutgoingMessage): string {
  const fields = ['Parapet', 'Parapet', productVersion, message.channel, message.title].map(headerField)
  const pairs = [
    ['externalId', message.id],
    ['rt', String(Date.parse(message.time))],
    ['deviceExternalId', message.tenant_id],
    ['cs1Label', 'subject'],
    ['cs1', message.subject],
    ['msg', message.text],
  ] as const
  const extension = pairs.flatMap(([name, value]) => (value === '' ? [] : [`${name}=${extensionValue(value)}`]))
  return ['CEF:0', ...fields, String(cefSeverities[message.severity]), extension.join(' ')].join('|')
}

/** RFC 6587, section 3.4.1: the length in octets, a space, the message. */
export function octetCounted(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8')
  return Buffer.concat([Buffer.from(`${bytes.byteLength} `), bytes])
}

export const syslog = defineKind({
  kind: 'syslog',
  title: 'Syslog',
  description: 'RFC 5424 over TLS (RFC 5425), or over plain TCP within private networks; with octet counting.',
  config: strictObject({
    host: Host,
    port: Type.Optional(Port),
    tls: Type.Optional(Type.Boolean({ description: 'Default true' })),
    ca_pem: Type.Optional(Type.String({ maxLength: 20_000, pattern: '^-----BEGIN CERTIFICATE-----' })),
    format: Type.Optional(oneOf('rfc5424', 'cef', 'ocsf')),
    hostname: Type.Optional(Host),
  }),
  credentials: strictObject({}),
  transport: {
    type: 'tcp',
    destination: ({ host, tls = true }) => ({ host, tls }),
    lines: ({ message, config }) => {
      const settings = { format: config.format ?? 'rfc5424', hostname: config.hostname ?? 'parapet' } as const
      const tls = config.tls ?? true
      return {
        ...{ host: config.host, port: config.port ?? (tls ? 6514 : 601), tls, ca: config.ca_pem ?? null },
        bytes: octetCounted(syslogMessage(message, settings)),
      }
    },
  },
})
