/** Calls of agents: calls with a service account's key belong to its agent, whatever agent the call claims to be. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { withProvider } from '../testing/one-provider.ts'
import { published } from '../testing/policies.ts'
import { ask } from '../testing/support.ts'
import { say } from '../testing/upstream.ts'

const at = withProvider('agents')

interface Agent {
  readonly id: string
  readonly secret: string
}
let one: Agent
let other: Agent

async function newAgent(): Promise<Agent> {
  const { admin } = at.tenant
  const [role] = (await admin.get('/iam/roles', { query: { q: 'ai_engineer' } })).body.data
  const account = { type: 'service', display_name: 'Robot', role_ids: [role.id] }
  const { id } = expectStatus(await admin.post('/iam/users', account), 201).body.data
  const key = { name: 'robot', scopes: ['gateway:write'], owner_id: id }
  const { secret } = expectStatus(await admin.post('/iam/api-keys', key), 201).body.data
  return { id, secret }
}

beforeAll(async () => {
  one = await newAgent()
  other = await newAgent()
})

beforeEach(() => at.upstream.reply(say('Hello.')))

const as = ({ secret }: Agent) => at.world.stranger.with(secret)
const raw = (agent: Agent, headers: Readonly<Record<string, string>>) =>
  as(agent).post(
    '/gateway/openai/v1/chat/completions',
    { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] },
    { headers },
  )

describe('a call with the key of a service account', () => {
  test('is the agent’s in the log, and a person’s is nobody’s', async () => {
    expectStatus(await ask(as(one), 'hello', { agent_id: one.id }), 200)
    expectStatus(await ask(at.tenant.admin, 'hello'), 200)
    const listed = async (query: Readonly<Record<string, string>>) =>
      (await at.tenant.admin.get('/gateway/requests', { query })).body.data
    const own = await listed({ agent_id: one.id })
    expect(own.map((row: { agent_id: string; user_id: string }) => [row.agent_id, row.user_id])).toEqual([
      [one.id, one.id],
    ])
    expect((await listed({ limit: '1' }))[0].agent_id).toBeNull()
  })

  test('cannot say that it is another’s', async () => {
    const refused = await ask(as(one), 'hello', { agent_id: other.id })
    expect([refused.status, refused.body.error_code]).toEqual([400, 'API-001'])
    expect(refused.body.errors[0].pointer).toBe('/agent_id')
    const person = await ask(at.tenant.admin, 'hello', { agent_id: one.id })
    expect([person.status, person.body.error_code]).toEqual([400, 'API-001'])
    expect((await raw(one, { 'x-gateway-agent': other.id })).status).toBe(400)
    expect((await raw(one, { 'x-gateway-agent': one.id })).status).toBe(200)
  })
})

describe('what names an agent', () => {
  test('a policy holds it and nobody else', async () => {
    const quiet = { content: { denied_terms: [{ id: 'q', terms: ['quince'], match: 'word', action: 'block' }] } }
    const id = await published(at.tenant, 'one-agent', quiet, [{ kind: 'agent', value: one.id }])
    expect((await ask(as(one), 'a quince')).body.error_code).toBe('GW-005')
    expect((await ask(as(other), 'a quince')).status).toBe(200)
    const shown = await at.tenant.admin.get(`/gateway/policies/${id}`, { query: { effective_for: one.id } })
    expect(shown.body.data.effective.sources.map((source: { id: string }) => source.id)).toContain(id)
    const [listed] = (await at.tenant.admin.get('/gateway/policies', { query: { binding: 'agent' } })).body.data
    expect(listed.id).toBe(id)
  })

  test('a kill switch stops it and nobody else', async () => {
    const body = { scope: 'agent', value: other.id, reason: 'an exercise of the incident team' }
    const made = expectStatus(await at.tenant.admin.post('/gateway/kill-switches', body), 201).body.data
    expect((await ask(as(other), 'hello')).body.error_code).toBe('GW-010')
    expect((await ask(as(one), 'hello')).status).toBe(200)
    const path = `/gateway/kill-switches/${made.id}/deactivate`
    expectStatus(await at.tenant.admin.post(path, { reason: 'the exercise is over now' }), 200)
    expect((await ask(as(other), 'hello')).status).toBe(200)
  })

  test('must be a service account, and no person', async () => {
    const { id: person } = (await at.tenant.admin.get('/auth/me')).body.data.user
    const policy = { name: 'no-agent', document: {}, bindings: [{ kind: 'agent', value: person }] }
    expect((await at.tenant.admin.post('/gateway/policies', policy)).body.error_code).toBe('GW-026')
    const scope = [{ kind: 'agent', value: person }]
    const budget = { name: 'no-agent', scope, amount: '1', currency: 'USD', window: 'day' }
    expect((await at.tenant.admin.post('/gateway/budgets', budget)).body.error_code).toBe('GW-001')
    const targets = [{ provider: 'local', model: 'test-model', conditions: { agents: [person] } }]
    const route = await at.tenant.admin.post('/gateway/routes', { name: 'no-agent', strategy: 'priority', targets })
    expect([route.body.error_code, route.body.errors[0].pointer]).toEqual(['GW-001', '/targets/0/conditions/agents/0'])
  })

  test('a budget counts its calls only', async () => {
    const scope = [{ kind: 'agent', value: one.id }]
    const budget = { name: 'tiny', scope, amount: '0.000000001', currency: 'USD', window: 'day', on_unpriced: 'block' }
    expectStatus(await at.tenant.admin.post('/gateway/budgets', budget), 201)
    expect((await ask(as(one), 'hello')).body.error_code).toBe('GW-009')
    expect((await ask(as(other), 'hello')).status).toBe(200)
    // It may see the budget that refuses it, and no budget of others.
    const seen = async (agent: Agent) =>
      (await as(agent).get('/gateway/budgets')).body.data.map(({ name }: { name: string }) => name)
    expect([await seen(one), await seen(other)]).toEqual([['tiny'], []])
  })
})
