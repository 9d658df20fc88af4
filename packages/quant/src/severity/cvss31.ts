import { type Severity, severityOf } from './rating.ts'
import { createVectorReader, type MetricGroup, type MetricValues, type VectorFormat } from './vector.ts'

export interface Cvss31 {
  /** The most specific score: environmental, else temporal, else base. 0..10, one decimal place. */
  readonly score: number
  readonly severity: Severity
  readonly base: number
  /** Null without temporal metrics (E, RL, RC). */
  readonly temporal: number | null
  /** Null without environmental metrics. */
  readonly environmental: number | null
  readonly metrics: MetricValues
}

/** Metrics of CVSS 3.1. The temporal group is called threat here, as in CVSS 4.0. */
const table: readonly (readonly [MetricGroup, string, string])[] = [
  ['base', 'AV', 'NALP'],
  ['base', 'AC', 'LH'],
  ['base', 'PR', 'NLH'],
  ['base', 'UI', 'NR'],
  ['base', 'S', 'UC'],
  ['base', 'C', 'HLN'],
  ['base', 'I', 'HLN'],
  ['base', 'A', 'HLN'],
  ['threat', 'E', 'XHFPU'],
  ['threat', 'RL', 'XUWTO'],
  ['threat', 'RC', 'XCRU'],
  ['environmental', 'CR', 'XHML'],
  ['environmental', 'IR', 'XHML'],
  ['environmental', 'AR', 'XHML'],
  ['environmental', 'MAV', 'XNALP'],
  ['environmental', 'MAC', 'XLH'],
  ['environmental', 'MPR', 'XNLH'],
  ['environmental', 'MUI', 'XNR'],
  ['environmental', 'MS', 'XUC'],
  ['environmental', 'MC', 'XHLN'],
  ['environmental', 'MI', 'XHLN'],
  ['environmental', 'MA', 'XHLN'],
]

const format: VectorFormat = {
  prefix: 'CVSS:3.1',
  metrics: table.map(([group, name, values]) => ({ group, name, values: [...values] })),
  order: 'any',
}
const reader = createVectorReader(format)

/** Numeric values of the metrics (specification, section 7.4). Privileges weigh more where the scope changes. */
const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  'PR changed': { N: 0.85, L: 0.68, H: 0.5 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
  E: { X: 1, H: 1, F: 0.97, P: 0.94, U: 0.91 },
  RL: { X: 1, U: 1, W: 0.97, T: 0.96, O: 0.95 },
  RC: { X: 1, C: 1, R: 0.96, U: 0.92 },
  CR: { X: 1, H: 1.5, M: 1, L: 0.5 },
  IR: { X: 1, H: 1.5, M: 1, L: 0.5 },
  AR: { X: 1, H: 1.5, M: 1, L: 0.5 },
}

/** Scores a CVSS 3.1 vector string (any metric order); throws `VectorError` with position and metric. */
export function cvss31(vector: string): Cvss31 {
  const metrics = reader.read(vector)
  const base = baseScore(metrics)
  const temporal = uses(metrics, 'threat') ? roundUp(base * temporalFactor(metrics)) : null
  const environmental = uses(metrics, 'environmental') ? environmentalScore(metrics) : null
  const score = environmental ?? temporal ?? base
  return { score, severity: severityOf(score), base, temporal, environmental, metrics }
}

function baseScore(metrics: MetricValues): number {
  const changed = metrics.get('S') === 'C'
  const weight = (metric: string) => weightOf(metric, metrics.get(nameOf(metric)))
  const subscore = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'))
  const impact = changed ? 7.52 * (subscore - 0.029) - 3.25 * power(subscore - 0.02, 15) : 6.42 * subscore
  return impact <= 0 ? 0 : roundUp(combine(impact, exploitability(weight, changed), changed))
}

function environmentalScore(metrics: MetricValues): number {
  const value = (metric: string) => modified(metrics, metric)
  const changed = value('S') === 'C'
  const weight = (metric: string) => weightOf(metric, value(nameOf(metric)))
  const demand = (metric: string) => weightOf(metric, metrics.get(metric))
  const kept = (1 - demand('CR') * weight('C')) * (1 - demand('IR') * weight('I')) * (1 - demand('AR') * weight('A'))
  const subscore = Math.min(1 - kept, 0.915)
  const impact = changed ? 7.52 * (subscore - 0.029) - 3.25 * power(subscore * 0.9731 - 0.02, 13) : 6.42 * subscore
  if (impact <= 0) return 0
  return roundUp(roundUp(combine(impact, exploitability(weight, changed), changed)) * temporalFactor(metrics))
}

function exploitability(weight: (metric: string) => number, changed: boolean): number {
  return 8.22 * weight('AV') * weight('AC') * weight(changed ? 'PR changed' : 'PR') * weight('UI')
}

function combine(impact: number, exploitable: number, changed: boolean): number {
  return Math.min((changed ? 1.08 : 1) * (impact + exploitable), 10)
}

function temporalFactor(metrics: MetricValues): number {
  return ['E', 'RL', 'RC'].reduce((product, metric) => product * weightOf(metric, metrics.get(metric)), 1)
}

function weightOf(metric: string, value: string | undefined): number {
  return weights[metric]?.[value ?? 'X'] ?? 1
}

function modified(metrics: MetricValues, metric: string): string | undefined {
  const changed = metrics.get(`M${metric}`)
  return changed === undefined || changed === 'X' ? metrics.get(metric) : changed
}

function uses(metrics: MetricValues, group: MetricGroup): boolean {
  return format.metrics.some((metric) => metric.group === group && (metrics.get(metric.name) ?? 'X') !== 'X')
}

/** `Roundup` of appendix A: smallest number with one decimal place that is not below the value, in whole numbers. */
function roundUp(value: number): number {
  const hundredThousandths = Math.round(value * 100_000)
  return hundredThousandths % 10_000 === 0
    ? hundredThousandths / 100_000
    : (Math.floor(hundredThousandths / 10_000) + 1) / 10
}

/** By multiplication: the last digit of `Math.pow` differs between engines. */
function power(base: number, exponent: number): number {
  let result = 1
  for (let i = 0; i < exponent; i++) result *= base
  return result
}

/** Metric of a weight table: "PR changed" weighs PR. */
function nameOf(weightTable: string): string {
  return weightTable === 'PR changed' ? 'PR' : weightTable
}
