import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { expectStatus, type OwnWorld, openWorld, type TestTenant } from '../../../../test/support/world.ts'
import { createStream } from '../../../kernel/events/ws/server.ts'

let world: OwnWorld
let alpha: TestTenant

beforeAll(async () => {
  world = await openWorld({ own: true })
  alpha = await world.tenant('alpha')
})
afterAll(() => world.close())

const set = (maintenance: object | null) =>
  world.operator.patch('/admin/config', { scope: 'platform', values: { maintenance }, comment: 'Work on the machine' })
const mode = (over: object) => ({
  ...{ mode: 'full', message: 'Back soon.', starts_at: null, ends_at: null, allow_cidrs: [] },
  ...over,
})
const ready = async () => (await world.program.app.inject('/readyz')).statusCode
const closed = { status: 503, body: { error_code: 'ADM-009', detail: 'Back soon.' } }

test('full maintenance answers 503 with a time to wait, everywhere but sign-in, health and administration', async () => {
  expect(await ready()).toBe(200)
  expectStatus(await set(mode({})), 200)
  const refused = await alpha.admin.get('/iam/users')
  expect(refused).toMatchObject(closed)
  expect(refused.headers['retry-after']).toBe('60')
  expect(await alpha.admin.post('/gateway/chat/completions', { model: 'echo-1', messages: [] })).toMatchObject(closed)
  expect(await ready()).toBe(503)
  expect((await world.program.app.inject('/healthz')).statusCode).toBe(200)
  const operator = await world.signIn('operator@root.example')
  expectStatus(await operator.get('/admin/config'), 200)
  expectStatus(await set(null), 200)
  expectStatus(await alpha.admin.get('/iam/users'), 200)
  expect(await ready()).toBe(200)
})

test('read_only lets reading pass', async () => {
  expectStatus(await set(mode({ mode: 'read_only' })), 200)
  expectStatus(await alpha.admin.get('/iam/users'), 200)
  expect(await alpha.admin.post('/iam/roles', { name: 'Later', permissions: [] })).toMatchObject(closed)
  expect(await ready()).toBe(200)
  expectStatus(await set(null), 200)
})

test('it counts between its times and not for the networks that are let in', async () => {
  const at = (ms: number) => new Date(world.kernel.clock.now() + ms).toISOString()
  expectStatus(await set(mode({ starts_at: at(60_000) })), 200)
  expectStatus(await alpha.admin.get('/iam/users'), 200)
  expectStatus(await set(mode({ ends_at: at(30_000) })), 200)
  const wait = Number((await alpha.admin.get('/iam/users')).headers['retry-after'])
  expect(wait).toBeGreaterThan(20)
  expect(wait).toBeLessThanOrEqual(30)
  expectStatus(await set(mode({ allow_cidrs: ['127.0.0.0/8'] })), 200)
  expectStatus(await alpha.admin.get('/iam/users'), 200)
  expect(await set(mode({ allow_cidrs: ['nowhere'] }))).toMatchObject({ status: 422, body: { error_code: 'ADM-001' } })
  expect(await set(mode({ starts_at: at(5), ends_at: at(1) }))).toMatchObject({ body: { error_code: 'ADM-001' } })
  expectStatus(await set(null), 200)
})

test('who proved their identity long ago has to do it again before anything is closed', async () => {
  const { clock } = world.kernel
  const later = clock.now() + 700_000
  const now = clock.now
  Object.assign(clock, { now: () => later })
  try {
    expect(await set(mode({}))).toMatchObject({ status: 401, body: { error_code: 'AUTH-009' } })
  } finally {
    Object.assign(clock, { now })
  }
})

test('C23 full maintenance ends the sockets of the stream and lets no new one in, but from the networks it names', async () => {
  const { app, assembled } = world.program
  const stream = createStream({ kernel: assembled.kernel, events: [] })
  stream.attach(app.server)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const asked = await alpha.admin.post('/iam/api-keys', { name: 'Stream', scopes: ['platform:read'] })
  const headers = { 'x-api-key': expectStatus(asked, 201).body.data.secret }
  const connect = () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers })
    const seen = { opened: false, ended: '' }
    socket.on('open', () => Object.assign(seen, { opened: true }))
    socket.on('error', ({ message }) => Object.assign(seen, { ended: message }))
    socket.on('close', (code, reason) => Object.assign(seen, { ended: seen.ended || `${code} ${reason}` }))
    return seen
  }
  try {
    const open = connect()
    await expect.poll(() => open.opened).toBe(true)
    expectStatus(await set(mode({ mode: 'read_only' })), 200)
    const reading = connect()
    await expect.poll(() => reading.opened).toBe(true)
    expectStatus(await set(mode({ allow_cidrs: ['127.0.0.0/8'] })), 200)
    const inside = connect()
    await expect.poll(() => inside.opened).toBe(true)
    expectStatus(await set(mode({})), 200)
    await expect.poll(() => [open, inside].map(({ ended }) => ended)).toEqual(Array(2).fill('1013 ADM-009'))
    const late = connect()
    await expect.poll(() => late.ended).toContain('503')
  } finally {
    expectStatus(await set(null), 200)
    await stream.close()
  }
})
