import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectStatus, openWorld, password, type TestTenant, type World } from '../../../../test/support/world.ts'
import type { IamServices } from '../services/iam-services.ts'
import { createBreachRange } from './breach-range.ts'
import { type BreachList, breachListCheck, openBreachList } from './breached.ts'

const stolen = 'the password of somebody else entirely'
const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase()

let server: Server
let world: World
let tenant: TestTenant
let asked: { readonly url: string; readonly padding: unknown }[] = []
let answer: { readonly status: number; readonly body: string }
const good = () => {
  const lines = [
    `${'0'.repeat(35)}:3`,
    `${digestOf(stolen).slice(5)}:12`,
    `${digestOf('padding of the range').slice(5)}:0`,
  ]
  return { status: 200, body: lines.join('\r\n') }
}

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', padding: request.headers['add-padding'] })
    response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  answer = good()
  const { port } = server.address() as AddressInfo
  world = await openWorld({ environment: { PARAPET_BREACHED_PASSWORDS_URL: `http://127.0.0.1:${port}/range/` } })
  tenant = await world.tenant('ranges')
})
beforeEach(() => {
  asked = []
  answer = good()
})
afterAll(async () => {
  await world.close()
  server.close()
})

const change = (new_password: string) =>
  tenant.admin.post('/auth/password', { current_password: password, new_password })
const health = (of: BreachList) => breachListCheck(of).run(AbortSignal.timeout(60_000))
const range = (url: string | null) =>
  createBreachRange({ egress: world.kernel.egress, log: { warn: () => undefined }, url })

test('a password the service knows is refused, and the service learns five digits of its digest alone', async () => {
  expect((await change(stolen)).body).toMatchObject({ error_code: 'IAM-002', reasons: ['breached'] })
  expect(asked).toEqual([{ url: `/range/${digestOf(stolen).slice(0, 5)}`, padding: 'true' }])
  const viewer = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
  const body = { email: 'new@ranges.example', role_ids: [viewer], delivery: 'password', password: stolen }
  expect((await tenant.admin.post('/iam/users', body)).body.reasons).toEqual(['breached'])
  const { breached } = world.program.assembled.modules.servicesOf('iam') as IamServices
  expect(await health(breached)).toEqual({ status: 'pass', observed: { configured: true, range: 'answers' } })
})

test('a stolen password is known in every spelling of Unicode', async () => {
  const composed = 'caf\u00e9 au lait at half past seven'
  const decomposed = composed.normalize('NFD')
  expect(decomposed).not.toBe(composed)
  answer = { status: 200, body: `${digestOf(composed).slice(5)}:1` }
  const body = { email: 'spelled@ranges.example', delivery: 'password', password: decomposed }
  const viewer = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
  expect((await tenant.admin.post('/iam/users', { ...body, role_ids: [viewer] })).body.reasons).toEqual(['breached'])
  expect((await change(decomposed)).body.reasons).toEqual(['breached'])
})

test('padding is no breach, nor is a password the service does not name', async () => {
  answer = { status: 200, body: `${digestOf('quiet lanterns over the harbor').slice(5)}:0\n` }
  const { port } = server.address() as AddressInfo
  const here = range(`http://127.0.0.1:${port}`)
  expect(await here.has('quiet lanterns over the harbor')).toBe(false)
  answer = { status: 200, body: `${digestOf('quiet lanterns over the harbor').slice(5).toLowerCase()}:1\n` }
  expect(await here.has('quiet lanterns over the harbor')).toBe(true)
  expect(await here.has('something else altogether')).toBe(false)
})

test('a service that does not answer, or answers something else, keeps nobody from a password and is told of', async () => {
  const { port } = server.address() as AddressInfo
  for (const wrong of [
    { status: 503, body: '' },
    { status: 200, body: '<html>Blocked</html>' },
    { status: 302, body: '' },
  ]) {
    answer = wrong
    const here = range(`http://127.0.0.1:${port}/range`)
    expect([await here.has(stolen), here.state()]).toEqual([false, 'fails'])
  }
  // An address the guard does not let through.
  const metadata = range('http://169.254.169.254/range')
  expect([await metadata.has(stolen), metadata.state()]).toEqual([false, 'fails'])
  answer = { status: 503, body: '' }
  expectStatus(await change('a quiet harbor of seven lanterns'), 200)
  const { breached } = world.program.assembled.modules.servicesOf('iam') as IamServices
  expect(await health(breached)).toEqual({ status: 'warn', observed: { configured: true, range: 'fails' } })
})

test('without an address nothing is asked', async () => {
  const here = range(null)
  expect([await here.has(stolen), here.state(), asked]).toEqual([false, 'off', []])
  const none = openBreachList(null, here)
  expect(await health(none)).toEqual({ status: 'pass', observed: { configured: false, range: 'off' } })
})
