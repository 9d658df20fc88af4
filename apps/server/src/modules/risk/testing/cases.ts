import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { expectStatus } from '../../../../test/support/world.ts'
import { ownId } from './risk-world.ts'

const model = {
  nodes: {
    loss_event_frequency: { type: 'pert', low: 0.5, mode: 2, high: 5 },
    loss_magnitude: { type: 'pert', low: 10_000, mode: 50_000, high: 300_000 },
  },
}

const memberKinds = {
  // Of an action or an indicator: nothing of another kind is one.
  id: 'risk_id',
  analysis_ids: 'analysis_id',
  previous_simulation_id: 'simulation_id',
}

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/risk/register': (n, ids) => ({
    title: `Sample risk ${n}`,
    category: 'operational',
    owner_id: ids.user_id,
    inherent: { likelihood: 3, impact: 3 },
  }),
  'PATCH /api/v1/risk/register/{risk_id}': (n) => ({ title: `Sample risk ${n}` }),
  'POST /api/v1/risk/fair/analyses': (n, ids) => ({
    risk_id: ids.risk_id,
    purpose: 'what_if',
    currency: 'USD',
    model,
    rationale: { loss_magnitude: `Sample ${n}` },
  }),
  'POST /api/v1/risk/simulations': (n, ids) => ({
    kind: 'scenario',
    analysis_ids: [ids.analysis_id],
    iterations: 1000,
    seed: String(n),
  }),
  'POST /api/v1/risk/threats/import': (n) => ({
    format: 'custom',
    content: JSON.stringify([{ external_id: `SAMPLE-${n}`, type: 'attack-pattern', name: `Sample ${n}` }]),
  }),
}

let imported = 0

const found: ModuleCases['found'] = {
  // The library has no path of its own for one threat, so its rows come along.
  risk_id: async ({ admin }) => {
    imported += 1
    const threats = [1, 2].map((i) => ({
      external_id: `TWIN-${imported}-${i}`,
      type: 'tool',
      name: `Tool ${imported}`,
    }))
    const library = { format: 'custom', content: JSON.stringify(threats) }
    expectStatus(await admin.post('/risk/threats/import', library), 201)
    const risk = { title: `Sample risk of a twin ${imported}`, category: 'security', owner_id: await ownId(admin) }
    return admin.post('/risk/register', { ...risk, inherent: { likelihood: 3, impact: 3 } })
  },
}

const action = { title: 'Sample', due_at: '2999-01-01T00:00:00Z' }

const idPlaces: ModuleCases['idPlaces'] = {
  'GET /api/v1/risk/register query/owner_id': { kind: 'admin_id', with: (id) => ({ owner_id: id }), shows: false },
  'POST /api/v1/risk/register body/treatment/actions[]/owner_id': {
    kind: 'user_id',
    with: (id) => ({ treatment: { strategy: 'mitigate', actions: [{ ...action, owner_id: id }] } }),
  },
  'PATCH /api/v1/risk/register/{risk_id} body/treatment/actions[]/owner_id': {
    kind: 'user_id',
    with: (id) => ({ treatment: { strategy: 'mitigate', actions: [{ ...action, owner_id: id }] } }),
  },
  // Counts only where the path says `latest`.
  'GET /api/v1/risk/simulations/{simulation_id} query/risk_id': {
    kind: 'risk_id',
    with: (id) => ({ risk_id: id }),
    shows: false,
  },
  'POST /api/v1/risk/simulations body/correlation/variables[]/analysis_id': {
    kind: 'analysis_id',
    with: (id) => ({
      ...{ kind: 'portfolio', analysis_ids: [id] },
      correlation: { variables: [{ analysis_id: id, node: '/nodes/loss_event_frequency' }], spearman: [[1]] },
    }),
  },
}

const noIds = [
  // Of parts of the risk itself.
  'POST /api/v1/risk/register body/treatment/actions[]/id',
  'PATCH /api/v1/risk/register/{risk_id} body/treatment/actions[]/id',
  'POST /api/v1/risk/register body/kris[]/id',
  'PATCH /api/v1/risk/register/{risk_id} body/kris[]/id',
  // Names of controls, wherever they are kept.
  'POST /api/v1/risk/register body/treatment/actions[]/control_ids[]',
  'PATCH /api/v1/risk/register/{risk_id} body/treatment/actions[]/control_ids[]',
  'POST /api/v1/risk/fair/analyses body/controls[]/id',
  'POST /api/v1/risk/simulations body/controls[]/id',
]

/** A simulation of a sample has ended before it could be cancelled. */
const unreached = ['POST /api/v1/risk/simulations/{simulation_id}/cancel']

/** Filled by blocked calls and alerts alone. */
const emptyTables = ['risk_attempt', 'risk_attempt_source']

/** Told of a residual analysis or a portfolio simulation; samples are what-if analyses and simulations of scenarios. */
const unmovedFacts = ['risk.losses']

/** Facts that the suites over all routes cannot read from the declarations of this module. */
export const cases: ModuleCases = { memberKinds, bodies, found, idPlaces, noIds, unreached, emptyTables, unmovedFacts }
