/** A kill switch activated while a call with several targets is running. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/support/world.ts'
import { heldBack, makeRoute } from '../testing/misbehave.ts'
import { addProvider } from '../testing/support.ts'
import { noWait, openTwoProviders, type TwoProviders } from '../testing/two-providers.ts'
import { fail, hang, say } from '../testing/upstream.ts'

let at: TwoProviders

beforeAll(async () => {
  at = await openTwoProviders('kill-questions')
})

afterAll(() => at?.close())

const reason = 'the provider was breached'

async function kill(scope: string, value: string, over: object = {}) {
  return expectStatus(await at.admin.post('/gateway/kill-switches', { scope, value, reason, ...over }), 201).body.data
}

const lift = (id: string) => at.admin.post(`/gateway/kill-switches/${id}/deactivate`, { reason })

let made = 0

/** Both targets are asked, and only the first answers, when released. */
async function hedged() {
  made += 1
  const patient = await addProvider(at.admin, `patient-${made}`, at.first)
  const one = { provider: patient.name, model: 'test-model' }
  const other = await at.fresh('second')
  const route = await makeRoute(at.admin, [one, other], { ...noWait, hedge: { after_ms: 500 } })
  at.first.reply(say('Quick.'))
  // One call in twenty may ask twice.
  for (let call = 0; call < 20; call += 1) expectStatus(await at.call(route), 200)
  const { reply, release } = heldBack(say('From the first.'))
  at.first.reply(reply)
  at.second.reply(hang)
  const arrived = Promise.all([at.first.next(), at.second.next()])
  const running = at.call(route)
  const [asked, askedToo] = await arrived
  return { other, route, running, release, asked, askedToo }
}

test('a target that was stopped meanwhile is not asked', async () => {
  const route = await makeRoute(at.admin, [await at.fresh(), await at.fresh('second')], noWait)
  const other = route.targets[1].provider
  const { reply, release } = heldBack(fail(500))
  at.first.reply(reply)
  at.second.reply(say('From the second.'))
  const [arrived, before] = [at.first.next(), at.second.received.length]
  const running = at.call(route)
  await arrived
  const { propagation } = await kill('provider', other)
  expect(propagation.inflight_aborted).toBe(0)
  release()
  const answer = await running
  expect([answer.status, answer.body.error_code]).toEqual([503, 'GW-010'])
  expect(answer.body.detail).toContain(reason)
  expect(at.second.received).toHaveLength(before)
})

/** A call that has asked the first target, which fails when released, and would be answered by the next. */
async function askingFirst(targets: Parameters<typeof makeRoute>[1]) {
  const route = await makeRoute(at.admin, targets, noWait)
  const { reply, release } = heldBack(fail(500))
  at.second.reply(reply, say('From the next.'))
  const arrived = at.second.next()
  const running = at.call(route)
  await arrived
  return { route, running, release }
}

test.each([
  ['route', 'falls back'],
  ['provider', 'falls back'],
  ['route', 'is tried again'],
])('a switch of the scope %s that blocks new calls lets one end that %s', async (scope, how) => {
  const targets = [await at.fresh('second'), ...(how === 'falls back' ? [await at.fresh('second')] : [])]
  const { route, running, release } = await askingFirst(targets)
  const value = scope === 'route' ? route.name : (targets[1]?.provider ?? '')
  const { id, propagation } = await kill(scope, value, { level: 'block_new' })
  expect(propagation.inflight_aborted).toBe(0)
  release()
  const answer = expectStatus(await running, 200)
  expect(answer.body.data.choices[0].message.content).toBe('From the next.')
  expect(await at.attemptsOf(answer.body.data.id)).toHaveLength(2)
  const fresh = await at.call({ name: scope === 'route' ? route.name : `${value}/test-model` })
  expect(fresh.body.error_code).toBe('GW-010')
  await lift(id)
})

test('a hard switch keeps the next target from being asked beside one that blocks new calls only', async () => {
  const targets = [await at.fresh('second'), await at.fresh('second')]
  const { route, running, release } = await askingFirst(targets)
  const asked = at.second.received.length
  const { id } = await kill('route', route.name, { level: 'block_new' })
  await kill('provider', targets[1]?.provider ?? '')
  release()
  expect((await running).body.error_code).toBe('GW-010')
  expect(at.second.received).toHaveLength(asked)
  await lift(id)
})

test('a question under way is ended and the next target is asked', async () => {
  const one = await at.fresh('second')
  const route = await makeRoute(at.admin, [one, await at.fresh('second')], noWait)
  at.second.reply(hang, say('From the other.'))
  const arrived = at.second.next()
  const running = at.call(route)
  const asked = await arrived
  const { propagation } = await kill('provider', one.provider)
  expect(propagation.inflight_aborted).toBe(1)
  await asked.closed
  const answer = await running
  expect(answer.body.data.choices[0].message.content).toBe('From the other.')
  expect(await at.attemptsOf(answer.body.data.id)).toEqual(['cancelled', 'ok'])
})

test('ends one of two questions at once and leaves the other', async () => {
  const { other, running, release, askedToo } = await hedged()
  const { propagation } = await kill('provider', other.provider)
  expect(propagation.inflight_aborted).toBe(1)
  await askedToo.closed
  release()
  const answer = await running
  expect(answer.body.data.choices[0].message.content).toBe('From the first.')
})

test('ends a call of two questions when the call itself is stopped', async () => {
  const { route, running, asked, askedToo } = await hedged()
  const { id, propagation } = await kill('route', route.name)
  expect(propagation.inflight_aborted).toBe(1)
  await Promise.all([asked.closed, askedToo.closed])
  expect((await running).body.error_code).toBe('GW-010')
  await lift(id)
})
