/**
 * First use of a tool, a destination, a model or a data class. A first use that the declaration does not allow counts from
 * the first day, others after the warm-up. Pure. Tested in detectors.test.ts.
 */
import { noveltyScore } from '@parapet/quant'
import type { Finding } from './finding.ts'
import { type BaselineState, isWarm } from './state.ts'

export interface FirstUse {
  readonly kind: string
  readonly name: string
  /** 0..1: capability of the tool; 1 for an undeclared one. */
  readonly capability: number
  readonly declared: boolean
}

export function judgeNovelty(
  state: BaselineState,
  { hour, uses }: { readonly hour: number; readonly uses: readonly FirstUse[] },
): readonly Finding[] {
  const warm = isWarm(state, hour)
  const ageDays = Math.max(0, hour - state.since) / 24
  return uses
    .filter(({ declared, capability }) => capability > 0 && (warm || !declared))
    .map(({ kind, name, capability }) => ({
      ...{ detector: 'novelty' as const, feature: `${kind}:${name}`.slice(0, 256) },
      ...{ observed: 1, expected: 0, threshold: 0 },
      strength: noveltyScore(ageDays, capability),
      ...{ from: hour, to: hour + 1, baseline: 'own' as const },
    }))
}
