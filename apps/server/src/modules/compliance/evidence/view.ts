import type { EvidenceRow, ListedEvidence } from '../declared/evidence-schema.ts'
import { freshness, strengthOf } from '../scoring/score.ts'

/** Evidence as lists show it. @param atMs Unix milliseconds */
export function listedEvidence(row: EvidenceRow, atMs: number): ListedEvidence {
  const { version: _version, warned_days: _warned, ...shown } = row
  const validity = { fromMs: Date.parse(row.valid_from), untilMs: Date.parse(row.valid_until) }
  return {
    ...shown,
    freshness: freshness(validity, atMs),
    strength: strengthOf(row.kind, row.reviewed_at !== null),
  }
}
