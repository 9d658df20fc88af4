/** Query logs of Route 53 Resolver: one JSON object a line, names with a dot at their end, times in UTC. */
import { anyTime } from './log-time.ts'
import { clearRecord, type LineReader } from './record.ts'
import { objectOf, textOf } from './zeek.ts'

export function route53Reader(): LineReader {
  return {
    read: (line, record) => {
      const value = objectOf(line)
      if (value === null) return 'failed'
      const at = anyTime(textOf(value.query_timestamp), null)
      const name = textOf(value.query_name)
      if (typeof at !== 'number' || name === '') return 'failed'
      clearRecord(record)
      record.at = at
      record.evidence = 'dns'
      record.host = name
      record.client = textOf(value.srcaddr)
      return 'record'
    },
  }
}
