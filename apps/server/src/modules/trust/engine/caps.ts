import { type Hundredths, toHundredths, toPoints } from './fixed-point.ts'
import type { EvidenceSource, PillarName } from './signals.ts'

export interface CapDefinition {
  readonly pillar: PillarName
  readonly source: EvidenceSource
  /** Highest score, in points, that the pillar can have while the cap is active. */
  readonly limit: number
}

/** Conditions so grave that a pillar cannot score above a limit while they last, whatever its signals say. */
export const CAPS = {
  kill_switch_active: { pillar: 'security', source: 'aegis', limit: 40 },
  prohibited_ai_active: { pillar: 'compliance', source: 'compliance', limit: 40 },
  evidence_chain_broken: { pillar: 'compliance', source: 'compliance', limit: 0 },
  critical_check_failing: { pillar: 'compliance', source: 'compliance', limit: 60 },
  objective_breached_open: { pillar: 'resilience', source: 'resilience', limit: 60 },
  audit_chain_broken: { pillar: 'ai_governance', source: 'gateway', limit: 0 },
} as const satisfies Record<string, CapDefinition>

export type CapId = keyof typeof CAPS

export function isCapId(id: string): id is CapId {
  return Object.hasOwn(CAPS, id)
}

/** Ids of all caps, in the order of the catalogue. */
export const CAP_IDS: readonly CapId[] = Object.keys(CAPS).filter(isCapId)

export interface CapInput {
  readonly id: string
  readonly active: boolean
}

export interface CapState {
  readonly id: CapId
  readonly pillar: PillarName
  /** Points; `null` where the configuration switched the cap off. */
  readonly limit: number | null
  readonly active: boolean
  /** True for the one cap that lowered the pillar's score. */
  readonly applied: boolean
}

export interface Capped {
  readonly score: Hundredths
  readonly by: CapId | null
}

/** Every cap with its limit and whether it is active, in the order of the catalogue; one not reported is inactive. */
export function capStates(
  inputs: readonly CapInput[],
  limits: Readonly<Record<CapId, number | null>>,
): readonly CapState[] {
  const active = new Map(inputs.map((cap) => [cap.id, cap.active]))
  return CAP_IDS.map((id) => ({
    id,
    pillar: CAPS[id].pillar,
    limit: limits[id] === null ? null : toPoints(toHundredths(limits[id])),
    active: active.get(id) ?? false,
    applied: false,
  }))
}

/** The mean of a pillar under its active caps: the lowest limit counts, the first of the catalogue among equals. */
export function applyCaps(mean: Hundredths, caps: readonly CapState[]): Capped {
  let capped: Capped = { score: mean, by: null }
  for (const cap of caps) {
    if (!cap.active || cap.limit === null) continue
    const limit = toHundredths(cap.limit)
    if (limit < capped.score) capped = { score: limit, by: cap.id }
  }
  return capped
}
