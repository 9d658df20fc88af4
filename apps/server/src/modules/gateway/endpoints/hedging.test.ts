import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { late, makeRoute } from '../testing/misbehave.ts'
import { priceModel } from '../testing/money.ts'
import { addProvider, ask, framesOf, textOf } from '../testing/support.ts'
import { fail, hang, openUpstream, say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let slow: Upstream
let quick: Upstream
let route: { readonly name: string }

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('hedging')
  slow = await openUpstream()
  quick = await openUpstream()
  await addProvider(tenant.admin, 'slow', slow, { models: ['test-slow'] })
  await addProvider(tenant.admin, 'quick', quick, { models: ['test-quick'] })
  const targets = [
    { provider: 'slow', model: 'test-slow' },
    { provider: 'quick', model: 'test-quick' },
  ]
  route = await makeRoute(tenant.admin, targets, { hedge: { after_ms: 500 } })
  await priceModel(tenant.admin, 'test-slow', { currency: 'USD', prices: { input: '1000000', output: '1000000' } })
  await priceModel(tenant.admin, 'test-quick', { currency: 'USD', prices: { input: '1000000', output: '1000000' } })
})

afterAll(async () => {
  await slow?.close()
  await quick?.close()
  await world?.close()
})

afterEach(() => {
  slow.received.splice(0)
  quick.received.splice(0)
})

const call = (over: object = {}) => ask(tenant.admin, 'hello', { model: route.name, ...over })
const attemptsOf = async (id: string) => (await tenant.admin.get(`/gateway/requests/${id}`)).body.data.attempts

/** Enough calls for one hedge, since one in twenty may be hedged. */
async function earnOne() {
  quick.received.splice(0)
  slow.reply(say('Quick for once.'))
  for (let at = 0; at < 20; at += 1) expect((await call()).body.data.provider).toBe('slow')
  expect(quick.received).toHaveLength(0)
  slow.received.splice(0)
}

describe('a hedged call', () => {
  test('asks the next target when the first is slow, takes the quicker, cuts the other off and pays both', async () => {
    await earnOne()
    slow.reply(hang)
    quick.reply(say('Here.'))
    const arrived = slow.next()
    const answer = await call()
    expect(answer.body.data).toMatchObject({ provider: 'quick', model: 'served-model' })
    await (await arrived).closed
    const attempts = await attemptsOf(answer.body.data.id)
    expect(attempts.map(({ provider, ok }: { provider: string; ok: boolean }) => [provider, ok])).toContainEqual([
      'quick',
      true,
    ])
    // 11 tokens read and 7 written at a dollar each, plus the estimated input of the other target.
    expect(Number(answer.body.data.cost.amount)).toBeGreaterThan(18)
    expect(answer.body.data.cost.status).toBe('estimated')
  })

  test('is one in twenty at most', async () => {
    await earnOne()
    slow.reply(late(1500, say('Late.')))
    quick.reply(say('Here.'))
    const served: string[] = []
    for (let at = 0; at < 3; at += 1) served.push((await call()).body.data.provider)
    expect(served).toEqual(['quick', 'slow', 'slow'])
  })

  test('streams what came first, and the slower one only when the quicker failed', async () => {
    await earnOne()
    slow.reply(hang)
    quick.reply(streamed(['Streamed ', 'by the second.']))
    expect(textOf(framesOf((await call({ stream: true })).text))).toBe('Streamed by the second.')
    await earnOne()
    slow.reply(late(1500, say('Late but there.')))
    quick.reply(fail(500))
    const answer = await call()
    expect(answer.body.data.provider).toBe('slow')
    expect(quick.received).toHaveLength(1)
  })
  test.each([
    ['the first ends last', late(1500, fail(500)), fail(401)],
    ['the second ends last', late(700, fail(500)), late(1500, fail(401))],
  ])('asks none of two that failed with a refused key again: %s', async (_, ofSlow, ofQuick) => {
    await earnOne()
    slow.reply(ofSlow)
    quick.reply(ofQuick)
    const answer = await call()
    expect(answer.status).toBe(502)
    expect([slow.received.length, quick.received.length]).toEqual([1, 1])
  })
})
