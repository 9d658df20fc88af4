import type { ModuleCases } from '../../../../test/generated/module-cases.ts'

const memberKinds = { baseline: 'snapshot_id' }

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/trust/scores/recalculate': (n) => ({ reason: `Sample ${n}` }),
  'POST /api/v1/trust/scores/simulate': () => ({ changes: [{ signal: 'enforced', value: 90 }] }),
  // Any other number is another version.
  'PATCH /api/v1/trust/decay-config': (n) => ({ trend_window_hours: 24 + (n % 8_000) }),
}

const found: ModuleCases['found'] = {
  // A pillar has a name and no id.
  pillar: async ({ admin }) => {
    const answer = await admin.get('/trust/pillars/risk')
    return { ...answer, body: { ...answer.body, data: { id: answer.body.data.pillar } } }
  },
  snapshot_id: ({ admin }) => admin.post('/trust/scores/recalculate', {}),
}

/** Facts about this module that the suites over all routes cannot read from its declarations. */
export const cases: ModuleCases = {
  memberKinds,
  bodies,
  found,
  constants: ['pillar'],
  // Filled when history is old enough to be thinned out.
  emptyTables: ['trust_extreme'],
  unchanging: ['POST /api/v1/trust/scores/simulate'],
}
