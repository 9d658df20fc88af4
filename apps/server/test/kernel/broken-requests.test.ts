import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'
import { type RawAnswer, sendRaw } from './raw-http.ts'

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

/** A second request hidden in the body of a first one; answered only by a server that can be fooled. */
const hidden = 'GET /healthz HTTP/1.1\r\nhost: parapet.example\r\n\r\n'
const head = (line: string, ...headers: readonly string[]): string =>
  `${line} HTTP/1.1\r\nhost: parapet.example\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`
const post = (...headers: readonly string[]): string =>
  head('POST /api/v1/resilience/public', 'content-type: application/json', ...headers)
const chunked = '12\r\n{"text":"a chunk"}\r\n0\r\n\r\n'

describe('requests that two parsers could read in two ways', () => {
  const smuggled: Readonly<Record<string, string>> = {
    'length and chunks': `${post('content-length: 4', 'transfer-encoding: chunked')}0\r\n\r\n${hidden}`,
    'chunks and length': `${post('transfer-encoding: chunked', 'content-length: 4')}0\r\n\r\n${hidden}`,
    'two lengths': `${post('content-length: 0', `content-length: ${hidden.length}`)}${hidden}`,
    'two equal lengths': `${post('content-length: 2', 'content-length: 2')}{}`,
    'a list of lengths': `${post('content-length: 2, 2')}{}`,
    'a signed length': `${post('content-length: +2')}{}`,
    'a hexadecimal length': `${post('content-length: 0x2')}{}`,
    'an unknown encoding': `${post('transfer-encoding: xchunked')}${chunked}`,
    'chunks twice': `${post('transfer-encoding: chunked, chunked')}${chunked}${hidden}`,
    'chunks before another encoding': `${post('transfer-encoding: chunked, identity')}${chunked}${hidden}`,
    'a space before the colon': `${post('transfer-encoding : chunked')}${chunked}`,
    'a tab before the value': `${post('transfer-encoding:\tchunked', 'content-length: 0')}${hidden}`,
    'a folded header': `${post('transfer-encoding:\r\n chunked')}${chunked}`,
    'a vertical tab': `${post('transfer-encoding: \x0bchunked')}${chunked}`,
    'a bare line feed': 'GET /healthz HTTP/1.1\nhost: parapet.example\n\n',
    'a bare carriage return': 'GET /healthz HTTP/1.1\rhost: parapet.example\r\r',
    'a line feed in a header': head('GET /healthz', 'x: 1\ny: 2'),
    'a NUL in a header': head('GET /healthz', 'x: 1\0'),
    'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
    'two hosts': head('GET /healthz', 'host: elsewhere.example'),
    'a chunk size with a sign': `${post('transfer-encoding: chunked')}+2\r\n{}\r\n0\r\n\r\n`,
    'a chunk size with a prefix': `${post('transfer-encoding: chunked')}0x2\r\n{}\r\n0\r\n\r\n`,
    'a line feed in a chunk extension': `${post('transfer-encoding: chunked')}2;a\n{}\r\n0\r\n\r\n`,
    'a chunk longer than it says': `${post('transfer-encoding: chunked')}1\r\n{}\r\n0\r\n\r\n`,
    'a chunk size beyond counting': `${post('transfer-encoding: chunked')}ffffffffffffffff1\r\n{}\r\n0\r\n\r\n`,
    'an unknown version': 'GET /healthz HTTP/1.9\r\nhost: parapet.example\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  }

  test.each(Object.entries(smuggled))('C21 %s: refused, and nothing behind it is answered', async (_what, bytes) => {
    const answers = await sendRaw(port, bytes, true)
    expect(answers.map(({ status }) => status)).toEqual([400])
    expectProblem(answers[0], 400)
  })

  test('what those differ from is answered: a length, and chunks', async () => {
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
