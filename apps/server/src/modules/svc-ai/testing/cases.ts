import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import type { TestAnswer } from '../../../../test/support/client.ts'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'

const memberKinds = {
  source_ids: 'source_id',
  user_ids: 'user_id',
  unpin: 'conversation_id',
}

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/svc-ai/chat': (n) => ({ message: `Sample ${n}`, retrieval: { enabled: false } }),
  'POST /api/v1/svc-ai/rag/queries': (n) => ({ query: `Sample ${n}`, mode: 'retrieve_only' }),
  'POST /api/v1/svc-ai/knowledge-sources': (n) => ({ name: `Sample ${n}`, kind: 'text', text: `Sample ${n}` }),
  'POST /api/v1/svc-ai/prompts': (n) => ({ name: `sample-${n}`, template: `Sample ${n}`, labels: ['production'] }),
  'POST /api/v1/svc-ai/evaluations': (n) => ({
    ...{ name: `Sample ${n}` },
    dataset: { name: 'Sample', items: [{ query: `Sample ${n}`, relevant: [{ document: `Sample ${n}` }] }] },
  }),
  'PATCH /api/v1/svc-ai/providers/{binding_id}': (n) => ({ model: 'echo-1', max_tokens: 100 + n }),
  'PATCH /api/v1/svc-ai/conversations/{conversation_id}': (n) => ({
    ...{ title: `Sample ${n}`, context: { pin: [`Sample ${n}`] } },
  }),
}

const providers = '/svc-ai/providers'

/** The chat model is bound to the provider that comes with every tenant. */
async function bindEcho({ admin }: TestTenant): Promise<TestAnswer> {
  const answer = expectStatus(await admin.get(providers), 200)
  const [binding] = answer.body.data.bindings
  if (binding.model === null) expectStatus(await admin.patch(`${providers}/${binding.id}`, { model: 'echo-1' }), 200)
  return { ...answer, body: { ...answer.body, data: [binding] } }
}

let prompts = 0

const found: ModuleCases['found'] = {
  binding_id: async (tenant) => {
    // Prompts have no path of their own.
    prompts += 1
    const prompt = { name: `found-${prompts}`, template: 'Sample', labels: ['production'] }
    expectStatus(await tenant.admin.post('/svc-ai/prompts', prompt), 201)
    return bindEcho(tenant)
  },
  conversation_id: async (tenant) => {
    await bindEcho(tenant)
    expectStatus(await tenant.admin.post('/svc-ai/chat', { message: 'Sample', retrieval: { enabled: false } }), 200)
    const answer = expectStatus(await tenant.admin.get('/svc-ai/conversations?limit=1'), 200)
    const [{ id }] = answer.body.data
    const pin = { context: { pin: ['Sample'] } }
    expectStatus(await tenant.admin.patch(`/svc-ai/conversations/${id}`, pin), 200)
    return answer
  },
}

const idPlaces: ModuleCases['idPlaces'] = {
  'POST /api/v1/svc-ai/knowledge-sources body/acl/user_ids[]': {
    kind: 'user_id',
    with: (id) => ({ acl: { visibility: 'users', user_ids: [id] } }),
  },
  // A pinned fact that is not there is not removed.
  'PATCH /api/v1/svc-ai/conversations/{conversation_id} body/context/unpin[]': {
    kind: 'conversation_id',
    with: (id) => ({ context: { unpin: [id] } }),
    verbatim: true,
  },
  // The samples are the administrator's and name no source.
  'GET /api/v1/svc-ai/conversations query/source_id': {
    kind: 'source_id',
    with: (id) => ({ source_id: id }),
    shows: false,
  },
  'GET /api/v1/svc-ai/conversations query/user_id': { kind: 'user_id', with: (id) => ({ user_id: id }), shows: false },
  'GET /api/v1/svc-ai/knowledge-sources query/id': { kind: 'source_id', with: (id) => ({ id }) },
}

/** Filled where an embedding model is bound, which the samples do not. */
const emptyTables = ['svc_ai_vector']

/** Samples of this module for the suites over all routes. */
export const cases: ModuleCases = { memberKinds, bodies, found, idPlaces, emptyTables }
