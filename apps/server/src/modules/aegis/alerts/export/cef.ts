/** An alert in the Common Event Format, CEF:0. Pure. Tested in text-forms.test.ts. */
import { version as productVersion } from '../../../../version.ts'
import type { AlertRow } from '../declared/schema.ts'
import type { Severity } from '../declared/words.ts'

/** From 0 to 10. */
const cefSeverity: Readonly<Record<Severity, number>> = { critical: 10, high: 8, medium: 5, low: 3, info: 1 }

export function cefLine(alert: AlertRow): string {
  const header = ['CEF:0', 'Parapet', 'Parapet', productVersion, alert.rule_id, alert.title]
  const [prefix = '', ...fields] = header
  return [prefix, ...fields.map(headerField), String(cefSeverity[alert.severity]), extension(alert)].join('|')
}

function extension(alert: AlertRow): string {
  const labelled = [
    ['cs1', 'tags', alert.tags.join(',')],
    ['cs2', 'entities', alert.entities.map(({ type, id }) => `${type}:${id}`).join(',')],
    ['cs3', 'fingerprint', alert.fingerprint],
    ['cs4', 'requests', alert.request_ids.join(',')],
  ] as const
  const user = alert.entities.find(({ type }) => type === 'user')
  const pairs: readonly (readonly [key: string, value: string])[] = [
    ['externalId', alert.id],
    ['rt', String(Date.parse(alert.updated_at))],
    ['start', String(Date.parse(alert.first_seen))],
    ['end', String(Date.parse(alert.last_seen))],
    ['cnt', String(alert.count)],
    ['act', alert.status],
    ['outcome', alert.resolution ?? ''],
    ['deviceExternalId', alert.tenant_id],
    ['suid', user?.id ?? ''],
    ...labelled.flatMap(([key, label, value]) =>
      value === ''
        ? []
        : ([
            [`${key}Label`, label],
            [key, value],
          ] as const),
    ),
    ['msg', alert.evidence.at(-1)?.summary ?? ''],
  ]
  return pairs
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${extensionValue(value)}`)
    .join(' ')
}

/** A header field has no line breaks; a backslash and a pipe are escaped. */
const headerField = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\|]/g, (char) => `\\${char}`)

/** In a value a backslash and an equals sign are escaped, and line breaks are written as `\n` and `\r`. */
const extensionValue = (text: string): string =>
  text
    .replaceAll(/[\\=]/g, (char) => `\\${char}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
