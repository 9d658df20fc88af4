import type { ModuleCases } from '../../../../test/generated/module-cases.ts'

const steps = [{ step: 'restore', distribution: { type: 'constant', value: 10 } }]

const bodies: ModuleCases['bodies'] = {
  'PATCH /api/v1/resilience/model': (n) => ({
    mode: 'merge',
    services: [{ key: `sample-${n}`, name: `Sample ${n}`, kind: 'component', criticality: 3, recovery_steps: steps }],
  }),
  'POST /api/v1/resilience/scenarios': (n) => ({
    name: `Sample ${n}`,
    faults: [{ seam: 'upstream', kind: 'latency', targets: ['nowhere/*'], delay_ms: { type: 'constant', value: 1 } }],
  }),
  'PATCH /api/v1/resilience/scenarios/{scenario_id}': (n) => ({ name: `Sample ${n}` }),
  'POST /api/v1/resilience/simulations': (n) => ({ method: 'exact', seed: String(n) }),
  'POST /api/v1/resilience/chaos/experiments': (n, ids) => ({
    ...{ scenario_id: ids.scenario_id, mode: 'dry_run', ttl_seconds: 5 + (n % 1_000) },
    blast_radius: { percentage: 1, max_affected_calls: 1 },
  }),
  'POST /api/v1/resilience/chaos/experiments/{experiment_id}/actions': () => ({ action: 'abort' }),
}

const memberKinds = { cancel: 'outage_simulation_id' }

/** A simulation of a sample has ended before it could be cancelled; a planned experiment has none of the states. */
const unreached = ['POST /api/v1/resilience/chaos/experiments/{experiment_id}/actions']

/** Filled by outages, running experiments and the safety lever. */
const emptyTables = ['resilience_measurement', 'resilience_journal', 'resilience_lever']

/** Services come with a PATCH of the whole model, and the samples of experiments are dry runs. */
const unmovedFacts = ['resilience.objectives', 'resilience.experiments']

/** What a probe is compared with. */
const noIds = [
  ...['POST /api/v1/resilience/scenarios', 'PATCH /api/v1/resilience/scenarios/{scenario_id}'].map(
    (route) => `${route} body/hypothesis/probes[]/tolerance/value`,
  ),
  'POST /api/v1/resilience/chaos/experiments body/guards[]/tolerance/value',
]

/** Facts that the suites over all routes cannot read from the declarations of this module. */
export const cases: ModuleCases = { bodies, memberKinds, unreached, emptyTables, unmovedFacts, noIds }
