import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { held } from '../support/matrices.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'
import { type RawAnswer, sendRaw } from './raw-http.ts'
import { chunked, head, post, smuggled } from './smuggled.ts'

let world: NotesWorld
let port: number
let token: string

beforeAll(async () => {
  world = await openNotesWorld()
  token = (await world.person(await world.tenant())).token
  await world.program.app.listen({ port: 0, host: '127.0.0.1' })
  port = (world.program.app.server.address() as AddressInfo).port
})
afterAll(() => world.close())

describe('requests that two parsers could read in two ways', () => {
  test.each(Object.entries(smuggled))('C21 %s: refused, and nothing behind it is answered', async (_what, bytes) => {
    const answers = await sendRaw(port, bytes, true)
    expect(answers.map(({ status }) => status)).toEqual([400])
    expectProblem(answers[0], 400)
  })

  test('what those differ from is answered: a length, and chunks', async () => {
    held('requests with two ends', Object.keys(smuggled).length)
    const body = '{"text":"x"}'
    const [byLength] = await sendRaw(port, `${post(`content-length: ${body.length}`, 'connection: close')}${body}`)
    const [byChunks] = await sendRaw(port, `${post('transfer-encoding: chunked', 'connection: close')}${chunked}`)
    expect([byLength?.status, byChunks?.status]).toEqual([200, 200])
  })
})

describe('C22 requests that are too much', () => {
  test('headers over 16 KiB are 431', async () => {
    const answers = await sendRaw(port, head('GET /healthz', `x-long: ${'x'.repeat(17_000)}`))
    expect(answers.map(({ status }) => status)).toEqual([431])
    expectProblem(answers[0], 431)
  })

  test('so is an address over 16 KiB', async () => {
    const answers = await sendRaw(port, head(`GET /healthz?${'x'.repeat(17_000)}`))
    expect(answers.map(({ status }) => status)).toEqual([431])
  })

  test('a body over a mebibyte is 413, by its announced length alone', async () => {
    const [answer] = await sendRaw(port, post('content-length: 1048577', 'connection: close'))
    expect(answer?.status).toBe(413)
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error_code: 'API-005' })
  })

  test('and while it is read, when no length was announced', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x1_0000)}\r\n`
    const [answer] = await sendRaw(port, `${post('transfer-encoding: chunked')}${chunk.repeat(17)}`)
    expect(answer?.status).toBe(413)
  })
})

describe('what may be passed over', () => {
  test('HTTP/1.0 comes without a host', async () => {
    const answers = await sendRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n')
    expect(answers.map(({ status }) => status)).toEqual([200])
  })

  test('an unknown expectation is not answered by anybody but us', async () => {
    const [answer] = await sendRaw(port, head('GET /healthz', 'expect: wonders', 'connection: close'))
    expect(answer).toMatchObject({ status: 200, headers: { 'x-content-type-options': 'nosniff' } })
  })
})

test('many requests on one connection are answered in their order', async () => {
  const ask = (path: string, ...more: readonly string[]) =>
    head(`GET ${path}`, `authorization: Bearer ${token}`, ...more)
  const answers = await sendRaw(
    port,
    `${ask('/healthz')}${ask('/api/v1/risk/notes')}${ask('/nowhere')}${ask('/healthz', 'connection: close')}`,
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200])
})

test('a client that goes away in the middle leaves the server as it was', async () => {
  expect((await sendRaw(port, 'GET /heal', true)).map(({ status }) => status)).toEqual([400])
  expect((await sendRaw(port, head('GET /healthz', 'connection: close')))[0]?.status).toBe(200)
})

function expectProblem(answer: RawAnswer | undefined, status: number): void {
  expect(answer?.headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'x-request-id': expect.stringMatching(/^req_[0-9a-f]{24}$/),
    connection: 'close',
  })
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({
    status,
    data: null,
    request_id: answer?.headers['x-request-id'],
    errors: [{ error_code: expect.stringMatching(/^API-\d{3}$/) }],
  })
}
