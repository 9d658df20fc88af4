/**
 * Findings of a log so far, added up over its pieces. Its size is bounded: users beyond the bound are counted
 * together, and a log that names too many services is refused. Tested in totals.test.ts.
 */
import type { EvidenceKind } from '../formats/record.ts'
import type { FoundService } from '../matching/find-service.ts'
import type { PieceResult, SeenService } from '../matching/match-lines.ts'

const mostSamples = 5
const mostHostsOfService = 50

export interface ServiceTotal extends FoundService {
  readonly hosts: Set<string>
  readonly evidence: Set<EvidenceKind>
  first: number
  last: number
}

export interface UseTotal {
  readonly service: string
  readonly user: string
  readonly day: number
  requests: number
  up: number
  down: number
}

export interface LogTotals {
  parsed: number
  failed: number
  matched: number
  from: number
  to: number
  readonly samples: string[]
  readonly services: Map<string, ServiceTotal>
  readonly uses: Map<string, UseTotal>
}

export interface TotalBounds {
  readonly services: number
  /** Combinations of service, user and day. */
  readonly uses: number
}

export const noTotals = (): LogTotals => ({
  ...{ parsed: 0, failed: 0, matched: 0, from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY },
  ...{ samples: [], services: new Map(), uses: new Map() },
})

/** @returns false for a log that names more services than the bound */
export function addPiece(totals: LogTotals, piece: PieceResult, bounds: TotalBounds): boolean {
  totals.parsed += piece.parsed
  totals.failed += piece.failed
  totals.matched += piece.matched
  totals.from = Math.min(totals.from, piece.from ?? totals.from)
  totals.to = Math.max(totals.to, piece.to ?? totals.to)
  totals.samples.push(...piece.samples.slice(0, mostSamples - totals.samples.length))
  for (const service of piece.services) addService(totals.services, service)
  for (const { service: position, user, day, requests, up, down } of piece.uses) {
    const service = piece.services[position]?.key ?? ''
    const key = `${service}\n${day}\n${user}`
    const known = totals.uses.get(key)
    if (known === undefined && totals.uses.size < bounds.uses)
      totals.uses.set(key, { service, user, day, requests, up, down })
    else if (known === undefined) addUse(othersOf(totals, service, day), { requests, up, down })
    else addUse(known, { requests, up, down })
  }
  return totals.services.size <= bounds.services
}

function addService(services: Map<string, ServiceTotal>, seen: SeenService): void {
  const known = services.get(seen.key)
  if (known === undefined) {
    services.set(seen.key, { ...seen, hosts: new Set(seen.hosts), evidence: new Set(seen.evidence) })
    return
  }
  for (const host of seen.hosts) if (known.hosts.size < mostHostsOfService) known.hosts.add(host)
  for (const kind of seen.evidence) known.evidence.add(kind)
  known.first = Math.min(known.first, seen.first)
  known.last = Math.max(known.last, seen.last)
}

/** Uses of a service and day without a named user. */
function othersOf({ uses }: LogTotals, service: string, day: number): UseTotal {
  const key = `${service}\n${day}\n`
  const known = uses.get(key)
  if (known !== undefined) return known
  const made: UseTotal = { service, user: '', day, requests: 0, up: 0, down: 0 }
  uses.set(key, made)
  return made
}

function addUse(use: UseTotal, { requests, up, down }: Pick<UseTotal, 'requests' | 'up' | 'down'>): void {
  use.requests += requests
  use.up += up
  use.down += down
}
