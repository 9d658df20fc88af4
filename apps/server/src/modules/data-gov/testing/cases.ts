import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { UploadBody } from '../../../../test/support/upload-body.ts'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'

const run = (name: string, n: number) => ({
  ...{ eventType: 'COMPLETE', eventTime: '2026-01-01T00:00:00Z', producer: 'https://example.com/p' },
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` },
  job: { namespace: 'samples', name: `${name}-${n}` },
  inputs: [{ namespace: 'samples', name: `in-${n}` }],
  outputs: [{ namespace: 'samples', name: `out-${n}` }],
})

const scans = 'POST /api/v1/data-gov/classification/scans'
const consents = 'POST /api/v1/data-gov/consents'
const policies = 'POST /api/v1/data-gov/retention-policies'
const runs = 'POST /api/v1/data-gov/retention-runs'

const bodies: NonNullable<ModuleCases['bodies']> = {
  [scans]: (n) => ({
    source: { kind: 'inline', name: `sample-${n}`, columns: [{ name: 'email', values: [`person${n}@example.org`] }] },
  }),
  [consents]: (n) => ({
    kind: 'notice',
    notice: {
      ...{ key: `sample-${n}`, title: `Sample ${n}`, controller: 'Sample', withdrawal_method: 'Write to us' },
      purposes: [{ purpose: 'service' }],
    },
  }),
  [policies]: (n) => ({
    ...{ kind: 'schedule', name: `Sample ${n}`, categories: ['lineage'], maximum: 'P500D', ground: 'A sample' },
  }),
  [runs]: (n) => ({
    ...{ kind: 'subject_request', request_type: 'access' },
    subject: { aliases: [{ kind: 'email', value: `sample${n}@example.org` }] },
  }),
  'PATCH /api/v1/data-gov/classification/assets/{data_asset_id}': (n) => ({ purposes: [`sample-${n}`] }),
}

const files: ModuleCases['files'] = {
  'POST /api/v1/data-gov/lineage': (n) => Buffer.from(JSON.stringify(run('sample', n))),
}

let made = 0

/** Records of all lists, which no path addresses, and then an asset. */
async function newestAsset({ admin }: TestTenant) {
  made += 1
  const purpose = { purposes: ['service'], method: 'web_form', basis: 'contract', event: 'given' }
  const aliases = [{ kind: 'email', value: `consent${made}@example.org` }]
  const samples: readonly (readonly [path: string, body: unknown])[] = [
    ['/data-gov/consents', bodies[consents]?.(1_000 + made, {})],
    ['/data-gov/consents', { kind: 'event', event: { subject: { aliases }, ...purpose } }],
    ['/data-gov/retention-policies', bodies[policies]?.(1_000 + made, {})],
    ['/data-gov/retention-runs', bodies[runs]?.(1_000 + made, {})],
  ]
  for (const [path, body] of samples) expectStatus(await admin.post(path, body), 201)
  const event = UploadBody.stream('application/json', Buffer.from(JSON.stringify(run('filled', made))))
  expectStatus(await admin.post('/data-gov/lineage', event), 201)
  return admin.get('/data-gov/classification/assets?limit=1')
}

const newest =
  (path: string) =>
  ({ admin }: TestTenant) =>
    admin.get(`/data-gov/${path}?limit=1`)

/** The last three have no path of their own; they are named in queries and bodies. */
const found: ModuleCases['found'] = {
  data_asset_id: newestAsset,
  consent_id: newest('consents'),
  retention_policy_id: newest('retention-policies'),
  retention_run_id: newest('retention-runs'),
}

const named = (kind: string, member: string) => ({ kind, with: (id: string) => ({ [member]: id }) })

const idPlaces: ModuleCases['idPlaces'] = {
  'GET /api/v1/data-gov/consents query/id': named('consent_id', 'id'),
  'GET /api/v1/data-gov/retention-runs query/id': named('retention_run_id', 'id'),
  'GET /api/v1/data-gov/retention-runs query/policy_id': {
    ...named('retention_policy_id', 'policy_id'),
    shows: false,
  },
  'GET /api/v1/data-gov/classification/assets query/owner_user_id': {
    ...named('user_id', 'owner_user_id'),
    shows: false,
  },
  [`${policies} body/supersedes`]: named('retention_policy_id', 'supersedes'),
  [`${runs} body/policy_ids[]`]: {
    kind: 'retention_policy_id',
    with: (id) => ({ kind: 'policy', policy_ids: [id] }),
  },
  [`${runs} body/run_id`]: { kind: 'retention_run_id', with: (id) => ({ run_id: id, action: 'withdraw' }) },
  [`${runs} body/dry_run_id`]: {
    kind: 'retention_run_id',
    with: (id) => ({ kind: 'policy', dry_run_id: id }),
  },
}

/** Filled by the erasure of a person. */
const emptyTables = ['data_gov_erasure']

/** Identifiers of people outside: nothing is looked up by them that has an id. */
const identifiers = [
  ...['event', 'events[]'].map((member) => `${consents} body/${member}/subject/aliases[]/value`),
  ...[policies, runs].map((route) => `${route} body/subject/aliases[]/value`),
]

const memberKinds = {
  owner_user_id: 'user_id',
  policy_ids: 'retention_policy_id',
  supersedes: 'retention_policy_id',
  dry_run_id: 'retention_run_id',
}

/** Samples of this module for the suites over all routes. */
export const cases: ModuleCases = { bodies, files, found, memberKinds, idPlaces, noIds: identifiers, emptyTables }
