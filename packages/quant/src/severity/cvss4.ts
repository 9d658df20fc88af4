import { type ClassDistance, classDistance } from './cvss4-distance.ts'
import { at, effectiveLevels, type Levels } from './cvss4-levels.ts'
import { type Macrovector, macrovectorTenths } from './cvss4-macrovectors.ts'
import { cvss4Format } from './cvss4-metrics.ts'
import { type Severity, severityOf } from './rating.ts'
import { createVectorReader, type MetricValues } from './vector.ts'

/** Name of the score by the metric groups in use (specification, section 1.3). */
export type Nomenclature = 'CVSS-B' | 'CVSS-BT' | 'CVSS-BE' | 'CVSS-BTE'

export interface Cvss4 {
  /** 0..10, one decimal place. */
  readonly score: number
  readonly severity: Severity
  /** Levels of EQ1..EQ6, for example `002201`. */
  readonly macrovector: string
  readonly nomenclature: Nomenclature
  readonly metrics: MetricValues
}

const reader = createVectorReader(cvss4Format)
const threatMetrics = namesOf('threat')
const environmentalMetrics = namesOf('environmental')

/** Scores a CVSS 4.0 vector string; throws `VectorError` with position and metric where it is invalid. */
export function cvss4(vector: string): Cvss4 {
  const metrics = reader.read(vector)
  const levels = effectiveLevels(metrics)
  const macrovector = macrovectorOf(levels)
  const score = scoreOf(macrovector, levels)
  return {
    score,
    severity: severityOf(score),
    macrovector: macrovector.join(''),
    nomenclature: nomenclatureOf(metrics),
    metrics,
  }
}

/** Equivalence classes of section 8.2. Level 0 of a metric is its most severe value; SC, SI and SA have S above H. */
function macrovectorOf(levels: Levels): Macrovector {
  return [
    exploitabilityClass(levels),
    levels[at.AC] === 0 && levels[at.AT] === 0 ? 0 : 1,
    impactClass(levels),
    Math.min(2, levels[at.SC] ?? 0, levels[at.SI] ?? 0, levels[at.SA] ?? 0),
    levels[at.E] ?? 0,
    (levels[at.CR] === 0 && levels[at.VC] === 0) ||
    (levels[at.IR] === 0 && levels[at.VI] === 0) ||
    (levels[at.AR] === 0 && levels[at.VA] === 0)
      ? 0
      : 1,
  ]
}

function exploitabilityClass(levels: Levels): number {
  const [network, unprivileged, unattended] = [levels[at.AV] === 0, levels[at.PR] === 0, levels[at.UI] === 0]
  if (network && unprivileged && unattended) return 0
  return (network || unprivileged || unattended) && levels[at.AV] !== 3 ? 1 : 2
}

function impactClass(levels: Levels): number {
  if (levels[at.VC] === 0 && levels[at.VI] === 0) return 0
  return levels[at.VC] === 0 || levels[at.VI] === 0 || levels[at.VA] === 0 ? 1 : 2
}

/** Least common multiple of all depths (1, 2, 4, 5, 6, 7, 8, 10): keeps the interpolation in whole numbers. */
const unit = 840

/**
 * Interpolation of section 8.2: score of the macrovector minus the mean, over the classes that have a lower
 * macrovector, of the score difference in proportion to the severity distance. Whole numbers make "round half up"
 * exact: in floating point 8.6 − 7.15 rounds to 1.4, and the specification wants 1.5.
 */
function scoreOf(macrovector: Macrovector, levels: Levels): number {
  if (!hasImpact(levels)) return 0
  const [eq1, eq2, eq3, eq4, eq5, eq6] = macrovector
  const tenths = macrovectorTenths(macrovector)
  // EQ5 has one vector per level: its distance is 0, but it counts in the mean.
  const classes = [
    shareOf(tenths, macrovectorTenths([eq1 + 1, eq2, eq3, eq4, eq5, eq6]), classDistance('eq1', eq1, levels)),
    shareOf(tenths, macrovectorTenths([eq1, eq2 + 1, eq3, eq4, eq5, eq6]), classDistance('eq2', eq2, levels)),
    shareOf(tenths, lowerImpactTenths(macrovector), classDistance('eq3eq6', 2 * eq3 + eq6, levels)),
    shareOf(tenths, macrovectorTenths([eq1, eq2, eq3, eq4 + 1, eq5, eq6]), classDistance('eq4', eq4, levels)),
    shareOf(tenths, macrovectorTenths([eq1, eq2, eq3, eq4, eq5 + 1, eq6]), { steps: 0, depth: 1 }),
  ]
  let sum = 0
  let lowerClasses = 0
  for (const share of classes) {
    if (share < 0) continue
    sum += share
    lowerClasses++
  }
  const scale = unit * Math.max(1, lowerClasses)
  const rounded = Math.floor((2 * (tenths * scale - sum) + scale) / (2 * scale))
  return Math.min(100, Math.max(0, rounded)) / 10
}

/** Proportional distance of a class in 1/840 of a tenth, or -1 where no lower macrovector exists. */
function shareOf(tenths: number, lower: number, distance: ClassDistance): number {
  return lower < 0 ? -1 : ((tenths - lower) * distance.steps * unit) / distance.depth
}

function hasImpact(levels: Levels): boolean {
  const noneOnVulnerable = levels[at.VC] === 2 && levels[at.VI] === 2 && levels[at.VA] === 2
  const noneOnSubsequent = levels[at.SC] === 3 && levels[at.SI] === 3 && levels[at.SA] === 3
  return !(noneOnVulnerable && noneOnSubsequent)
}

/** EQ3 and EQ6 are one class; from 00 two lower macrovectors exist, and the higher score counts. */
function lowerImpactTenths([eq1, eq2, eq3, eq4, eq5, eq6]: Macrovector): number {
  const lowerEq3 = macrovectorTenths([eq1, eq2, eq3 + 1, eq4, eq5, eq6])
  const lowerEq6 = macrovectorTenths([eq1, eq2, eq3, eq4, eq5, eq6 + 1])
  if (eq6 === 1) return lowerEq3
  return eq3 === 1 ? lowerEq6 : Math.max(lowerEq3, lowerEq6)
}

function nomenclatureOf(metrics: MetricValues): Nomenclature {
  if (uses(metrics, threatMetrics)) return uses(metrics, environmentalMetrics) ? 'CVSS-BTE' : 'CVSS-BT'
  return uses(metrics, environmentalMetrics) ? 'CVSS-BE' : 'CVSS-B'
}

function uses(metrics: MetricValues, names: readonly string[]): boolean {
  for (const name of names) if ((metrics.get(name) ?? 'X') !== 'X') return true
  return false
}

function namesOf(group: string): readonly string[] {
  return cvss4Format.metrics.filter((metric) => metric.group === group).map((metric) => metric.name)
}
