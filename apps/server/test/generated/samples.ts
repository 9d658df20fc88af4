/**
 * A valid body for every declared route: made from its schema, and by hand where meaning asks for more than form.
 * It promises a body that the route accepts when its caller may do the thing; it does not call anything. Tested by
 * idempotency.test.ts, which sends every sample that creates something.
 */
import { signLicense } from '../../src/modules/admin/licenses/testing/licenses.ts'
import { type DeclaredRoute, hasBody } from './manifest.ts'
import { type Json, valueFor } from './schema-values.ts'

/** Ids of one tenant's resources by the name of the path parameter that addresses them. */
export type Ids = Readonly<Record<string, string>>

type MakeBody = (n: number, ids: Ids) => Json

/** Which kind of resource a member names, where the name alone does not say it. */
const memberKinds: Readonly<Record<string, string>> = {
  role_ids: 'role_id',
  replace_with: 'role_id',
  owner_id: 'user_id',
  manager_id: 'user_id',
  transfer_to: 'user_id',
  subject_id: 'user_id',
  replaces_id: 'api_key_id',
  sso_connection_id: 'connection_id',
  parent_id: 'tenant_id',
  rollback_to: 'change_id',
  reviewer_id: 'user_id',
  item_id: 'review_item_id',
  default_role_ids: 'role_id',
  break_glass_user_ids: 'user_id',
}

/** The path parameter that addresses what a member of this name refers to. */
export function kindOf(member: string): string {
  return memberKinds[member] ?? member
}

const password = 'correct horse battery staple 42'

const byHand: Readonly<Record<string, MakeBody>> = {
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
  'POST /api/v1/gateway/chat/completions': (n) => ({
    model: 'echo-1',
    messages: [{ role: 'user', content: `Sample ${n}` }],
  }),
  'POST /api/v1/gateway/openai/v1/chat/completions': (n) => ({
    model: 'echo-1',
    messages: [{ role: 'user', content: `Sample ${n}` }],
  }),
  'POST /api/v1/gateway/openai/v1/responses': (n) => ({ model: 'echo-1', input: `Sample ${n}` }),
  'POST /api/v1/gateway/openai/v1/embeddings': (n) => ({ model: 'echo-embed-1', input: `Sample ${n}` }),
  'POST /api/v1/gateway/anthropic/v1/messages': (n) => ({
    model: 'echo-1',
    max_tokens: 100,
    messages: [{ role: 'user', content: `Sample ${n}` }],
  }),
  'POST /api/v1/gateway/providers': (n) => ({
    name: `sample-${n}`,
    kind: 'openai_compatible',
    base_url: 'http://127.0.0.1:9/v1',
    models: ['stopped-*', `sample-${n}`],
    secrets: [{ id: 'main', value: `sk-sample-${n}` }],
  }),
  'PATCH /api/v1/gateway/providers/{provider_id}': (n) => ({ models: ['stopped-*', `sample-${n}`] }),
  'POST /api/v1/gateway/providers/{provider_id}/rotate-secret': (n) => ({
    key_id: 'main',
    value: `sk-rotated-${n}`,
    skip_test: true,
  }),
  'POST /api/v1/gateway/routes': (n) => ({
    name: `sample-${n}`,
    targets: [{ provider: 'echo', model: 'echo-1' }],
  }),
  'PATCH /api/v1/gateway/routes/{route_id}': (n) => ({ retry: { base_ms: n } }),
  'POST /api/v1/gateway/policies': (n) => ({ name: `sample-${n}`, from_template: 'monitor-only' }),
  'PATCH /api/v1/gateway/policies/{policy_id}': (n) => ({ description: `Sample ${n}` }),
  'POST /api/v1/gateway/policies/{policy_id}/simulate': (n) => ({
    input: { messages: [{ role: 'user', content: `Sample ${n}` }] },
  }),
  'POST /api/v1/gateway/requests/{request_id}/feedback': (n) => ({
    kind: 'answer',
    rating: 1,
    comment: `Sample ${n}`,
  }),
  'POST /api/v1/gateway/requests/{request_id}/replay': (n) => ({ model: n % 2 === 0 ? 'echo-1' : 'echo/echo-1' }),
  'POST /api/v1/gateway/requests/export': (n) => ({ format: 'csv', tag: `sample-${n}` }),
  'POST /api/v1/gateway/vault/reveal': (n, ids) => ({
    request_id: ids.request_id,
    placeholders: ['⟦EMAIL_1⟧'],
    reason: `Sample ${n}, long enough for a reason`,
  }),
  'POST /api/v1/gateway/budgets': (n) => ({
    name: `sample-${n}`,
    scope: [{ kind: 'tag', value: `sample-${n}` }],
    amount: '10',
    window: 'month',
  }),
  'PATCH /api/v1/gateway/budgets/{budget_id}': (n) => ({ amount: String(n) }),
  'PATCH /api/v1/gateway/models/{model_id}': (n) => ({ price: { currency: 'USD', prices: { input: String(n) } } }),
  'PATCH /api/v1/gateway/cache': (n) => ({ ttl_seconds: 60 + n }),
  'POST /api/v1/gateway/cache/purge': (n) => ({ route: `sample-${n}` }),
  'POST /api/v1/gateway/kill-switches': (n) => ({
    scope: 'model',
    value: `stopped-${n}`,
    reason: `Sample ${n}, long enough for a reason`,
  }),
  'POST /api/v1/gateway/kill-switches/{kill_switch_id}/deactivate': (n) => ({
    reason: `Sample ${n}, long enough for a reason`,
  }),
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
  'POST /api/v1/trust/scores/recalculate': (n) => ({ reason: `Sample ${n}` }),
}

function question(n: number, ids: Ids) {
  return {
    subject: { type: 'user', id: ids.user_id },
    action: { name: 'read' },
    resource: { type: 'trust', id: `sample-${n}` },
  }
}

let made = 0

/** A number that no sample of this process had. */
export function nextSample(): number {
  made += 1
  return made
}

/** Undefined for routes without a body. @throws Error when the schema's form is not known */
export function sampleBody(declared: DeclaredRoute, ids: Ids, n = nextSample()): Json | undefined {
  if (!hasBody(declared)) return undefined
  const byName = byHand[declared.name]
  if (byName !== undefined) return byName(n, ids)
  return declared.route.body === null ? {} : bodyOf(declared, ids, { n, full: false })
}

/** From the schema alone, with every optional member: right in form, not always in meaning. */
export function fullBody(declared: DeclaredRoute, ids: Ids): Json {
  return bodyOf(declared, ids, { n: nextSample(), full: true })
}

function bodyOf(declared: DeclaredRoute, ids: Ids, how: { readonly n: number; readonly full: boolean }): Json {
  if (declared.route.body === null) return {}
  const idFor = (member: string): string => ids[kindOf(member)] ?? missing(declared, member)
  return valueFor(declared.route.body, { ...how, idFor }) as Json
}

function missing(declared: DeclaredRoute, member: string): never {
  throw new Error(`${declared.name} needs an id for ${member}: name its kind in samples.ts`)
}

/** Samples by hand whose route is gone. */
export function unusedSamples(names: ReadonlySet<string>): readonly string[] {
  return Object.keys(byHand).filter((name) => !names.has(name))
}
