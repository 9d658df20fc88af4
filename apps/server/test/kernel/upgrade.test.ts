import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStream } from '../../src/kernel/events/ws/server.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

let world: NotesWorld
let port: number
let token: string

beforeAll(async () => {
  world = await openNotesWorld()
  const stream = createStream({ kernel: world.kernel, events: [] })
  stream.attach(world.program.app.server)
  await world.program.app.listen({ host: '127.0.0.1', port: 0 })
  port = (world.program.app.server.address() as AddressInfo).port
  token = (await world.person(await world.tenant(), ['risk:write'])).token
})

afterAll(() => world.close())

async function raw(lines: readonly string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return text(socket)
}

const offer = [
  'Host: x',
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
]

test('an offer to speak another protocol is passed over and the request is served', async () => {
  const answer = await raw(['GET /api/v1/risk/notes HTTP/1.1', ...offer, `Authorization: Bearer ${token}`])
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toContain('"total_count":0')
})

test('also with a body, whether it comes with the head or after it', async () => {
  const body = JSON.stringify({ title: 'over h2c' })
  const head = [
    'POST /api/v1/risk/notes HTTP/1.1',
    ...offer,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  expect(await raw(head, body)).toMatch(/^HTTP\/1\.1 201 /)
})

test('CONNECT is answered and not left hanging', async () => {
  const answer = await raw(['CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'])
  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  expect(answer).toContain('"error_code":"API-010"')
})

test('C22 an address over 8 KiB is refused as such', async () => {
  const answer = await raw([`GET /api/v1/risk/notes?q=${'x'.repeat(9_000)} HTTP/1.1`, 'Host: x', 'Connection: close'])
  expect(answer).toMatch(/^HTTP\/1\.1 414 /)
})

test('a refused upgrade says why, as a problem', async () => {
  const answer = await raw([
    'GET /ws?token=abc HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ])
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('"error_code":"API-001"')
})
