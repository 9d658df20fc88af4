import type { MetricValues } from './vector.ts'

/**
 * Severity levels of the scored metrics, most severe first (specification, section 8.2), in the order of the
 * equivalence classes. SC has no S, yet H keeps level 1 as in SI and SA.
 */
const scored = [
  'AV:NALP',
  'PR:NLH',
  'UI:NPA',
  'AC:LH',
  'AT:NP',
  'VC:HLN',
  'VI:HLN',
  'VA:HLN',
  'CR:HML',
  'IR:HML',
  'AR:HML',
  'SC:SHLN',
  'SI:SHLN',
  'SA:SHLN',
  'E:APU',
].map((text) => {
  const [name = '', values = ''] = text.split(':')
  const isThreatOrRequirement = ['CR', 'IR', 'AR', 'E'].includes(name)
  return { name, values, modified: isThreatOrRequirement ? null : `M${name}` }
})

/** Effective severity level of each scored metric: modified value, else base or threat value, else the worst case. */
export type Levels = readonly number[]

/** Position of each scored metric in {@link Levels}. */
export const at = {
  AV: 0,
  PR: 1,
  UI: 2,
  AC: 3,
  AT: 4,
  VC: 5,
  VI: 6,
  VA: 7,
  CR: 8,
  IR: 9,
  AR: 10,
  SC: 11,
  SI: 12,
  SA: 13,
  E: 14,
} as const

export function effectiveLevels(metrics: MetricValues): Levels {
  const levels: number[] = []
  for (const { name, values, modified } of scored) levels.push(levelOf(values, effective(metrics, name, modified)))
  return levels
}

function effective(metrics: MetricValues, name: string, modified: string | null): string {
  const changed = modified === null ? undefined : metrics.get(modified)
  return changed === undefined || changed === 'X' ? (metrics.get(name) ?? 'X') : changed
}

/** "Not defined" counts as the most severe value. */
function levelOf(values: string, value: string): number {
  return value === 'X' ? 0 : values.indexOf(value)
}

/** Levels of a vector written as its values only, beginning at a metric, for example `NLN` at AV. */
export function levelsFrom(first: number, vector: string): Levels {
  return [...vector].map((value, index) => levelOf(scored[first + index]?.values ?? '', value))
}
