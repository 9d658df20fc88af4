import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { expectStatus } from '../../../../test/support/world.ts'
import { signLicense } from '../licenses/testing/licenses.ts'

const memberKinds = {
  rollback_to: 'change_id',
}

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/admin/backups': (n) => ({ kind: 'tenant', verify: false, ...(n % 2 === 0 ? { target: 'local' } : {}) }),
  'PATCH /api/v1/admin/config': (n) => ({ values: { 'flags.stale_days': 1 + (n % 3000) }, comment: `Sample ${n}` }),
  // Only what is archived can be deleted.
  'POST /api/v1/admin/feature-flags': (n) => ({
    key: `sample-${n}`,
    value_type: 'boolean',
    variants: [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
    default_variant: 'on',
    off_variant: 'off',
    status: 'archived',
  }),
  'PATCH /api/v1/admin/feature-flags/{flag_key}': (n) => ({ description: `Sample ${n}` }),
  'POST /api/v1/admin/licenses': (n) => ({ license: signLicense({ license_id: `sample-${n}` }) }),
  'POST /ofrep/v1/evaluate/flags': (n) => ({ context: { targetingKey: `sample-${n}` } }),
  'POST /ofrep/v1/evaluate/flags/{flag_key}': (n) => ({ context: { targetingKey: `sample-${n}` } }),
  'POST /api/v1/admin/backups/{backup_id}/restore': (n) => (n % 2 === 0 ? { mode: 'verify' } : {}),
  'POST /api/v1/admin/keys/rotate': () => ({ purpose: 'data', dry_run: true }),
  'POST /api/v1/admin/audit-logs/verify': () => ({ from_seq: 1, to_seq: 1 }),
}

const found: ModuleCases['found'] = {
  job_id: async ({ admin }) => {
    expectStatus(await admin.post('/gateway/requests/export', { format: 'csv' }), 201)
    return admin.get('/admin/jobs', { query: { sort: '-created_at' } })
  },
}

const idPlaces: ModuleCases['idPlaces'] = {
  'GET /api/v1/admin/audit-logs query/actor_id': { kind: 'admin_id', with: (id) => ({ actor_id: id }) },
  'GET /api/v1/admin/audit-logs query/key_id': { kind: 'used_key_id', with: (id) => ({ key_id: id }) },
  'GET /api/v1/admin/config/changes query/author': { kind: 'admin_id', with: (id) => ({ author: id }) },
  'PATCH /api/v1/admin/config body/rollback_to': {
    kind: 'change_id',
    with: (id) => ({ rollback_to: id, values: undefined }),
  },
  'GET /api/v1/admin/backups query/id': { kind: 'backup_id', with: (id) => ({ id }) },
  'POST /api/v1/admin/backups/{backup_id}/restore body/tenant_id': {
    kind: 'tenant_id',
    with: (id) => ({ mode: 'as_new_tenant', slug: 'sample', tenant_id: id }),
    shows: false,
  },
  // Only a flag of the platform tells tenants apart: here every tenant is refused alike, one's own too.
  'POST /api/v1/admin/feature-flags body/overrides[]/tenant_id': {
    kind: 'tenant_id',
    with: (id) => ({
      ...{ key: 'apart', value_type: 'boolean', default_variant: 'on', off_variant: 'on' },
      variants: [{ key: 'on', value: true }],
      overrides: [{ tenant_id: id, variant: 'on' }],
    }),
    shows: false,
  },
  'PATCH /api/v1/admin/feature-flags/{flag_key} body/overrides[]/tenant_id': {
    kind: 'tenant_id',
    with: (id) => ({ overrides: [{ tenant_id: id, variant: 'on' }] }),
    shows: false,
  },
  'GET /api/v1/admin/jobs query/id': { kind: 'job_id', with: (id) => ({ id }) },
}

const noIds = [
  // A context as JSON, and names of rules and segments.
  'GET /api/v1/admin/feature-flags/{flag_key} query/explain_for',
  'POST /api/v1/admin/feature-flags body/rules[]/id',
  'POST /api/v1/admin/feature-flags body/rules[]/segment_ids[]',
  'POST /api/v1/admin/feature-flags body/schedule[]/change/rule_id',
  'PATCH /api/v1/admin/feature-flags/{flag_key} body/rules[]/id',
  'PATCH /api/v1/admin/feature-flags/{flag_key} body/rules[]/segment_ids[]',
  'PATCH /api/v1/admin/feature-flags/{flag_key} body/schedule[]/change/rule_id',
  // Of a request, as its answer tells it.
  'GET /api/v1/admin/audit-logs query/request_id',
]

const unreached = ['POST /api/v1/admin/jobs/{job_id}/retry', 'POST /ofrep/v1/evaluate/flags/{flag_key}']

const unchanging = ['POST /api/v1/admin/keys/rotate', 'POST /ofrep/v1/evaluate/flags']

const emptyTables = ['admin_flag_exposure', 'admin_license_day']

/** Facts that the suites over all routes cannot read from the declarations of this module. */
export const cases: ModuleCases = {
  memberKinds,
  bodies,
  found,
  idPlaces,
  noIds,
  unreached,
  unchanging,
  emptyTables,
  unmovedFacts: ['admin.backups'],
}
