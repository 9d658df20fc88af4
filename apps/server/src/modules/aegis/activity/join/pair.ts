/**
 * Finds the two records of one model call: the agent's own report and the gateway's record. They share the id of the
 * answer; a report without one belongs to the gateway record of the same trace whose start is nearest. Pure. Tested in
 * pair.test.ts.
 */
import type { ActivityRecord } from '../record/record.ts'

/** The members of a record that decide about a pair. */
export type CallRecord = Pick<
  ActivityRecord,
  'source' | 'time' | 'duration_ms' | 'trace_id' | 'call_id' | 'gateway_log_id'
>

export interface Pair<Fresh, Stored> {
  readonly fresh: Fresh
  readonly stored: Stored
}

/** Milliseconds by which the starts may differ: the way to the gateway, and clocks that are not quite the same. */
const mostApartMs = 5_000

/**
 * Pairs each fresh record with at most one stored record, each of which is used once. The records of one side are
 * reports, those of the other the gateway's.
 */
export function pairCalls<Fresh extends CallRecord, Stored extends CallRecord>(
  fresh: readonly Fresh[],
  stored: readonly Stored[],
): readonly Pair<Fresh, Stored>[] {
  if (stored.length === 0) return []
  const byId = grouped(stored, idsOf)
  const byTrace = grouped(stored, traceOf)
  const used = new Set<Stored>()
  const pairs: Pair<Fresh, Stored>[] = []
  const pairBy =
    (index: ReadonlyMap<string, readonly Stored[]>, keysOf: KeysOf, apartMs: number) => (record: Fresh) => {
      const candidates = keysOf(record).flatMap((key) => index.get(key) ?? [])
      const found = nearest(
        record,
        candidates.filter((other) => !used.has(other)),
        apartMs,
      )
      if (found === null) return true
      used.add(found)
      pairs.push({ fresh: record, stored: found })
      return false
    }
  // Ids first, so that no report without an id takes the record that another one names.
  const left = fresh.filter(pairBy(byId, idsOf, Number.POSITIVE_INFINITY))
  left.forEach(pairBy(byTrace, traceOf, mostApartMs))
  return pairs
}

type KeysOf = (record: CallRecord) => readonly string[]

const isReport = ({ source }: CallRecord): boolean => source === 'otel' || source === 'native'

/** A gateway record answers to the id that the provider gave and to its own, of which other answer ids are made. */
const idsOf: KeysOf = ({ call_id, gateway_log_id }) =>
  [...new Set([call_id, gateway_log_id])].filter((id) => id !== null)

/** A report that names its answer is of that answer's call or of none. */
const traceOf: KeysOf = (record) =>
  record.trace_id === null || (isReport(record) && record.call_id !== null) ? [] : [record.trace_id]

function grouped<Stored extends CallRecord>(
  records: readonly Stored[],
  keysOf: KeysOf,
): ReadonlyMap<string, readonly Stored[]> {
  const groups = new Map<string, Stored[]>()
  for (const record of records)
    for (const key of keysOf(record)) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [record])
      else group.push(record)
    }
  return groups
}

function nearest<Stored extends CallRecord>(
  record: CallRecord,
  candidates: readonly Stored[],
  apartMs: number,
): Stored | null {
  let best: Stored | null = null
  let bestMs = apartMs
  for (const candidate of candidates) {
    const ms = Math.abs(startOf(candidate) - startOf(record))
    if (ms > bestMs || (best !== null && ms === bestMs)) continue
    best = candidate
    bestMs = ms
  }
  return best
}

/** Unix milliseconds. A gateway record is dated by its end, a report by its beginning. */
function startOf(record: CallRecord): number {
  const at = Date.parse(record.time)
  return isReport(record) ? at : at - (record.duration_ms ?? 0)
}
