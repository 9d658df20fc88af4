/** A model that takes all the time that its policy gives it has failed; a caller with less patience says nothing about it. */
import { beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { late, makeRoute, quietAfter } from '../testing/misbehave.ts'
import { withProvider } from '../testing/one-provider.ts'
import { ask, framesOf } from '../testing/support.ts'
import { fail, hang } from '../testing/upstream.ts'

const here = withProvider('policy-timeout')

beforeAll(async () => {
  const { admin } = here.tenant
  const [{ id }] = (await admin.get('/gateway/policies')).body.data
  const document = { upstream: { total_timeout_ms: 4000 } }
  const patched = expectStatus(await admin.patch(`/gateway/policies/${id}`, { document }), 200).body.data
  expectStatus(await admin.post(`/gateway/policies/${id}/publish`, { version: patched.latest_version }), 200)
})

/** Shares of failed calls, by model. */
async function errorRates(): Promise<Record<string, number>> {
  const { data } = expectStatus(await here.tenant.admin.get('/gateway/providers'), 200).body
  const { id } = data.find(({ name }: { name: string }) => name === 'local')
  const { health } = expectStatus(await here.tenant.admin.get(`/gateway/providers/${id}`), 200).body.data
  return Object.fromEntries(
    health.live.breakers.map(({ model, error_rate }: { model: string; error_rate: number }) => [model, error_rate]),
  )
}

test('a model without an answer in the time of the policy has failed, and its attempt says so', async () => {
  here.upstream.reply(hang)
  const { body } = expectStatus(await ask(here.tenant.admin, 'slow', { model: 'test-slow' }), 502)
  expect(body.error_code).toBe('GW-012')
  expect(await errorRates()).toMatchObject({ 'test-slow': 1 })
  const { attempts } = expectStatus(await here.tenant.admin.get(`/gateway/requests/${body.log_id}`), 200).body.data
  expect(attempts).toMatchObject([{ ok: false, reason: 'timeout: total' }])
})

test('so has one that is quiet in the middle of its stream', async () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Words that leave at once. '.repeat(9) } }] }
  here.upstream.reply(quietAfter(`data: ${JSON.stringify(chunk)}\n\n`, 'text/event-stream'))
  const { text } = await ask(here.tenant.admin, 'slow', { model: 'test-quiet', stream: true })
  expect(framesOf(text).at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-012' } })
  // It answered, and then it failed.
  expect(await errorRates()).toMatchObject({ 'test-quiet': 0.5 })
})

test('one whose caller did not wait as long has not', async () => {
  here.upstream.reply(hang)
  const { body } = await ask(here.tenant.admin, 'slow', { model: 'test-hurried', timeout_ms: 1000 })
  expect(body.error_code).toBe('GW-012')
  expect(await errorRates()).toMatchObject({ 'test-hurried': 0 })
})

test('nor has one that came to it when most of the time was over', async () => {
  here.upstream.reply(late(3000, fail(400)), hang)
  const targets = ['test-first', 'test-last'].map((model) => ({ provider: 'local', model }))
  await makeRoute(here.tenant.admin, targets, { name: 'last', fallback_on: ['bad_request'] })
  const { body } = await ask(here.tenant.admin, 'slow', { model: 'last' })
  expect(body.error_code).toBe('GW-012')
  const { attempts } = expectStatus(await here.tenant.admin.get(`/gateway/requests/${body.log_id}`), 200).body.data
  expect(attempts).toMatchObject([
    { model: 'test-first' },
    { model: 'test-last', reason: expect.stringMatching('ended') },
  ])
  expect(await errorRates()).toMatchObject({ 'test-last': 0 })
})

test('nor has one whose stream began when most of the time was over', async () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Words that leave at once. '.repeat(9) } }] }
  const quiet = quietAfter(`data: ${JSON.stringify(chunk)}\n\n`, 'text/event-stream')
  here.upstream.reply(late(3000, fail(400)), quiet)
  const targets = ['test-before', 'test-behind'].map((model) => ({ provider: 'local', model }))
  await makeRoute(here.tenant.admin, targets, { name: 'behind', fallback_on: ['bad_request'] })
  const { text } = await ask(here.tenant.admin, 'slow', { model: 'behind', stream: true })
  expect(framesOf(text).at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-012' } })
  expect(await errorRates()).toMatchObject({ 'test-behind': 0 })
})
