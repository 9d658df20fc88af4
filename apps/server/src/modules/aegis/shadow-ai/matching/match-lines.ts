/**
 * Reads a piece of a log and adds up the accesses to AI services in it, by service, user and day. The size of the
 * result grows with the findings, not with the piece. Pure; tested in match-lines.test.ts.
 */
import { isPlausible } from '../formats/log-time.ts'
import { type EvidenceKind, emptyRecord, evidenceKinds, type LineReader, type LogRecord } from '../formats/record.ts'
import { type FoundService, findService } from './find-service.ts'
import type { HostIndex } from './host-index.ts'
import { hostName } from './host-name.ts'

const dayMs = 86_400_000
const mostSamples = 5
const sampleLength = 200
const mostHeaders = 32
const mostHostsOfService = 50
/** Look-ups of hosts that are kept; beyond that they are found again. */
const mostKeptHosts = 50_000

/** Accesses of one user to one service on one day. */
export interface Use {
  /** Position in `services`. */
  readonly service: number
  /** `u:<name>` as the log has it, `a:<address>` where it names no user, or empty. */
  readonly user: string
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  requests: number
  up: number
  down: number
}

export interface SeenService extends FoundService {
  readonly hosts: readonly string[]
  readonly evidence: readonly EvidenceKind[]
  /** Unix milliseconds. */
  readonly first: number
  readonly last: number
}

export interface PieceResult {
  /** Lines that say how the next piece is read. */
  readonly headers: readonly string[]
  readonly parsed: number
  readonly failed: number
  readonly samples: readonly string[]
  readonly matched: number
  /** Unix milliseconds of the earliest and latest line; null without one. */
  readonly from: number | null
  readonly to: number | null
  readonly services: readonly SeenService[]
  readonly uses: readonly Use[]
}

export interface PieceParts {
  readonly reader: LineReader
  readonly index: HostIndex
  /** Header lines of the pieces before. */
  readonly headers: readonly string[]
  /** Unix milliseconds; lines of a later time are counted as unreadable. */
  readonly notAfter: number
}

interface Growing {
  readonly position: number
  readonly found: FoundService
  readonly hosts: Set<string>
  readonly evidence: Set<EvidenceKind>
  first: number
  last: number
}

/** @throws FormatFault */
export function matchLines(text: string, { reader, index, headers, notAfter }: PieceParts): PieceResult {
  const record = emptyRecord()
  for (const line of headers) reader.read(line, record)
  const tally = createTally(index)
  const seenHeaders = [...headers]
  const samples: string[] = []
  let failed = 0
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    const line = text.slice(at, text.charCodeAt(end - 1) === 0x0d && end > at ? end - 1 : end)
    at = end + 1
    if (line === '') continue
    const outcome = reader.read(line, record)
    if (outcome === 'header') {
      if (seenHeaders.length < mostHeaders) seenHeaders.push(line)
    } else if (outcome === 'failed' || !isPlausible(record.at) || record.at > notAfter) {
      failed += 1
      if (samples.length < mostSamples) samples.push(line.slice(0, sampleLength))
    } else tally.add(record)
  }
  return { headers: seenHeaders, failed, samples, ...tally.result() }
}

function createTally(index: HostIndex) {
  const services = new Map<string, Growing>()
  const uses = new Map<string, Use>()
  const kept = new Map<string, FoundService | null>()
  let parsed = 0
  let matched = 0
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  return {
    add: (record: LogRecord): void => {
      parsed += 1
      if (record.at < from) from = record.at
      if (record.at > to) to = record.at
      if (record.host === '') return
      const found = lookUp(index, kept, record)
      if (found === null) return
      matched += 1
      count(uses, grow(services, found, record), record)
    },
    result: (): Omit<PieceResult, 'headers' | 'failed' | 'samples'> => ({
      ...{ parsed, matched, from: parsed === 0 ? null : from, to: parsed === 0 ? null : to },
      services: [...services.values()].map(({ found, hosts, evidence, first, last }) => ({
        ...found,
        ...{ hosts: [...hosts], evidence: evidenceKinds.filter((kind) => evidence.has(kind)), first, last },
      })),
      uses: [...uses.values()],
    }),
  }
}

function lookUp(index: HostIndex, kept: Map<string, FoundService | null>, record: LogRecord): FoundService | null {
  const { host, port, path } = record
  // Most lines of most logs have no path, or one that is of no interest, so hosts alone are what repeats.
  const key = path === '' || path === '/' ? `${host} ${port}` : `${host} ${port} ${path}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const name = hostName(host)
  const found = name === null ? null : findService(index, { host: name, port, path })
  if (kept.size >= mostKeptHosts) kept.clear()
  kept.set(key, found)
  return found
}

function grow(services: Map<string, Growing>, found: FoundService, record: LogRecord): Growing {
  const { at, host, evidence } = record
  let service = services.get(found.key)
  if (service === undefined) {
    const position = services.size
    service = { position, found, hosts: new Set(), evidence: new Set(), first: at, last: at }
    services.set(found.key, service)
  }
  if (service.hosts.size < mostHostsOfService && !service.hosts.has(host)) {
    const name = hostName(host)
    if (name !== null) service.hosts.add(name)
  }
  service.evidence.add(evidence)
  if (at < service.first) service.first = at
  if (at > service.last) service.last = at
  return service
}

function count(uses: Map<string, Use>, { position }: Growing, { at, user, client, up, down }: LogRecord): void {
  const who = user !== '' ? `u:${user}` : client !== '' ? `a:${client}` : ''
  const day = Math.floor(at / dayMs)
  const key = `${position} ${day} ${who}`
  const use = uses.get(key)
  if (use === undefined) uses.set(key, { service: position, user: who.slice(0, 200), day, requests: 1, up, down })
  else {
    use.requests += 1
    use.up += up
    use.down += down
  }
}
