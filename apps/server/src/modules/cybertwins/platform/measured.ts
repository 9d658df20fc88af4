/**
 * Efficacy of the injection guardrail as the gateway measured it: of the attacks that it saw, the share that it blocked.
 * The mean is that of a Beta(1, 1) belief after the counts, so that three blocked attacks are no certainty; the interval
 * is Wilson's. Attacks that nothing saw are in no count. Pure. Tested in measured.test.ts.
 */
import { meanSuccess, updateSuccess } from '@parapet/graph'
import { wilsonInterval } from '@parapet/quant'
import type { ReadControl } from '../assets/content.ts'
import type { Attacks } from './facts.ts'

const injectionSteps: ReadonlySet<string> = new Set(['injection_detection', 'reported_missed'])
/** Attacks on one agent from which on its own record counts, and not that of the whole tenant. */
const enough = 20
const techniques = ['AML.T0051', 'AML.T0051.000', 'AML.T0051.001']

export const injectionControl = 'gateway.injection_detection'

/** Null where no attack was seen: nothing was measured, and nothing is assumed. */
export function measuredGuardrail({ seen, from, to }: Attacks, agentId: string): ReadControl | null {
  const attacks = seen.filter(({ step }) => injectionSteps.has(step))
  const own = countsOf(attacks.filter((one) => one.agentId === agentId))
  const { blocked, passed } = own.blocked + own.passed >= enough ? own : countsOf(attacks)
  const n = blocked + passed
  if (n === 0) return null
  const { low, high } = wilsonInterval(blocked, n)
  const efficacy = meanSuccess(updateSuccess({ alpha: 1, beta: 1 }, blocked, passed))
  return {
    ...{ control_id: injectionControl, efficacy, coverage: 1, techniques: [...techniques] },
    measured: { blocked, passed, low: Math.min(low, efficacy), high: Math.max(high, efficacy), from, to },
  }
}

function countsOf(attacks: Attacks['seen']) {
  return {
    blocked: attacks.reduce((sum, one) => sum + one.blocked, 0),
    passed: attacks.reduce((sum, one) => sum + one.passed, 0),
  }
}
