import type { ModuleCases } from '../../../../test/generated/module-cases.ts'

const guardrail = (n: number) => ({
  ...{ name: `Sample guardrail ${n}`, slug: `sample-guardrail-${n}`, kind: 'tool', action: 'deny' },
  checks: [{ type: 'cel', expression: 'args.sum > 1000' }],
})

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/aegis/guardrails': guardrail,
  'PATCH /api/v1/aegis/guardrails/{guardrail_id}': (n) => ({ name: `Sample guardrail ${n}` }),
  'POST /api/v1/aegis/guardrails/{guardrail_id}/rollout': () => ({ mode: 'monitor' }),
  'POST /api/v1/aegis/guardrails/evaluate': (n) => {
    const { slug: _slug, ...draft } = guardrail(n)
    return { guardrail: draft, samples: [{ tool: 'wire', args: { sum: 2000 } }] }
  },
  'POST /api/v1/aegis/kill-switches': (n) => ({
    ...{ scope: 'tool', value: `sample_tool_${n}`, level: 'block_new', reason: 'A sample of the suites' },
  }),
  'POST /api/v1/aegis/kill-switches/{kill_switch_id}/deactivate': () => ({ reason: 'A sample of the suites' }),
}

const evaluate = 'POST /api/v1/aegis/guardrails/evaluate'
const draft = { kind: 'tool', action: 'deny', checks: [{ type: 'cel', expression: 'true' }] }

const agent = (route: string) => ({
  [`${route} body/target/agent_ids[]`]: {
    kind: 'agent_id',
    with: (id: string) => ({ target: { agent_ids: [id] } }),
  },
})

const reason = 'A sample of the suites'
const switches = '/api/v1/aegis/kill-switches'

const idPlaces: ModuleCases['idPlaces'] = {
  ...agent('POST /api/v1/aegis/guardrails'),
  ...agent('PATCH /api/v1/aegis/guardrails/{guardrail_id}'),
  'GET /api/v1/aegis/guardrails query/agent_id': { kind: 'agent_id', with: (id) => ({ agent_id: id }), shows: false },
  [`GET ${switches} query/value`]: { kind: 'used_key_id', with: (id) => ({ value: id }) },
  [`POST ${switches} body/value`]: { kind: 'api_key_id', with: (id) => ({ scope: 'key', value: id, reason }) },
  [`POST ${switches} body/except[]`]: { kind: 'api_key_id', with: (id) => ({ except: [id] }) },
  [`${evaluate} body/guardrail/target/agent_ids[]`]: {
    kind: 'agent_id',
    with: (id) => ({ guardrail: { ...draft, target: { agent_ids: [id] } }, samples: [{ tool: 'wire' }] }),
    verbatim: true,
    shows: false,
  },
  // A sample of an agent that there is not is one without an agent.
  [`${evaluate} body/samples[]/agent_id`]: {
    kind: 'agent_id',
    with: (id) => ({ guardrail: draft, samples: [{ tool: 'wire', agent_id: id }] }),
    verbatim: true,
  },
  [`${evaluate} body/window/agent_id`]: {
    kind: 'agent_id',
    with: (id) => ({
      guardrail: draft,
      window: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', agent_id: id },
    }),
    shows: false,
  },
  [`${evaluate} body/guardrail_id`]: {
    kind: 'guardrail_id',
    with: (id) => ({ guardrail: draft, guardrail_id: id, samples: [{ tool: 'wire' }] }),
  },
  [`${evaluate} body/guardrail_ids[]`]: {
    kind: 'guardrail_id',
    with: (id) => ({ guardrail_ids: [id], samples: [{ tool: 'wire' }] }),
  },
}

/** Samples of guardrails and kill switches. */
export const cases: ModuleCases = {
  ...{ bodies, idPlaces },
  memberKinds: { agent_ids: 'agent_id', guardrail_ids: 'guardrail_id' },
  noIds: [
    // Names that the author of a sample gives.
    `${evaluate} body/samples[]/id`,
    // Replacement value of an argument.
    'POST /api/v1/aegis/guardrails body/action_config/value',
    'PATCH /api/v1/aegis/guardrails/{guardrail_id} body/action_config/value',
    `${evaluate} body/guardrail/action_config/value`,
  ],
  // The other door ends the same switches first.
  unreached: ['POST /api/v1/gateway/kill-switches/{kill_switch_id}/deactivate'],
  // Filled by calls.
  emptyTables: ['aegis_guardrail_metric'],
}
