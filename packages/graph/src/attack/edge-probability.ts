import { cvss4, exploitationWithin, type MetricValues } from '@parapet/quant'

/** Version of the edge model; a change of any number below gets a new one. */
export const edgeModelVersion = 'pm-1'

/** Control on an edge. */
export interface EdgeControl {
  /** Share of attempts that it stops where it acts, 0..1. */
  readonly efficacy: number
  /** Share of the traffic or assets on which it acts, 0..1. */
  readonly coverage: number
}

export interface EdgeFactors {
  /** P(attempt within the horizon), 0..1. */
  readonly attempt: number
  /** P(success | attempt) without controls, 0..1. */
  readonly success: number
  readonly controls: readonly EdgeControl[]
}

/** `P(attempt in T) × P(success | attempt) × Π(1 − efficacy·coverage)`. */
export function edgeProbability({ attempt, success, controls }: EdgeFactors): number {
  requireProbability('attempt', attempt)
  requireProbability('success', success)
  return controls.reduce((product, { efficacy, coverage }) => {
    requireProbability('efficacy', efficacy)
    requireProbability('coverage', coverage)
    return product * (1 - efficacy * coverage)
  }, attempt * success)
}

/** Privileges that the attacker holds at the source of an edge. */
export type Foothold = 'none' | 'low' | 'high'

export interface ExploitAttempt {
  /** Listed in CISA's Known Exploited Vulnerabilities catalog: an attempt is certain. */
  readonly kev: boolean
  /** EPSS, 30 days; null where unknown. */
  readonly epss: number | null
  readonly horizonDays: number
  /** Least probability of an attempt by the attacker profile. */
  readonly profileFloor: number
}

/** P(attempt) on a vulnerability: 1 in KEV, else EPSS over the horizon, never below the profile's floor. */
export function exploitAttempt({ kev, epss, horizonDays, profileFloor }: ExploitAttempt): number {
  requireProbability('floor', profileFloor)
  return kev ? 1 : Math.max(profileFloor, exploitationWithin(epss ?? 0, horizonDays))
}

const baseSuccess = 0.9
const complexFactor = 0.5
const requirementFactor = 0.6
const interactionFactors: Readonly<Record<string, number>> = { P: 0.7, A: 0.4 }
const privilegeFactors: Readonly<Record<string, number>> = { L: 0.85, H: 0.6 }
const privileges: Readonly<Record<string, number>> = { none: 0, N: 0, low: 1, L: 1, high: 2, H: 2 }

/**
 * P(success | attempt) of a vulnerability from its CVSS 4.0 vector: 0.9 × AC:H 0.5 × AT:P 0.6 × (UI:P 0.7, UI:A 0.4) ×
 * (PR:L 0.85, PR:H 0.6), privileges only where the foothold lacks them. Modified metrics count before base metrics.
 *
 * @throws VectorError for an invalid vector
 */
export function exploitSuccess(vector: string, foothold: Foothold): number {
  const metrics = cvss4(vector).metrics
  const required = effective(metrics, 'PR')
  const lacksPrivilege = (privileges[required] ?? 0) > (privileges[foothold] ?? 0)
  return (
    baseSuccess *
    (effective(metrics, 'AC') === 'H' ? complexFactor : 1) *
    (effective(metrics, 'AT') === 'P' ? requirementFactor : 1) *
    (interactionFactors[effective(metrics, 'UI')] ?? 1) *
    (lacksPrivilege ? (privilegeFactors[required] ?? 1) : 1)
  )
}

function effective(metrics: MetricValues, metric: string): string {
  const modified = metrics.get(`M${metric}`) ?? 'X'
  return modified === 'X' ? (metrics.get(metric) ?? 'X') : modified
}

/** Several independent ways along one edge: `1 − Π(1 − p)`. */
export function anyOf(probabilities: readonly number[]): number {
  return 1 - probabilities.reduce((kept, p) => kept * (1 - requireProbability('probability', p)), 1)
}

/** Default success probabilities of edges of AI systems, by MITRE ATLAS technique. */
export const aiEdgeDefaults: Readonly<Record<string, number>> = {
  /** Content to agent: indirect prompt injection. */
  'AML.T0051.001': 0.4,
  /** Agent to tool. */
  'AML.T0053': 0.95,
  /** Agent to secret. */
  'AML.T0083': 0.2,
  /** Tool to data. */
  'AML.T0085.001': 0.9,
  /** Tool to the outside. */
  'AML.T0086': 0.8,
  /** Poisoned tool. */
  'AML.T0110': 0.3,
  /** Memory. */
  'AML.T0080': 0.3,
}

/** Belief about a probability: beta distribution. */
export interface BetaBelief {
  readonly alpha: number
  readonly beta: number
}

/** Posterior of a success probability after tests, for example red-team runs or blocked and passed injections. */
export function updateSuccess({ alpha, beta }: BetaBelief, successes: number, failures: number): BetaBelief {
  if (!(alpha > 0 && beta > 0)) throw new RangeError(`Alpha and beta must be above 0, got ${alpha} and ${beta}`)
  if (!(successes >= 0 && failures >= 0)) throw new RangeError('Successes and failures must be 0 or more')
  return { alpha: alpha + successes, beta: beta + failures }
}

/** Mean of a belief: the probability that an edge gets. */
export function meanSuccess({ alpha, beta }: BetaBelief): number {
  return alpha / (alpha + beta)
}

function requireProbability(name: string, value: number): number {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`The ${name} must be 0..1, got ${value}`)
  return value
}
