/**
 * The risk tier of an agent, computed from its declaration. Pure. Tested in risk-tier.test.ts.
 *
 * `r = 100·(0.30·autonomy/5 + 0.25·data + 0.25·reach + 0.10·exposure + 0.10·scale)`, where `data` is the highest data
 * class, `reach` the highest capability among the tools, `exposure` 1 where untrusted content may enter, and
 * `scale = log10(1 + calls per day)/6`, at most 1. Tier 1 below 25, 2 below 50, 3 below 75, 4 from there on.
 */
import type { Capability, DataClass } from './words.ts'

export const tiers = [1, 2, 3, 4] as const
export type Tier = (typeof tiers)[number]

export interface RiskFactors {
  /** 0 suggests, 5 acts unattended. */
  readonly autonomyLevel: number
  readonly dataClasses: readonly DataClass[]
  readonly capabilities: readonly Capability[]
  readonly untrustedInput: boolean
  /** The higher of declared and observed. */
  readonly callsPerDay: number
}

const dataWeight: Readonly<Record<DataClass, number>> = { public: 0, internal: 0.33, confidential: 0.66, restricted: 1 }

export const capabilityWeight: Readonly<Record<Capability, number>> = {
  ...{ read: 0, write_internal: 0.4, external_send: 0.7 },
  ...{ code_exec: 1, payment: 1, destructive: 1 },
}

/** 0..100, rounded to two decimals. */
export function riskScore(factors: RiskFactors): number {
  const data = Math.max(0, ...factors.dataClasses.map((name) => dataWeight[name]))
  const reach = Math.max(0, ...factors.capabilities.map((name) => capabilityWeight[name]))
  const scale = Math.min(1, Math.log10(1 + factors.callsPerDay) / 6)
  const score =
    0.3 * (factors.autonomyLevel / 5) +
    0.25 * data +
    0.25 * reach +
    0.1 * (factors.untrustedInput ? 1 : 0) +
    0.1 * scale
  return Math.round(score * 10_000) / 100
}

export function tierOf(score: number): Tier {
  if (score < 25) return 1
  if (score < 50) return 2
  return score < 75 ? 3 : 4
}

/** Days after an approval in which the next review is due. */
export const reviewDays: Readonly<Record<Tier, number>> = { 1: 365, 2: 180, 3: 90, 4: 30 }
