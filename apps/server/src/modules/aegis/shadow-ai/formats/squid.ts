/**
 * Squid's native access.log: `time elapsed client code/status bytes method URL user hierarchy/peer type`, times in
 * seconds since 1970. Bytes are those sent to the client.
 */
import { epochSeconds } from './log-time.ts'
import { clearRecord, type LineReader } from './record.ts'
import { readTarget } from './target.ts'
import { bytesOf, dashless, splitWords } from './words.ts'

const fields = 9

export function squidReader(): LineReader {
  const words: string[] = []
  return {
    read: (line, record) => {
      if (splitWords(line, words, fields) < fields) return 'failed'
      const [time = '', elapsed = '', client = '', code = '', size, , target = '', user] = words
      const at = epochSeconds(time)
      const down = bytesOf(size)
      if (at === null || down === null || !code.includes('/') || Number.isNaN(Number(elapsed))) return 'failed'
      clearRecord(record)
      record.at = at
      record.evidence = 'http'
      record.client = dashless(client)
      record.user = dashless(user)
      record.down = down
      // Squid logs connections that brought no request under a target of its own.
      if (target.startsWith('error:') || target === '-') return 'record'
      return readTarget(target, record) ? 'record' : 'failed'
    },
  }
}
