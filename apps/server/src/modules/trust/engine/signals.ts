import type { TenThousandths } from './fixed-point.ts'

/** A state signal measures how things are; an event signal is made of things that happened. */
export type SignalClass = 'state' | 'event'

export const PILLAR_NAMES = ['security', 'compliance', 'risk', 'resilience', 'ai_governance'] as const
export type PillarName = (typeof PILLAR_NAMES)[number]

export interface PillarDefault {
  readonly source: 'aegis' | 'compliance' | 'risk' | 'resilience' | 'gateway'
  readonly weight: TenThousandths
  readonly halfLifeDays: number
}

export const PILLARS = {
  security: { source: 'aegis', weight: 2500, halfLifeDays: 7 },
  compliance: { source: 'compliance', weight: 2500, halfLifeDays: 90 },
  risk: { source: 'risk', weight: 2000, halfLifeDays: 30 },
  resilience: { source: 'resilience', weight: 1500, halfLifeDays: 60 },
  ai_governance: { source: 'gateway', weight: 1500, halfLifeDays: 7 },
} as const satisfies Record<PillarName, PillarDefault>

export type EvidenceSource = PillarDefault['source'] | 'cybertwins' | 'data_gov'

export interface SignalDefinition {
  readonly pillar: PillarName
  /** The module that delivers the evidence. */
  readonly source: EvidenceSource
  readonly class: SignalClass
  /** Default weight inside the pillar. */
  readonly weight: TenThousandths
  /** Meaning of the value, for its readers. A higher value is always better. */
  readonly formula: string
}

/** Every signal there is. Those of one pillar weigh 10000 together. */
export const SIGNALS = {
  guardrail_coverage: {
    pillar: 'security',
    source: 'aegis',
    class: 'state',
    weight: 2000,
    formula: 'Share of active agents with at least one enforced input and one enforced output guardrail.',
  },
  mcp_posture: {
    pillar: 'security',
    source: 'aegis',
    class: 'state',
    weight: 1500,
    formula: 'Share of MCP servers with pinned tool definitions and a default-deny policy.',
  },
  shadow_ai: {
    pillar: 'security',
    source: 'aegis',
    class: 'state',
    weight: 1500,
    formula: '100 × (1 − unapproved ÷ all observed AI calls), last 30 days.',
  },
  alert_sla: {
    pillar: 'security',
    source: 'aegis',
    class: 'state',
    weight: 1500,
    formula: 'Share of alerts closed inside their SLA, last 30 days.',
  },
  anomaly_pressure: {
    pillar: 'security',
    source: 'aegis',
    class: 'event',
    weight: 2000,
    formula:
      '100 × 2^(−P ÷ 20), P = Σ severity × 2^(−age ÷ half-life) over anomalies and alerts, an alert and the anomaly it came from once; an open one does not age.',
  },
  attack_reachability: {
    pillar: 'security',
    source: 'cybertwins',
    class: 'state',
    weight: 1500,
    formula: '100 × (1 − highest probability that a crown jewel is reached).',
  },
  control_effectiveness: {
    pillar: 'compliance',
    source: 'compliance',
    class: 'state',
    weight: 4500,
    formula:
      'Weighted mean of in-scope controls: effective 100, partial 50 or its share of objectives, else 0; newest completed assessment per framework.',
  },
  evidence_freshness: {
    pillar: 'compliance',
    source: 'compliance',
    class: 'state',
    weight: 2000,
    formula: 'Share of required evidence still inside its validity.',
  },
  nonconformity_pressure: {
    pillar: 'compliance',
    source: 'compliance',
    class: 'event',
    weight: 2000,
    formula:
      '100 × 2^(−P ÷ 20), P = Σ severity × 2^(−age ÷ half-life) over findings past due; an open one does not age.',
  },
  data_rights_timeliness: {
    pillar: 'compliance',
    source: 'data_gov',
    class: 'state',
    weight: 1500,
    formula: 'Share of data subject requests and retention actions done in time, last 90 days.',
  },
  exposure_vs_appetite: {
    pillar: 'risk',
    source: 'risk',
    class: 'state',
    weight: 4500,
    formula:
      'Portfolio VaR95 against appetite, tolerance and capacity: 100 up to the appetite, linear down to 60 at the tolerance and on to 0 at the capacity.',
  },
  treatment_timeliness: {
    pillar: 'risk',
    source: 'risk',
    class: 'state',
    weight: 2000,
    formula: 'Share of treatment actions that are not overdue.',
  },
  kri_health: {
    pillar: 'risk',
    source: 'risk',
    class: 'state',
    weight: 2000,
    formula: 'Mean of the key risk indicators that read no trust pillar: green 100, amber 50, red 0.',
  },
  quantified_coverage: {
    pillar: 'risk',
    source: 'risk',
    class: 'state',
    weight: 1500,
    formula: 'Share of material risks with a FAIR analysis inside its review period.',
  },
  rto_attainment: {
    pillar: 'resilience',
    source: 'resilience',
    class: 'state',
    weight: 2500,
    formula:
      'Criticality-weighted mean probability of recovery within the recovery time objective; measured runs and timed restores outrank simulated ones.',
  },
  rpo_attainment: {
    pillar: 'resilience',
    source: 'resilience',
    class: 'state',
    weight: 2500,
    formula:
      'Criticality-weighted mean probability of recovery within the recovery point objective; measured runs and timed restores outrank simulated ones.',
  },
  experiment_score: {
    pillar: 'resilience',
    source: 'resilience',
    class: 'state',
    weight: 2500,
    formula: 'Σ weight × share of met steady-state checks ÷ Σ weight, experiments of the last 90 days.',
  },
  slo_budget: {
    pillar: 'resilience',
    source: 'resilience',
    class: 'state',
    weight: 1500,
    formula: 'Remaining error budget, last 30 days.',
  },
  single_points: {
    pillar: 'resilience',
    source: 'resilience',
    class: 'state',
    weight: 1000,
    formula: '100 × (1 − critical services with a single point of failure ÷ critical services).',
  },
  enforced: {
    pillar: 'ai_governance',
    source: 'gateway',
    class: 'state',
    weight: 2500,
    formula: 'Share of calls under at least one enforced policy, last 30 days.',
  },
  fail_open: {
    pillar: 'ai_governance',
    source: 'gateway',
    class: 'state',
    weight: 2000,
    formula: '100 × (1 − calls with a fail-open step or monitor-only streaming ÷ all calls), last 30 days.',
  },
  protected: {
    pillar: 'ai_governance',
    source: 'gateway',
    class: 'state',
    weight: 2000,
    formula:
      '100 × (1 − calls in which a protected entity reached a provider unredacted ÷ calls with such entities), last 30 days.',
  },
  audited: {
    pillar: 'ai_governance',
    source: 'gateway',
    class: 'state',
    weight: 1500,
    formula: 'Share of audit rows whose chain verifies, last 30 days.',
  },
  fresh_secrets: {
    pillar: 'ai_governance',
    source: 'gateway',
    class: 'state',
    weight: 1000,
    formula: 'Share of keys younger than 90 days or with an expiry.',
  },
  budgeted: {
    pillar: 'ai_governance',
    source: 'gateway',
    class: 'state',
    weight: 1000,
    formula: 'Share of spend under a hard budget, last 30 days.',
  },
} as const satisfies Record<string, SignalDefinition>

export type SignalId = keyof typeof SIGNALS

export function isSignalId(id: string): id is SignalId {
  return Object.hasOwn(SIGNALS, id)
}

/** Ids of all signals, in the order of the catalogue. */
export const SIGNAL_IDS: readonly SignalId[] = Object.keys(SIGNALS).filter(isSignalId)

/** Ids of a pillar's signals, in the order of the catalogue. */
export function signalsOf(pillar: PillarName): readonly SignalId[] {
  return SIGNAL_IDS.filter((id) => SIGNALS[id].pillar === pillar)
}
