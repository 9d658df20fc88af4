/** Limits that keep failing providers from being asked too often. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { late, makeRoute } from '../testing/misbehave.ts'
import { type Kind, noWait, openTwoProviders, type TwoProviders } from '../testing/two-providers.ts'
import { fail, say } from '../testing/upstream.ts'

let at: TwoProviders

beforeAll(async () => {
  at = await openTwoProviders('limits')
})

afterAll(() => at?.close())

afterEach(() => {
  at.first.received.splice(0)
  at.second.received.splice(0)
  at.first.reply(say('Hello.'))
  at.second.reply(say('From the second.'))
})

describe('when every breaker is open', () => {
  test('nobody is asked and the caller hears when it may come back', async () => {
    const route = await at.two({ fallback_on: ['error'], retry: { base_ms: 0, max_attempts: 2 } })
    at.first.reply(fail(500))
    at.second.reply(fail(500))
    for (let time = 0; time < 5; time += 1) expect((await at.call(route)).body.error_code).toBe('GW-011')
    const asked = at.first.received.length
    const answer = await at.call(route)
    expect([answer.status, answer.body.error_code]).toEqual([503, 'GW-018'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(20)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(30)
    expect(at.first.received).toHaveLength(asked)
  })
})

describe('limits of a route', () => {
  test('its attempts are counted over all targets', async () => {
    const route = await at.two({ retry: { max_attempts: 1 } })
    at.first.reply(fail(500))
    expect((await at.call(route)).body.error_code).toBe('GW-011')
    expect(at.second.received).toHaveLength(0)
  })

  test('its timeouts stand before those of the provider', async () => {
    const route = await makeRoute(at.admin, [await at.fresh('second')], {
      timeouts: { first_byte_ms: 500 },
      retry: { max_attempts: 1 },
    })
    at.second.reply(late(2000, say('Too late.')))
    expect((await at.call(route)).body.error_code).toBe('GW-012')
  })

  test('retries of one provider end when too many were made', async () => {
    const { provider } = await at.fresh()
    const targets = Array.from({ length: 8 }, (_, index) => ({ provider, model: `test-storm-${index}` }))
    at.first.reply(fail(500))
    for (const target of targets) {
      const route = await makeRoute(at.admin, [target], noWait)
      expect((await at.call(route)).body.error_code).toBe('GW-011')
    }
    // Eight calls, and ten of the sixteen retries they would otherwise make.
    expect(at.first.received).toHaveLength(18)
  })
})

describe('limits of a provider', () => {
  const limited = async (limits: object, kind: Kind = 'first') => {
    const target = await at.fresh(kind)
    const [{ id }] = (await at.admin.get('/gateway/providers', { query: { limit: '1' } })).body.data
    const patched = expectStatus(await at.admin.patch(`/gateway/providers/${id}`, { limits }), 200).body.data
    expect(patched.name).toBe(target.provider)
    return { target, id: patched.id as string }
  }

  test('are told, changed one by one and taken away', async () => {
    const { id } = await limited({ rpm: 5 })
    const path = `/gateway/providers/${id}`
    await at.admin.patch(path, { limits: { tpm: 1000 }, terms: { retention_days: 0 } })
    await at.admin.patch(path, { limits: { rpm: null } })
    expect((await at.admin.get(path)).body.data).toMatchObject({
      limits: { max_concurrency: null, rpm: null, tpm: 1000 },
      terms: { training_opt_out: null, retention_days: 0, reviewed_at: null },
    })
  })

  test('used up, the next target is asked, and without one the caller hears when to come back', async () => {
    const { target } = await limited({ rpm: 2 })
    const alone = await makeRoute(at.admin, [target])
    for (let time = 0; time < 2; time += 1) expect((await at.call(alone)).status).toBe(200)
    const refused = await at.call(alone)
    expect([refused.status, refused.body.error_code]).toEqual([429, 'GW-016'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30)
    const both = await makeRoute(at.admin, [target, await at.fresh('second')])
    expect((await at.call(both)).body.data.provider).toMatch(/^second/)
    expect(at.first.received).toHaveLength(2)
  })

  test('of tokens count question and answer', async () => {
    const alone = await makeRoute(at.admin, [(await limited({ tpm: 20 })).target])
    expect((await at.call(alone)).status).toBe(200)
    await expect.poll(async () => (await at.call(alone)).body.error_code).toBe('GW-016')
  })

  test('of calls at once hold for those under way', async () => {
    const alone = await makeRoute(at.admin, [(await limited({ max_concurrency: 1 }, 'second')).target])
    let answer = (): void => {}
    at.second.reply((response, received) => {
      answer = () => void say('Slow.')(response, received)
    }, say('Quick.'))
    const arrived = at.second.next()
    const running = at.call(alone)
    await arrived
    expect((await at.call(alone)).body.error_code).toBe('GW-016')
    answer()
    expect((await running).status).toBe(200)
    expect((await at.call(alone)).status).toBe(200)
  })
})
