import { vi } from 'vitest'
import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { expectStatus } from '../../../../test/support/world.ts'

const experiments = '/resilience/chaos/experiments'
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

/** Filled by outages and the safety lever. */
const emptyTables = ['resilience_measurement', 'resilience_lever']

const found: ModuleCases['found'] = {
  // Services come with a change of the whole model.
  model_service_id: async ({ admin }) => {
    const body = { key: 'found', name: 'Found', kind: 'component', criticality: 4, recovery_steps: steps }
    const services = [{ ...body, objectives: { rto_minutes: 60 } }]
    expectStatus(await admin.patch('/resilience/model', { mode: 'merge', services }), 200)
    return admin.get('/resilience/rto-rpo?service=found')
  },
  // One that was begun and has ended, as evidence; a scenario of the library is approved.
  experiment_id: async ({ admin }) => {
    const library = expectStatus(await admin.get('/resilience/scenarios?tag=builtin&q=Provider%20outage'), 200).body
    const body = { scenario_id: library.data[0].id, mode: 'automated', ttl_seconds: 5 }
    const blast_radius = { percentage: 0.001, max_affected_calls: 1 }
    const made = expectStatus(await admin.post(experiments, { ...body, blast_radius }), 201).body.data
    const aborted = await admin.post(`${experiments}/${made.id}/actions`, { action: 'abort' })
    // One that ended before it was aborted has ended all the same.
    if (aborted.status !== 409) expectStatus(aborted, 200)
    const ended = async () => {
      const answer = await admin.get(`${experiments}/${made.id}`)
      if (answer.body.data.finished_at === null) throw new Error('the experiment goes on')
      return answer
    }
    return vi.waitFor(ended, { timeout: 60_000, interval: 100 })
  },
}

/** Values that a probe is compared with. */
const noIds = [
  ...['POST /api/v1/resilience/scenarios', 'PATCH /api/v1/resilience/scenarios/{scenario_id}'].map(
    (route) => `${route} body/hypothesis/probes[]/tolerance/value`,
  ),
  'POST /api/v1/resilience/chaos/experiments body/guards[]/tolerance/value',
]

/** Facts that the suites over all routes cannot read from the declarations of this module. */
export const cases: ModuleCases = { bodies, memberKinds, found, unreached, emptyTables, noIds }
