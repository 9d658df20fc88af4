/** A cache hit reports the same remarks as the original answer. */
import { describe, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { cached, untilKept, useCacheWorld } from '../testing/cache.ts'
import { modelNamed } from '../testing/money.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

useCacheWorld('remarks', (made) => {
  ;({ world, upstream, tenant } = made)
})

const custom = [{ name: 'BADGE', pattern: 'B-\\d{4}', confidence: 1 }]
const letThrough = {
  ...cached,
  sensitive_data: { custom, entities: { EMAIL: { action: 'flag' }, BADGE: { action: 'flag' } } },
}
const answered = 'Ask otto.lund@example.org or ann@example.org, B-1234.'
const question = 'Whom shall a visitor with badge B-7777 ask for the password of the door?'

/** Log record of a call, without its times. */
async function loggedOf({ admin }: { readonly admin: TestClient }, id: string) {
  const { security, steps, entities, decision, cache } = (await admin.get(`/gateway/requests/${id}`)).body.data
  const { pipeline_latency_ms: _, policy_violations: rows, ...told } = security
  const step = (n: number) => steps.find((one: { n: number }) => one.n === n)
  const judged = [9, 11, 12].map(step).map(({ decision: done, findings }) => `${done} ${findings}`)
  return { ...told, rows: rows.map((row: object) => JSON.stringify(row)).sort(), entities, decision, judged, cache }
}

async function asked(over: object = {}, content = question) {
  const { body } = await ask(tenant.admin, content, { cache: undefined, ...over })
  return loggedOf(tenant, body.data.id)
}

describe('what an answer of the cache holds and its policy lets through', () => {
  test.each([
    ['complete', {}],
    ['streamed', { stream: true }],
  ])('is told as when it came, where it is %s', async (_how, over) => {
    await onlyPolicy(tenant, letThrough)
    upstream.reply('stream' in over ? streamed([answered]) : say(answered))
    const told = async () => {
      await ask(tenant.admin, question, { cache: undefined, ...over })
      const [row] = (await tenant.admin.get('/gateway/requests')).body.data
      return loggedOf(tenant, row.id)
    }
    const first = await told()
    expect(first).toMatchObject({
      ...{ pii_detected: true, decision: 'flagged', cache: 'miss', entities: { EMAIL: 2, BADGE: 2 } },
      judged: ['allow 0', 'allow 0', 'flag 3'],
    })
    await untilKept(world, tenant, 1)
    expect(await told()).toEqual({ ...first, cache: 'hit' })
    const [kept] = await untilKept(world, tenant, 1)
    for (const value of ['otto.lund', 'B-1234']) expect(JSON.stringify(kept?.told)).not.toContain(value)
  })

  test('is told to each who waited for it, and to who asked nearly the same', async () => {
    const semantic = { enabled: true, threshold: 0.9, embedding_model: 'echo-embed-1' }
    expectStatus(await tenant.admin.patch('/gateway/cache', { semantic }), 200)
    await onlyPolicy(tenant, { ...letThrough, cache: { mode: 'semantic', semantic_threshold: 0.9 } })
    upstream.reply(say(answered))
    const all = [...(await Promise.all([asked(), asked(), asked()]))]
    await untilKept(world, tenant, 1)
    all.push(await asked({}, question.replace('Whom shall', 'Who should')))
    // The score belongs to the question, and the questions differ.
    const told = all.map(({ cache: _, injection_score: __, ...rest }) => rest)
    expect(told[0]).toMatchObject({ entities: { EMAIL: 2, BADGE: 2 } })
    for (const one of told) expect(one).toEqual(told[0])
    expect(new Set(all.map(({ cache }) => cache))).toContain('semantic')
  })

  test('is told in the headers of a vendor’s dialect', async () => {
    await onlyPolicy(tenant, letThrough)
    upstream.reply(say(answered))
    const said = { model: 'test-model', messages: [{ role: 'user', content: 'Whom shall I ask?' }] }
    const told = async () => {
      const { headers } = expectStatus(await tenant.admin.post('/gateway/openai/v1/chat/completions', said), 200)
      return ['cache', 'pii-detected', 'violations'].map((name) => headers[`x-gateway-${name}`])
    }
    expect(await told()).toEqual(['miss', 'true', '3'])
    await untilKept(world, tenant, 1)
    expect(await told()).toEqual(['hit', 'true', '3'])
  })

  test('is nothing where nothing was found', async () => {
    expect(await asked({}, 'a question')).toMatchObject({ pii_detected: false, cache: 'miss', decision: 'allowed' })
    await untilKept(world, tenant, 1)
    const again = await asked({}, 'a question')
    expect(again).toMatchObject({ pii_detected: false, rows: [], cache: 'hit', decision: 'allowed' })
  })
})

test('what the model of the answer was not sent is told again', async () => {
  await onlyPolicy(tenant, { ...cached, upstream: { on_unsupported: 'drop' } })
  upstream.reply(say('Hello.'))
  await addProvider(tenant.admin, 'plain', upstream, { models: ['plain-model'] })
  const { id } = await modelNamed(tenant.admin, 'plain-model')
  expectStatus(await tenant.admin.patch(`/gateway/models/${id}`, { capabilities: { reasoning: false } }), 200)
  const messages = [{ role: 'user', content: 'a question' }]
  const told = async () => {
    const said = { model: 'plain-model', messages, reasoning_effort: 'low' }
    const { headers } = expectStatus(await tenant.admin.post('/gateway/openai/v1/chat/completions', said), 200)
    const [row] = (await tenant.admin.get('/gateway/requests')).body.data
    return { dropped: headers['x-gateway-dropped-params'], ...(await loggedOf(tenant, row.id)) }
  }
  const first = await told()
  expect(first).toMatchObject({ dropped: '/reasoning', cache: 'miss', judged: ['allow 0', 'allow 1', 'allow 0'] })
  await untilKept(world, tenant, 1)
  expect(await told()).toEqual({ ...first, cache: 'hit' })
})

test('an answer of which nobody knows what was found in it is not given again', async () => {
  upstream.reply(say('Hello.'))
  await asked({}, 'a question')
  await untilKept(world, tenant, 1)
  await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(sql`update gateway_cache_entry set told = null`),
  )
  expect((await asked({}, 'a question')).cache).toBe('miss')
  await untilKept(world, tenant, 2)
  expect((await asked({}, 'a question')).cache).toBe('hit')
})
