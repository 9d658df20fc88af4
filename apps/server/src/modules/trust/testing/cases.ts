import type { ModuleCases } from '../../../../test/generated/module-cases.ts'

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/trust/scores/recalculate': (n) => ({ reason: `Sample ${n}` }),
}

const found: ModuleCases['found'] = {
  snapshot_id: ({ admin }) => admin.post('/trust/scores/recalculate', {}),
}

/** What the suites over all routes cannot read from the declarations of this module. */
export const cases: ModuleCases = { bodies, found }
