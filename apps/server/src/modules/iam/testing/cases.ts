import { expect, vi } from 'vitest'
import type { Ids, ModuleCases } from '../../../../test/generated/module-cases.ts'
import type { TestAnswer } from '../../../../test/support/client.ts'
import { expectStatus } from '../../../../test/support/world.ts'

const password = 'correct horse battery staple 42'

const memberKinds = {
  role_ids: 'role_id',
  replace_with: 'role_id',
  owner_id: 'user_id',
  manager_id: 'user_id',
  transfer_to: 'user_id',
  subject_id: 'user_id',
  replaces_id: 'api_key_id',
  sso_connection_id: 'connection_id',
  parent_id: 'tenant_id',
  reviewer_id: 'user_id',
  item_id: 'review_item_id',
  default_role_ids: 'role_id',
  break_glass_user_ids: 'user_id',
}

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/iam/users': (n, ids) => ({ email: `sample-${n}@sample.example`, role_ids: [ids.role_id] }),
  'PATCH /api/v1/iam/users/{user_id}': (n) => ({ display_name: `Sample ${n}` }),
  'POST /api/v1/iam/roles': (n) => ({ name: `Sample ${n}`, permissions: ['trust:read'] }),
  'PATCH /api/v1/iam/roles/{role_id}': (n) => ({ description: `Sample ${n}` }),
  'POST /api/v1/iam/api-keys': (n) => ({ name: `Sample ${n}`, scopes: ['iam:read'] }),
  'PATCH /api/v1/iam/api-keys/{api_key_id}': (n) => ({ name: `Sample ${n}` }),
  'POST /api/v1/iam/sso-connections': (n) => ({
    name: `Sample ${n}`,
    type: 'oidc',
    oidc: { issuer: 'http://127.0.0.1:9', client_id: `sample-${n}` },
  }),
  'PATCH /api/v1/iam/sso-connections/{connection_id}': (n) => ({ name: `Sample ${n}` }),
  'PATCH /api/v1/iam/tenants/{tenant_id}': (n) => ({ name: `Sample ${n}` }),
  'POST /api/v1/iam/tenants/{tenant_id}/export': (n) => ({
    include: n % 2 === 0 ? ['iam_role'] : ['iam_user_role', 'iam_role'],
  }),
  'POST /api/v1/iam/access-reviews': (n) => ({
    name: `Sample ${n}`,
    reviewer_rule: 'manager',
    due_at: '2099-01-01T00:00:00.000Z',
    on_no_answer: 'keep',
  }),
  'PATCH /api/v1/iam/access-reviews/{review_id}': (n) => ({ name: `Sample ${n}` }),
  'POST /scim/v2/Users': (n) => ({ userName: `scim-${n}@sample.example` }),
  'PUT /scim/v2/Users/{user_id}': (n) => ({ userName: `scim-put-${n}@sample.example` }),
  'PATCH /scim/v2/Users/{user_id}': (n) => ({ Operations: [{ op: 'add', path: 'title', value: `Sample ${n}` }] }),
  'POST /scim/v2/Groups': (n, ids) => ({
    displayName: `Group ${n}`,
    members: ids.user_id === undefined ? [] : [{ value: ids.user_id }],
  }),
  'PUT /scim/v2/Groups/{group_id}': (n) => ({ displayName: `Group ${n}` }),
  'PATCH /scim/v2/Groups/{group_id}': (n) => ({ Operations: [{ op: 'add', path: 'externalId', value: `s-${n}` }] }),
  'POST /scim/v2/Bulk': (n) => ({
    Operations: [{ method: 'POST', path: '/Users', bulkId: 'one', data: { userName: `bulk-${n}@sample.example` } }],
  }),
  'POST /scim/v2/Users/.search': (n) => ({ filter: `userName eq "scim-${n}@sample.example"` }),
  'POST /scim/v2/Groups/.search': (n) => ({ filter: `displayName eq "Group ${n}"` }),
  'POST /access/v1/evaluation': (n, ids) => question(n, ids),
  'POST /access/v1/evaluations': (n, ids) => ({ evaluations: [question(n, ids)] }),
  'POST /access/v1/search/subject': (n, ids) => ({ ...question(n, ids), subject: { type: 'user' } }),
  'POST /access/v1/search/action': (n, ids) => question(n, ids),
  'POST /api/v1/auth/login': (n) => ({ email: `nobody-${n}@sample.example`, password }),
  'POST /api/v1/auth/logout': () => ({}),
  'PATCH /api/v1/auth/me': (n) => ({ display_name: `Sample ${n}` }),
  'POST /api/v1/auth/step-up': () => ({ password }),
  'POST /api/v1/iam/users/{user_id}/reset-credentials': () => ({ sessions: true }),
}

const found: ModuleCases['found'] = {
  session_id: async ({ admin, id, slug }) => {
    expectStatus(await admin.post('/auth/login', loginOf(slug), { headers: { 'x-tenant-id': id } }), 200)
    return admin.get('/iam/sessions', { query: { sort: '-created_at' } })
  },
  // Begun and not finished: an administrator with a second factor would be asked for it at every sign-in.
  factor_id: async ({ admin }) => {
    const begun = expectStatus(await admin.post('/auth/mfa/totp', {}), 200)
    return { ...begun, body: { ...begun.body, data: { id: begun.body.data.factor_id } } }
  },
  tenant_export_id: async ({ admin, id }) => {
    const made = expectStatus(await admin.post(`/iam/tenants/${id}/export`, { include: ['iam_role'] }), 201)
    const read = () => admin.get(made.headers.location ?? '')
    await vi.waitFor(async () => expect((await read()).body.data.status).toBe('completed'), { timeout: 20_000 })
    return read()
  },
  resource_type: async ({ admin }) => named(await admin.get('/scim/v2/ResourceTypes/User')),
  schema_urn: async ({ admin }) => named(await admin.get('/scim/v2/Schemas')),
}

const idPlaces: ModuleCases['idPlaces'] = {
  'GET /api/v1/iam/permissions query/subject_id': {
    kind: 'user_id',
    with: (id) => ({ subject_type: 'user', subject_id: id }),
  },
  'DELETE /api/v1/iam/users/{user_id} query/transfer_to': {
    kind: 'user_id',
    with: (id) => ({ mode: 'erase', transfer_to: id }),
  },
  'POST /api/v1/iam/access-reviews body/scope/role_ids[]': {
    kind: 'role_id',
    with: (id) => ({ scope: { role_ids: [id] } }),
  },
  'PATCH /api/v1/iam/access-reviews/{review_id} body/scope/role_ids[]': {
    kind: 'role_id',
    with: (id) => ({ scope: { role_ids: [id] } }),
  },
  'PATCH /api/v1/iam/access-reviews/{review_id} body/decisions[]/item_id': {
    kind: 'review_item_id',
    with: (id) => ({ decisions: [{ item_id: id, decision: 'keep' }] }),
  },
  'PATCH /api/v1/iam/access-reviews/{review_id} body/reassign[]/item_id': {
    kind: 'review_item_id',
    with: (id) => ({ reassign: [{ item_id: id, reviewer_id: '01890000-0000-7000-8000-000000000000' }] }),
  },
  'PATCH /api/v1/iam/access-reviews/{review_id} body/reassign[]/reviewer_id': {
    kind: 'user_id',
    with: (id) => ({ reassign: [{ item_id: '01890000-0000-7000-8000-000000000000', reviewer_id: id }] }),
  },
  'POST /access/v1/evaluation body/subject/id': {
    kind: 'user_id',
    with: (id) => ({ subject: { type: 'user', id } }),
    verbatim: true,
  },
  'POST /access/v1/search/action body/subject/id': {
    kind: 'user_id',
    with: (id) => ({ subject: { type: 'user', id } }),
    verbatim: true,
  },
  'POST /access/v1/evaluations body/subject/id': {
    kind: 'user_id',
    with: (id) => ({
      subject: { type: 'user', id },
      evaluations: [{ action: { name: 'trust:read' }, resource: { type: 'trust', id: '*' } }],
    }),
    verbatim: true,
  },
  'POST /access/v1/evaluations body/evaluations[]/subject/id': {
    kind: 'user_id',
    with: (id) => ({
      evaluations: [
        { subject: { type: 'user', id }, action: { name: 'trust:read' }, resource: { type: 'trust', id: '*' } },
      ],
    }),
    verbatim: true,
  },
  'POST /api/v1/iam/sso-connections body/jit/default_role_ids[]': {
    kind: 'role_id',
    with: (id) => ({ jit: { enabled: true, default_role_ids: [id] } }),
  },
  'POST /api/v1/iam/sso-connections body/group_mappings[]/role_ids[]': {
    kind: 'role_id',
    with: (id) => ({ group_mappings: [{ group: 'sample', role_ids: [id], mode: 'add' }] }),
  },
  'PATCH /api/v1/iam/sso-connections/{connection_id} body/jit/default_role_ids[]': {
    kind: 'role_id',
    with: (id) => ({ jit: { enabled: true, default_role_ids: [id] } }),
  },
  'PATCH /api/v1/iam/sso-connections/{connection_id} body/group_mappings[]/role_ids[]': {
    kind: 'role_id',
    with: (id) => ({ group_mappings: [{ group: 'sample', role_ids: [id], mode: 'add' }] }),
  },
  'POST /api/v1/iam/sso-connections/{connection_id}/test body/trial_id': {
    kind: 'trial_id',
    // Of another connection than the one in the path.
    with: (id) => ({ mode: 'login', trial_id: id }),
    shows: false,
  },
  'GET /api/v1/iam/sessions query/user_id': { kind: 'admin_id', with: (id) => ({ user_id: id }) },
  'POST /api/v1/iam/api-keys body/sso_connection_id': {
    kind: 'connection_id',
    with: (id) => ({ kind: 'scim', scopes: undefined, sso_connection_id: id }),
  },
  'GET /api/v1/iam/api-keys query/owner_id': { kind: 'admin_id', with: (id) => ({ owner_id: id }) },
}

const noIds = [
  // Names at an identity provider.
  'POST /api/v1/iam/sso-connections body/oidc/client_id',
  'POST /api/v1/iam/sso-connections body/saml/entity_id',
  'PATCH /api/v1/iam/sso-connections/{connection_id} body/oidc/client_id',
  'PATCH /api/v1/iam/sso-connections/{connection_id} body/saml/entity_id',
  // Ids of the calling application's own resources.
  'POST /access/v1/evaluation body/resource/id',
  'POST /access/v1/evaluations body/resource/id',
  'POST /access/v1/search/subject body/resource/id',
  'POST /access/v1/search/action body/resource/id',
  'POST /access/v1/evaluations body/evaluations[]/resource/id',
  // Ids that authenticators make: proved by a signature, or taken in with a new key.
  'POST /api/v1/auth/invitations/accept body/credential/id',
  'POST /api/v1/auth/passkeys body/credential/id',
  'POST /api/v1/auth/passkeys/login body/credential/id',
  'POST /api/v1/auth/step-up body/passkey/id',
]

const unreached = [
  'POST /scim/v2/Me',
  'PUT /scim/v2/Me',
  'PATCH /scim/v2/Me',
  'DELETE /scim/v2/Me',
  'DELETE /api/v1/iam/roles/{role_id}',
  'DELETE /api/v1/iam/tenants/{tenant_id}',
  'POST /api/v1/auth/password',
  'POST /api/v1/auth/mfa/recovery-codes',
]

const looking = ['POST /scim/v2/Users/.search', 'POST /scim/v2/Groups/.search']

const emptyTables = [
  'iam_api_key_day',
  'iam_sso_identity',
  'iam_posture',
  'iam_sso_session',
  'iam_sso_logout_token',
  'iam_mail_link',
  'iam_recovery_code',
  'iam_outside_token',
]

/** Facts about this module that the suites over all routes cannot read from its declarations. */
export const cases: ModuleCases = {
  memberKinds,
  bodies,
  found,
  idPlaces,
  noIds,
  unreached,
  looking,
  constants: ['resource_type', 'schema_urn'],
  emptyTables,
  // Nothing makes a service account.
  unmovedFacts: ['iam.agents'],
}

function question(n: number, ids: Ids) {
  return {
    subject: { type: 'user', id: ids.user_id },
    action: { name: 'read' },
    resource: { type: 'trust', id: `sample-${n}` },
  }
}

/** A description of the server, which is no resource of ours. */
function named(answer: TestAnswer): TestAnswer {
  const { id } = answer.body.Resources?.[0] ?? answer.body
  return { ...answer, body: { data: { id }, meta: {} } }
}

function loginOf(slug: string) {
  return { email: `admin@${slug}.example`, password }
}
