/**
 * Every place where a route takes an id: in its path, its query, its body. Ids with the form of a UUID are found in the
 * schemas; ids that travel as plain text are listed here by hand. It promises that a member that looks like an id and is
 * in neither fails the suite, so that a new route adds its own cases. Tested by matrix.test.ts.
 */
import { type DeclaredRoute, querySchema } from '../generated/manifest.ts'
import { type Ids, kindOf, sampleBody } from '../generated/samples.ts'
import type { Json } from '../generated/schema-values.ts'
import { type Place, placesIn } from '../generated/schema-walk.ts'

export interface IdPlace {
  /** `path role_id`, `query/owner_id`, `body/role_ids[]` */
  readonly where: string
  /** The path parameter that addresses this kind of resource. */
  readonly kind: string
  readonly part: 'path' | 'query' | 'body'
  /** The query or the members of the body that carry the id. */
  readonly with: (id: string) => Json
  /** The caller's words, kept as they are: nothing is looked up, so nothing can be told. */
  readonly verbatim: boolean
  /** Whether an id of one's own gives another answer than an id that nothing has. */
  readonly shows: boolean
}

interface ByHand {
  readonly kind: string
  readonly with: (id: string) => Json
  readonly verbatim?: boolean
  readonly shows?: boolean
}

const reason = 'A reason that is long enough'

const byHand: Readonly<Record<string, ByHand>> = {
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
  'POST /api/v1/gateway/chat/completions body/policy_id': { kind: 'policy_id', with: (id) => ({ policy_id: id }) },
  'POST /api/v1/gateway/chat/completions body/agent_id': { kind: 'user_id', with: (id) => ({ agent_id: id }) },
  'POST /api/v1/gateway/openai/v1/responses body/previous_response_id': {
    kind: 'request_id',
    with: (id) => ({ previous_response_id: `resp_${id.replaceAll('-', '')}` }),
  },
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
  'GET /api/v1/gateway/requests query/user_id': { kind: 'admin_id', with: (id) => ({ user_id: id }) },
  'GET /api/v1/gateway/policies/{policy_id} query/effective_for': {
    kind: 'user_id',
    with: (id) => ({ effective_for: id }),
  },
  'POST /api/v1/gateway/policies body/bindings[]/value': {
    kind: 'user_id',
    with: (id) => ({ bindings: [{ kind: 'user', value: id }] }),
  },
  'PATCH /api/v1/gateway/policies/{policy_id} body/bindings[]/value': {
    kind: 'user_id',
    with: (id) => ({ bindings: [{ kind: 'user', value: id }] }),
  },
  'POST /api/v1/gateway/budgets body/scope[]/value': {
    kind: 'user_id',
    with: (id) => ({ scope: [{ kind: 'user', value: id }] }),
  },
  'GET /api/v1/gateway/requests query/key_id': { kind: 'used_key_id', with: (id) => ({ key_id: id }) },
  'GET /api/v1/gateway/requests query/session_id': { kind: 'used_session_id', with: (id) => ({ session_id: id }) },
  'POST /api/v1/gateway/requests/{request_id}/replay body/policy_id': {
    kind: 'policy_id',
    with: (id) => ({ policy_id: id }),
  },
  'POST /api/v1/gateway/vault/reveal body/request_id': { kind: 'request_id', with: (id) => ({ request_id: id }) },
  // A filter that finds nothing makes a file without calls.
  'POST /api/v1/gateway/requests/export body/key_id': {
    kind: 'used_key_id',
    with: (id) => ({ key_id: id }),
    verbatim: true,
    shows: false,
  },
  'POST /api/v1/gateway/requests/export body/user_id': {
    kind: 'admin_id',
    with: (id) => ({ user_id: id }),
    verbatim: true,
    shows: false,
  },
  'POST /api/v1/gateway/requests/export body/session_id': {
    kind: 'used_session_id',
    with: (id) => ({ session_id: id }),
    verbatim: true,
    shows: false,
  },
  // A selector that finds nothing removes nothing and says so.
  'POST /api/v1/gateway/cache/purge body/key_id': {
    kind: 'used_key_id',
    with: (id) => ({ key_id: id }),
    verbatim: true,
    shows: false,
  },
  'POST /api/v1/gateway/cache/purge body/user_id': {
    kind: 'admin_id',
    with: (id) => ({ user_id: id }),
    verbatim: true,
    shows: false,
  },
  'POST /api/v1/gateway/cache/purge body/policy_id': {
    kind: 'policy_id',
    with: (id) => ({ policy_id: id }),
    verbatim: true,
    shows: false,
  },
  'POST /api/v1/gateway/cache/purge body/request_id': {
    kind: 'request_id',
    with: (id) => ({ request_id: id }),
    verbatim: true,
    shows: false,
  },
  'GET /api/v1/gateway/kill-switches query/value': { kind: 'used_key_id', with: (id) => ({ value: id }) },
  'POST /api/v1/gateway/kill-switches body/value': {
    kind: 'api_key_id',
    with: (id) => ({ scope: 'key', value: id, reason }),
  },
  'POST /api/v1/gateway/kill-switches body/except[]': {
    kind: 'api_key_id',
    with: (id) => ({ except: [id] }),
  },
}

/** Members whose names look like ids and that name nothing that is stored with an id. */
const noIds = new Set([
  // Names at an identity provider.
  'POST /api/v1/iam/sso-connections body/oidc/client_id',
  'POST /api/v1/iam/sso-connections body/saml/entity_id',
  'PATCH /api/v1/iam/sso-connections/{connection_id} body/oidc/client_id',
  'PATCH /api/v1/iam/sso-connections/{connection_id} body/saml/entity_id',
  // A context as JSON, and names of rules and segments.
  'GET /api/v1/admin/feature-flags/{flag_key} query/explain_for',
  'POST /api/v1/admin/feature-flags body/rules[]/id',
  'POST /api/v1/admin/feature-flags body/rules[]/segment_ids[]',
  'POST /api/v1/admin/feature-flags body/schedule[]/change/rule_id',
  'PATCH /api/v1/admin/feature-flags/{flag_key} body/rules[]/id',
  'PATCH /api/v1/admin/feature-flags/{flag_key} body/rules[]/segment_ids[]',
  'PATCH /api/v1/admin/feature-flags/{flag_key} body/schedule[]/change/rule_id',
  // What the asking application calls its own things.
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
  // Of a request, as its answer tells it.
  'GET /api/v1/admin/audit-logs query/request_id',
  // Names of rules, and of an agent as its credential tells it.
  'POST /api/v1/gateway/requests/{request_id}/feedback body/rule_id',
  'GET /api/v1/gateway/requests query/agent_id',
  'POST /api/v1/gateway/requests/export body/agent_id',
  // The keys themselves, which nothing looks up.
  'POST /api/v1/gateway/providers body/secrets[]/value',
  'PATCH /api/v1/gateway/providers/{provider_id} body/secrets[]/value',
  // Names that a tenant gives its own keys for a provider.
  'POST /api/v1/gateway/providers body/secrets[]/id',
  'PATCH /api/v1/gateway/providers/{provider_id} body/secrets[]/id',
  'POST /api/v1/gateway/providers/{provider_id}/test body/key_id',
  'POST /api/v1/gateway/providers/{provider_id}/rotate-secret body/key_id',
  // The key itself.
  'POST /api/v1/gateway/providers/{provider_id}/rotate-secret body/value',
  // Names of rules and custom entities inside a policy document, and of tool calls inside a conversation.
  'POST /api/v1/gateway/chat/completions body/messages[]/tool_calls[]/id',
  'POST /api/v1/gateway/chat/completions body/messages[]/tool_call_id',
  'POST /api/v1/gateway/openai/v1/chat/completions body/messages[]/tool_calls[]/id',
  'POST /api/v1/gateway/openai/v1/chat/completions body/messages[]/tool_call_id',
  // A file at the provider.
  'POST /api/v1/gateway/openai/v1/chat/completions body/messages[]/content[]/file/file_id',
  'POST /api/v1/gateway/policies/{policy_id}/simulate body/input/messages[]/tool_calls[]/id',
  'POST /api/v1/gateway/policies/{policy_id}/simulate body/input/messages[]/tool_call_id',
  'POST /api/v1/gateway/anthropic/v1/messages body/messages[]/content[]/id',
  'POST /api/v1/gateway/anthropic/v1/messages body/messages[]/content[]/tool_use_id',
  // Files that are kept at the vendor.
  'POST /api/v1/gateway/anthropic/v1/messages body/messages[]/content[]/source/file_id',
  'POST /api/v1/gateway/anthropic/v1/messages body/messages[]/content[]/content[]/source/file_id',
])

/** Names of documents that are the same for everybody. */
const constant = new Set(['resource_type', 'schema_urn'])

/** Whether everybody is told the same there. */
export const isConstant = ({ params }: DeclaredRoute): boolean => params.some((name) => constant.has(name))

const looksLikeId = /(?:^|[_/])(?:id|ids|for|value|except)(?:\[\])?$/
const insidePolicy = /\/document\//

/** Every place of a route that takes an id. @throws Error for one that nobody said anything about */
export function idPlaces(declared: DeclaredRoute): readonly IdPlace[] {
  const query = querySchema(declared)
  const inBody = declared.route.body === null ? [] : textsIn(placesIn(declared.route.body, 'body'))
  return [
    ...declared.params
      .filter((name) => !constant.has(name))
      .map((name) => place(`path ${name}`, 'path', { kind: name, with: () => ({}) })),
    ...(query === null ? [] : textsIn(placesIn(query, 'query')).flatMap((at) => placeOf(declared, at, 'query'))),
    ...inBody.flatMap((at) => placeOf(declared, at, 'body')),
  ]
}

const textsIn = (places: readonly Place[]): readonly Place[] =>
  places.filter(({ schema }) => schema.type === 'string' && !('enum' in schema) && !('const' in schema))

function place(where: string, part: IdPlace['part'], by: ByHand): IdPlace {
  return { where, part, kind: by.kind, with: by.with, verbatim: by.verbatim ?? false, shows: by.shows ?? true }
}

function placeOf(declared: DeclaredRoute, { where, schema }: Place, part: 'query' | 'body'): readonly IdPlace[] {
  const name = `${declared.name} ${where}`
  const listed = byHand[name]
  if (listed !== undefined) return [place(where, part, listed)]
  const top = /^(?:query|body)\/(\w+)(\[\])?$/.exec(where)
  if (schema.format === 'uuid' && top !== null) {
    const [, member = '', many] = top
    return [place(where, part, { kind: kindOf(member), with: (id) => ({ [member]: many === undefined ? id : [id] }) })]
  }
  const unspoken = schema.format === 'uuid' || looksLikeId.test(where)
  if (unspoken && !noIds.has(name) && !insidePolicy.test(where))
    throw new Error(`${name} looks like an id: say in id-places.ts what it names`)
  return []
}

export interface Wanted {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The call with this id in this place; everything else is the caller's own. */
export function callWith(
  declared: DeclaredRoute,
  at: IdPlace,
  given: { readonly id: string; readonly own: Ids },
): Wanted {
  const { id, own } = given
  const ids = at.part === 'path' ? { ...own, [at.kind]: id } : own
  const path = declared.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '')
  const body = sampleBody(declared, own)
  const query = Object.entries(at.part === 'query' ? at.with(id) : {}).map(([name, value]) => [name, String(value)])
  return {
    path,
    query: Object.fromEntries(query),
    body: at.part === 'body' ? { ...body, ...at.with(id) } : body,
  }
}

/** What was said by hand about members that are gone. */
export function unusedPlaces(routes: readonly DeclaredRoute[]): readonly string[] {
  const known = new Set(
    routes.flatMap((declared) => {
      const query = querySchema(declared)
      const places = [...placesIn(declared.route.body, 'body'), ...(query === null ? [] : placesIn(query, 'query'))]
      return places.map(({ where }) => `${declared.name} ${where}`)
    }),
  )
  return [...Object.keys(byHand), ...noIds].filter((name) => !known.has(name))
}
