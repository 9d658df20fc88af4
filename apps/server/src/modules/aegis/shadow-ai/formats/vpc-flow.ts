/**
 * Flow logs of Amazon's VPC, in the default order of version 2, in the order of a header line, or in the caller's. They
 * have addresses only, so they match entries that name addresses. The side with a public address is the destination.
 */
import ipaddr from 'ipaddr.js'
import { epochSeconds } from './log-time.ts'
import { clearRecord, FormatFault, type LineReader, type LogRecord, type ReaderOptions } from './record.ts'
import { portOf } from './target.ts'
import { bytesOf, splitWords } from './words.ts'

const defaultFields =
  'version account-id interface-id srcaddr dstaddr srcport dstport protocol packets bytes start end action log-status'
const needed = ['srcaddr', 'dstaddr', 'bytes', 'start'] as const

export function vpcFlowReader({ columns }: ReaderOptions): LineReader {
  let order = orderOf(columns === null ? defaultFields.split(' ') : columns.split(/[\s,]+/))
  const words: string[] = []
  return {
    read: (line, record) => {
      if (isHeader(line)) {
        order = orderOf(line.trim().split(/\s+/))
        return 'header'
      }
      if (splitWords(line, words, order.count + 1) !== order.count) return 'failed'
      const at = epochSeconds(words[order.start] ?? '')
      const bytes = bytesOf(words[order.bytes])
      if (at === null || bytes === null) return 'failed'
      clearRecord(record)
      record.at = at
      record.evidence = 'flow'
      // NODATA and SKIPDATA: a line of dashes reports an interval without a record.
      if (words[order.srcaddr] === '-') return 'record'
      return fill({ order, words, bytes }, record) ? 'record' : 'failed'
    },
  }
}

interface Order {
  readonly srcaddr: number
  readonly dstaddr: number
  readonly srcport: number
  readonly dstport: number
  readonly bytes: number
  readonly start: number
  readonly count: number
}

const isHeader = (line: string): boolean => /(?:^|\s)srcaddr(?:\s|$)/.test(line)

function orderOf(fields: readonly string[]): Order {
  const bare = fields.map((name) => name.replaceAll(/[${}]/g, ''))
  const missing = needed.filter((name) => !bare.includes(name))
  if (missing.length > 0) throw new FormatFault(`The fields of this flow log lack ${missing.join(', ')}.`, 'columns')
  const at = (name: string): number => bare.indexOf(name)
  return {
    ...{ srcaddr: at('srcaddr'), dstaddr: at('dstaddr'), srcport: at('srcport'), dstport: at('dstport') },
    ...{ bytes: at('bytes'), start: at('start'), count: bare.length },
  }
}

interface Line {
  readonly order: Order
  readonly words: readonly string[]
  readonly bytes: number
}

function fill({ order, words, bytes }: Line, record: LogRecord): boolean {
  const source = words[order.srcaddr] ?? ''
  const destination = words[order.dstaddr] ?? ''
  if (!ipaddr.isValid(source) || !ipaddr.isValid(destination)) return false
  const isAnswer = isPublic(source) && !isPublic(destination)
  record.client = isAnswer ? destination : source
  record.host = isAnswer ? source : destination
  record.port = portOf(words[isAnswer ? order.srcport : order.dstport] ?? '')
  if (isAnswer) record.down = bytes
  else record.up = bytes
  return true
}

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast'
