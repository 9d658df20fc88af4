/** Simulated outages, and the price of a fault seam that nobody armed and of one with rules of other tenants. */

import { Aborter } from '../../apps/server/src/kernel/base/abort.ts'
import { createFaults } from '../../apps/server/src/kernel/faults/seams.ts'
import { decide, type LiveRules } from '../../apps/server/src/modules/resilience/chaos/rules.ts'
import type { ModelParts } from '../../apps/server/src/modules/resilience/declared/model-schema.ts'
import { simulateRuns } from '../../apps/server/src/modules/resilience/engine/simulate.ts'
import { answerUsage } from '../usage.mjs'

const outages = 100_000
const hours = (mean: number) => ({ type: 'exponential', mean }) as const

/** Fifty services in ten tiers, each of which needs two of the tier below. */
const parts: ModelParts = {
  services: Array.from({ length: 50 }, (_, i) => ({
    ...{ key: `s-${i}`, name: `Service ${i}`, kind: 'component' as const, criticality: 3, failure: hours(500) },
    dependencies:
      i < 5 ? [] : [i - 5, (i - 4) % 50].map((target) => ({ target: `s-${target}`, type: 'soft' as const })),
    recovery_steps: [
      { step: 'restore' as const, distribution: { type: 'pert' as const, low: 5, mode: 30, high: 240 } },
    ],
    objectives: { rto_minutes: 120 },
  })),
  common_causes: [],
}

/** Milliseconds for at least so many outages, and how many there were. */
function simulate() {
  const inputs = { parts, failing: {}, horizonHours: 8_760, seed: '42' }
  const began = process.hrtime.bigint()
  let [count, run, events] = [0, 0, 0]
  while (count < outages) {
    const block = simulateRuns(inputs, run + 1, run + 26)
    run += 25
    events += block.events
    count += block.states.reduce((sum, state) => sum + state.outages, 0)
  }
  return { ms: Number(process.hrtime.bigint() - began) / 1e6, count, events }
}

function nanoseconds(times: number, work: () => unknown): number {
  for (let i = 0; i < times / 10; i += 1) work()
  const began = process.hrtime.bigint()
  for (let i = 0; i < times; i += 1) work()
  return Number(process.hrtime.bigint() - began) / times
}

const { seams } = createFaults()
const rules: LiveRules = {
  ...{ experimentId: 'e', tenantId: 'other', faults: [{ seam: 'upstream', kind: 'unavailable' }], percentage: 100 },
  ...{
    seed: 's',
    requestPrefix: null,
    leaseUntilMs: Number.POSITIVE_INFINITY,
    allowance: 1e9,
    release: new Aborter(),
    hit: () => undefined,
  },
}
const point = { tenantId: 'mine', target: 'openai/gpt', requestId: 'req_1' }
const times = 5_000_000

const simulated = [simulate(), simulate(), simulate()]
answerUsage({
  simulated,
  inactive_ns: nanoseconds(times, () => seams.upstream !== undefined),
  foreign_rule_ns: nanoseconds(times, () => decide(rules, 'upstream', point, 0)),
})
