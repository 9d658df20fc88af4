/** What keeps failing providers from being asked too much. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { late, makeRoute } from './test/misbehave.ts'
import { noWait, openTwoProviders, type TwoProviders } from './test/two-providers.ts'
import { fail, say } from './test/upstream.ts'

let at: TwoProviders

beforeAll(async () => {
  at = await openTwoProviders('limits')
}, 60_000)

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
    // Eight calls, and ten retries of the sixteen they would have liked.
    expect(at.first.received).toHaveLength(18)
  })
})
