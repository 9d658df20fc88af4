import { afterEach, describe, expect, test, vi } from 'vitest'
import type { TestTenant, World } from '../../../../test/support/world.ts'
import { cached, cacheOf, entriesOf, useCacheWorld } from '../testing/cache.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { ask } from '../testing/support.ts'
import { fail, say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

useCacheWorld('cache', (made) => {
  ;({ world, upstream, tenant } = made)
})

afterEach(() => vi.restoreAllMocks())

describe('an answer is not kept', () => {
  const notKept = async (over: object = {}, content = 'a question'): Promise<void> => {
    const [first, second] = [
      await ask(tenant.admin, content, { cache: undefined, ...over }),
      await ask(tenant.admin, content, { cache: undefined, ...over }),
    ]
    for (const { body } of [first, second]) expect(body.data?.cache ?? 'miss').toBe('miss')
    expect(await entriesOf(world, tenant)).toEqual([])
    expect(upstream.received).toHaveLength(2)
  }

  test('when its provider failed', async () => {
    upstream.reply(fail(400))
    await notKept()
  })

  test('when the model was cut off', async () => {
    upstream.reply((response) => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Half' }, finish_reason: 'length' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ id: 'x', model: 'm', choices }))
    })
    await notKept()
  })

  test('when its stream broke', async () => {
    upstream.reply(streamed(['Half'], { broken: true }))
    const stream = { stream: true, cache: undefined }
    for (let turn = 0; turn < 2; turn++) await ask(tenant.admin, 'a question', stream)
    expect(await entriesOf(world, tenant)).toEqual([])
    expect(upstream.received).toHaveLength(2)
  })

  test('when the answer was blocked', async () => {
    upstream.reply(say(`The key: ${['AKIA', 'Q3EGRTPLK2X7N5MB'].join('')} and more.`))
    await onlyPolicy(tenant, { ...cached, output: { secrets: 'block' } })
    await notKept()
  })

  test('when something in it had to be hidden or was only watched', async () => {
    upstream.reply(say('Ask otto.lund@example.org'))
    await notKept()
    upstream.received.length = 0
    await onlyPolicy(tenant, { ...cached, mode: 'monitor', content: { denied_terms: [deny('question')] } })
    upstream.reply(say('Fine.'))
    await notKept()
  })

  test('when something in it had to be hidden, however much was found in the question', async () => {
    const messages = Array.from({ length: 101 }, () => ({ role: 'user', content: 'Write to ann@example.org' }))
    upstream.reply(say('Ask otto.lund@example.org'))
    await notKept({ messages })
  })

  test('when the question was flagged', async () => {
    await onlyPolicy(tenant, { ...cached, content: { denied_terms: [{ ...deny('bluebird'), action: 'flag' }] } })
    await notKept({}, 'what about the bluebird')
  })

  const deny = (term: string) => ({ id: 'd', terms: [term], match: 'word', action: 'block', on: ['input'] })

  test('when the policy or the caller keeps no content', async () => {
    await notKept({ retention: 'metadata' })
    upstream.received.length = 0
    await onlyPolicy(tenant, { ...cached, retention: { level: 'metadata' } })
    await notKept()
  })

  test('when the caller wants it so, or the model was to be inventive', async () => {
    expect(await cacheOf(tenant.admin, 'a question', { cache: { mode: 'off' } })).toBe('off')
    expect(await cacheOf(tenant.admin, 'a question', { temperature: 1.2 })).toBe('off')
    expect(await entriesOf(world, tenant)).toEqual([])
  })
})
