/**
 * The combined log format of proxies, as Squid and Apache write it:
 * `client ident user [10/Oct/2000:13:55:36 -0700] "METHOD URL HTTP/1.1" status bytes "referrer" "agent" …`. Of requests
 * without a host in their URL, as servers log them, nothing can be known: they are unreadable here.
 */
import { commonLogTime } from './log-time.ts'
import { clearRecord, type LineReader } from './record.ts'
import { readTarget } from './target.ts'
import { bytesOf, dashless, splitWords } from './words.ts'

export function combinedReader(): LineReader {
  const head: string[] = []
  const request: string[] = []
  const tail: string[] = []
  return {
    read: (line, record) => {
      const open = line.indexOf(' [')
      const close = line.indexOf('] "', open)
      if (open === -1 || close === -1) return 'failed'
      const end = line.indexOf('" ', close + 3)
      if (end === -1 || splitWords(line.slice(0, open), head, 3) < 3) return 'failed'
      const at = commonLogTime(line.slice(open + 2, close))
      const parts = splitWords(line.slice(close + 3, end), request, 3)
      if (at === null || parts < 2 || splitWords(line.slice(end + 2), tail, 3) < 2) return 'failed'
      const down = bytesOf(tail[1])
      if (down === null || Number.isNaN(Number(tail[0]))) return 'failed'
      clearRecord(record)
      record.at = at
      record.evidence = 'http'
      record.client = dashless(head[0])
      record.user = dashless(head[2])
      record.down = down
      const target = request[1] ?? ''
      if (target.startsWith('error:')) return 'record'
      return readTarget(target, record) ? 'record' : 'failed'
    },
  }
}
