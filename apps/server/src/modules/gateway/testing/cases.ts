import { expect, vi } from 'vitest'
import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { expectStatus } from '../../../../test/support/world.ts'

const reason = 'A reason that is long enough'
const chat = { model: 'echo-1', messages: [{ role: 'user', content: 'Sample' }] }

const bodies: ModuleCases['bodies'] = {
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
  'POST /api/v1/gateway/anthropic/v1/messages/count_tokens': (n) => ({
    model: 'echo-1',
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
}

const found: ModuleCases['found'] = {
  // These two answer in their vendor's form.
  response_id: async ({ admin }) => {
    const asked = { model: 'echo-1', input: 'Sample' }
    const made = expectStatus(await admin.post('/gateway/openai/v1/responses', asked), 200)
    return { ...made, body: { data: { id: made.body.id }, meta: {} } }
  },
  model: async ({ admin }) => {
    const listed = await admin.get('/gateway/openai/v1/models')
    return { ...listed, body: { data: listed.body.data, meta: {} } }
  },
  request_id: async ({ admin }) => {
    const called = expectStatus(await admin.post('/gateway/chat/completions', chat), 200).body.data
    const feedback = { kind: 'answer', rating: 1 }
    expectStatus(await admin.post(`/gateway/requests/${called.id}/feedback`, feedback), 201)
    return admin.get('/gateway/requests', { query: { sort: '-created_at' } })
  },
  model_id: async ({ admin }) => {
    const listed = await admin.get('/gateway/models')
    expectStatus(await admin.patch(`/gateway/models/${listed.body.data[0].id}`, { aliases: ['sample-alias'] }), 200)
    return listed
  },
  export_id: async ({ admin }) => {
    const made = expectStatus(await admin.post('/gateway/requests/export', { format: 'jsonl', gzip: false }), 201)
    const read = () => admin.get(`/gateway/requests/exports/${made.body.data.id}`)
    await vi.waitFor(async () => expect((await read()).body.data.status).toBe('completed'), { timeout: 20_000 })
    return read()
  },
}

const idPlaces: ModuleCases['idPlaces'] = {
  'POST /api/v1/gateway/chat/completions body/policy_id': { kind: 'policy_id', with: (id) => ({ policy_id: id }) },
  'POST /api/v1/gateway/chat/completions body/agent_id': { kind: 'user_id', with: (id) => ({ agent_id: id }) },
  'POST /api/v1/gateway/openai/v1/responses body/previous_response_id': {
    kind: 'request_id',
    with: (id) => ({ previous_response_id: `resp_${id.replaceAll('-', '')}` }),
  },
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

const noIds = [
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
  // Counted as messages are, and nothing is looked up.
  'POST /api/v1/gateway/anthropic/v1/messages/count_tokens body/messages[]/content[]/id',
  'POST /api/v1/gateway/anthropic/v1/messages/count_tokens body/messages[]/content[]/tool_use_id',
  'POST /api/v1/gateway/anthropic/v1/messages/count_tokens body/messages[]/content[]/source/file_id',
  'POST /api/v1/gateway/anthropic/v1/messages/count_tokens body/messages[]/content[]/content[]/source/file_id',
  // Names of models, between which the list is paged.
  'GET /api/v1/gateway/anthropic/v1/models query/after_id',
  'GET /api/v1/gateway/anthropic/v1/models query/before_id',
]

const unreached = ['POST /api/v1/gateway/vault/reveal']

const unchanging = ['POST /api/v1/gateway/anthropic/v1/messages/count_tokens']

const emptyTables = [
  'gateway_sweep',
  'gateway_log_retention',
  'gateway_audit_check',
  'gateway_budget_balance',
  'gateway_budget_hold',
  'gateway_budget_spend',
  'gateway_budget_settled',
  'gateway_budget_alert',
  'gateway_price',
  'gateway_vault',
  'gateway_simulation',
  'gateway_cache_settings',
  'gateway_cache_entry',
]

/** Data that the suites over all routes cannot read from the declarations of this module. */
export const cases: ModuleCases = {
  bodies,
  found,
  idPlaces,
  noIds,
  unreached,
  unchanging,
  constants: ['model'],
  emptyTables,
}
