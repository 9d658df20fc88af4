/** Reports of a policy in monitor mode about calls it would refuse, in every form of an answer. */
import { beforeEach, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { message } from '../testing/anthropic-shapes.ts'
import { answering } from '../testing/anthropic-world.ts'
import { makeRoute } from '../testing/misbehave.ts'
import { withProvider } from '../testing/one-provider.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { say, streamed } from '../testing/upstream.ts'

const at = withProvider('watching')

beforeEach(() => at.upstream.reply(say('Hello.')))

const messages = [{ role: 'user', content: 'hello' }]
const asked = { model: 'test-model', messages }
const vendors = [
  ['/gateway/openai/v1/chat/completions', asked],
  ['/gateway/openai/v1/responses', { model: 'test-model', input: 'hello' }],
  ['/gateway/anthropic/v1/messages', { ...asked, max_tokens: 20 }],
] as const

describe('the bounds of a policy that only watches', () => {
  test.each([
    ['a model it does not allow', { models: { deny: ['test-model'] } }, {}, 'model-not-allowed'],
    ['providers that keep what they read', { providers: { require_zero_retention: true } }, {}, 'zero-retention'],
    ['a temperature', { models: { max_temperature: 0.5 } }, { temperature: 1 }, 'max-temperature'],
    ['more choices', { models: { max_choices: 1 } }, { n: 2 }, 'max-choices'],
    ['a long question', { models: { max_input_tokens: 1 } }, {}, 'max-input-tokens'],
  ])('let %s pass and say so', async (_what, document, over, rule) => {
    await onlyPolicy(at.tenant, { ...document, mode: 'monitor' })
    const answer = await ask(at.tenant.admin, 'hello', over)
    expect(answer.status).toBe(200)
    expect(answer.body.data.security.policy_violations).toMatchObject([
      { rule_id: rule, step: 'policy_resolution', action: 'would_block' },
    ])
    const [logged] = (await at.tenant.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data
    expect(logged).toMatchObject({ status: 'completed', decision: 'flagged', policy_mode: 'monitor' })
    await onlyPolicy(at.tenant, document)
    const refused = await ask(at.tenant.admin, 'hello', over)
    expect(refused.body.error_code).toBe('GW-007')
    expect(refused.body.security.policy_violations).toMatchObject([{ rule_id: rule, action: 'block' }])
  })

  test('are all told, where a call breaks more than one', async () => {
    await onlyPolicy(at.tenant, { mode: 'monitor', models: { max_temperature: 0.5, max_input_tokens: 1 } })
    const { data } = (await ask(at.tenant.admin, 'hello', { temperature: 1 })).body
    const rules = data.security.policy_violations.map(({ rule_id: rule }: { rule_id: string }) => rule)
    expect(rules).toEqual(['max-temperature', 'max-input-tokens'])
  })
})

describe('the cap on answers of a policy that only watches', () => {
  const capped = { max_output_tokens: 50 }

  test.each([
    ['a model it does not allow', { deny: ['test-model'] }, {}],
    ['a temperature', { max_temperature: 0.5 }, { temperature: 1 }],
    ['more choices', { max_choices: 1 }, { n: 2 }],
    ['a long question', { max_input_tokens: 1 }, {}],
  ])('holds for a call that breaks another bound: %s', async (_what, models, over) => {
    await onlyPolicy(at.tenant, { mode: 'monitor', models: { ...capped, ...models } })
    const { data } = expectStatus(await ask(at.tenant.admin, 'hello', { max_tokens: 100, ...over }), 200).body
    expect(at.upstream.received.at(-1)?.body.max_tokens).toBe(50)
    const { steps } = (await at.tenant.admin.get(`/gateway/requests/${data.id}`)).body.data
    expect(steps[2]).toMatchObject({ decision: 'flag', max_tokens: { asked: 100, sent: 50, source: 'policy' } })
  })

  test('does not make a call with more thinking than it one that the vendor refuses', async () => {
    await onlyPolicy(at.tenant, { mode: 'monitor', models: { ...capped, max_temperature: 0.5 } })
    await addProvider(at.tenant.admin, 'vendor', at.upstream, { kind: 'anthropic', models: ['claude-*'] })
    at.upstream.reply(answering(message([{ type: 'text', text: 'Hello.' }])))
    const thinking = { type: 'enabled', budget_tokens: 1024 }
    const body = { ...asked, model: 'claude-test-1', max_tokens: 2000, temperature: 1, thinking }
    expectStatus(await at.tenant.admin.post('/gateway/anthropic/v1/messages', body), 200)
    const [{ id }] = (await at.tenant.admin.get('/gateway/requests', { query: { limit: '1' } })).body.data
    const { security, steps } = (await at.tenant.admin.get(`/gateway/requests/${id}`)).body.data
    const told = security.policy_violations.filter(({ action }: { action: string }) => action === 'would_block')
    expect(told.map(({ rule_id: rule }: { rule_id: string }) => rule)).toEqual(['max-temperature', 'max-output-tokens'])
    expect(steps[2].max_tokens).toBeUndefined()
    expect(at.upstream.received.at(-1)?.body.max_tokens).toBe(2000)
  })

  test('leaves only the targets it allows where a call breaks another bound', async () => {
    await onlyPolicy(at.tenant, { mode: 'monitor', models: { deny: ['test-denied'], max_temperature: 0.5 } })
    const targets = ['test-denied', 'test-model'].map((model) => ({ provider: 'local', model }))
    const route = await makeRoute(at.tenant.admin, targets)
    expectStatus(await ask(at.tenant.admin, 'hello', { model: route.name, temperature: 1 }), 200)
    expect(at.upstream.received.at(-1)?.body.model).toBe('test-model')
  })
})

describe('the mode of the policies', () => {
  test.each(['enforce', 'monitor', 'off'])('%s is a header of every answer', async (mode) => {
    await onlyPolicy(at.tenant, { mode })
    const modeOf = async (path: string, body: object) => (await at.tenant.admin.post(path, body)).headers
    const told = { 'x-gateway-mode': mode }
    expect((await ask(at.tenant.admin, 'hello')).headers).toMatchObject(told)
    for (const [path, body] of vendors) expect(await modeOf(path, body)).toMatchObject(told)
    at.upstream.reply(streamed(['Hel', 'lo.']))
    expect((await ask(at.tenant.admin, 'hello', { stream: true })).headers).toMatchObject(told)
    for (const [path, body] of vendors) expect(await modeOf(path, { ...body, stream: true })).toMatchObject(told)
  })

  test('is a header of refusals too', async () => {
    await onlyPolicy(at.tenant, { models: { deny: ['test-model'] } })
    expect((await ask(at.tenant.admin, 'hello')).headers).toMatchObject({ 'x-gateway-mode': 'enforce' })
    for (const [path, body] of vendors) {
      const refused = await at.tenant.admin.post(path, body)
      expect([refused.status, refused.headers['x-gateway-mode']]).toEqual([403, 'enforce'])
    }
  })
})
