/** An alert as a syslog message (RFC 5424), one a line. Pure. Tested in text-forms.test.ts. */

import type { AlertRow } from '../declared/schema.ts'
import type { Severity } from '../declared/words.ts'

/** Facility 14 is "log alert". */
const facility = 14

/** From 0 (emergency) to 7 (debug). */
const syslogSeverity: Readonly<Record<Severity, number>> = { critical: 2, high: 3, medium: 4, low: 5, info: 6 }

/** Enterprise number for names of structured data: the one of RFC 5612, for those who have none. */
const dataId = 'parapet@32473'

/** @param host HOSTNAME of the message */
export function syslogLine(alert: AlertRow, host: string): string {
  const priority = facility * 8 + syslogSeverity[alert.severity]
  const data = {
    id: alert.id,
    tenant: alert.tenant_id,
    rule: alert.rule_id,
    severity: alert.severity,
    status: alert.status,
    count: String(alert.count),
    first_seen: alert.first_seen,
    last_seen: alert.last_seen,
    tags: alert.tags.join(','),
    entities: alert.entities.map(({ type, id }) => `${type}:${id}`).join(','),
    requests: alert.request_ids.join(','),
  }
  const pairs = Object.entries(data).map(([name, value]) => `${name}="${dataValue(value)}"`)
  // The byte order mark says that the text is UTF-8 (section 6.4).
  return `<${priority}>1 ${alert.updated_at} ${hostName(host)} parapet - alert [${dataId} ${pairs.join(' ')}] \uFEFF${oneLine(alert.title)}`
}

/** Section 6.3.3: a quote, a backslash and a closing bracket are escaped. */
const dataValue = (text: string): string => oneLine(text).replaceAll(/["\\\]]/g, (char) => `\\${char}`)

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ')

/** Printable ASCII without spaces, or the sign for none. */
function hostName(host: string): string {
  const text = host.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 255)
  return text === '' ? '-' : text
}
