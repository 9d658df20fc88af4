import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestClient } from '../support/client.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'
import { request, sendRaw } from './raw-http.ts'

let world: NotesWorld
let port: number
let writer: TestClient
let noteId: string

beforeAll(async () => {
  world = await openNotesWorld()
  writer = await world.person(await world.tenant())
  noteId = (await writer.post('/risk/notes', { title: 'first' })).body.data.id
  await world.program.app.listen({ port: 0, host: '127.0.0.1' })
  port = (world.program.app.server.address() as AddressInfo).port
})
afterAll(() => world.close())

const bearer = () => ({ authorization: `Bearer ${writer.token}` })

async function send(method: string, target: string, headers: Readonly<Record<string, string>> = {}) {
  const [answer] = await sendRaw(port, request(method, target, headers))
  if (answer === undefined) throw new Error(`${method} ${target} was not answered`)
  return answer
}

test('the plain address answers who has a credential, and nobody else', async () => {
  expect((await send('GET', '/api/v1/risk/notes', bearer())).status).toBe(200)
  expect((await send('GET', '/api/v1/risk/notes')).status).toBe(401)
})

describe('C13 addresses that look like a route and are not one', () => {
  const tricks = [
    '//api/v1/risk/notes',
    '/api//v1/risk/notes',
    '/api/v1/risk//notes',
    '/./api/v1/risk/notes',
    '/api/v1/./risk/notes',
    '/api/v1/risk/../risk/notes',
    '/api/v1/risk/%2e/notes',
    '/api/v1/risk/%2e%2e/risk/notes',
    '/api/v1/risk/.%2e/risk/notes',
    '/api%2fv1/risk/notes',
    '/api/v1/risk%2fnotes',
    '/api/v1/risk%5cnotes',
    '/api\\v1\\risk\\notes',
    '/api/v1/risk/notes/',
    '/api/v1/risk/notes//',
    '/API/v1/risk/notes',
    '/api/v1/Risk/notes',
    '/api/v1/risk/NOTES',
    '/api/v1/risk/notes;x',
    '/api/v1/risk/notes;a=b',
    '/api/v1/risk;x/notes',
    '/api/v1/risk/notes%20',
    '/api/v1/risk/notes%09',
    '/api/v1/risk/notes%00',
    '/api/v1/risk/notes%23',
    '/api/v1/risk/notes%3f',
    '/api/v1/risk/notes.json',
    '/api/v1/risk/notes%2e',
    '/api/v1/risk/n%256ftes',
    '/api/v1/risk/%e0%80%af/notes',
    '/api/v2/risk/notes',
    '/risk/notes',
    '/api/v1',
    '/__proto__',
    '/constructor/prototype',
  ]

  test.each(tricks)('%s is nothing, whoever asks', async (target) => {
    const stranger = await send('GET', target)
    const known = await send('GET', target, bearer())
    // An empty id is matched as an id, so a stranger is first asked who he is.
    expect([400, 401, 404]).toContain(stranger.status)
    expect([400, 404]).toContain(known.status)
    expect(['API-001', 'API-004', 'API-013']).toContain(JSON.parse(known.body).error_code)
    for (const answer of [stranger, known])
      expect(answer.headers).toMatchObject({
        'x-request-id': expect.stringMatching(/^req_/),
        'x-ratelimit-limit': expect.any(String),
        'x-content-type-options': 'nosniff',
      })
  })

  test.each(['/api/v1/risk/%zz', '/api/v1/risk/notes/%', '/%c0%ae'])('%s is no address at all: 400', async (target) => {
    const answer = await send('GET', target)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toMatchObject({ error_code: 'API-001' })
  })

  test.each([
    ['..', '%2e%2e'],
    ['an encoded slash', 'a%2fb'],
    ['300 characters and more', 'a'.repeat(301)],
    ['a NUL', '%00'],
    ['upper case', '01900000-0000-7000-8000-00000000000A'],
    ['a trailing line break', '01900000-0000-7000-8000-000000000001%0a'],
  ])('an id that is %s is the id of nothing', async (_what, id) => {
    const answer = await send('GET', `/api/v1/risk/notes/${id}`, bearer())
    expect(answer.status, answer.body).toBe(404)
  })
})

describe('C13 the right asked for belongs to the route that answers, not to the text of the address', () => {
  test.each([
    '/api/v1/risk/n%6ftes',
    '/%61pi/v1/risk/notes',
    'http://elsewhere.example/api/v1/risk/notes',
    '/api/v1/risk/notes#fragment',
    '/api/v1/risk/notes?',
  ])('%s needs the same credential as the plain address', async (target) => {
    const answer = await send('GET', target)
    expect([400, 401, 404]).toContain(answer.status)
  })

  test.each(['x-http-method-override', 'x-method-override', 'x-http-method'])('%s changes nothing', async (name) => {
    const answer = await send('GET', '/api/v1/risk/notes', { ...bearer(), [name]: 'DELETE' })
    expect(answer.status).toBe(200)
  })

  test.each([
    ['x-original-url', '/healthz'],
    ['x-rewrite-url', '/healthz'],
    ['x-forwarded-prefix', '/'],
  ])('%s changes nothing', async (name, value) => {
    expect((await send('GET', '/api/v1/risk/notes', { [name]: value })).status).toBe(401)
  })
})

describe('methods', () => {
  test.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'PROPFIND'])(
    'C45 %s on a list is 405 and says what is allowed',
    async (method) => {
      const answer = await send(method, '/api/v1/risk/notes', bearer())
      expect(answer.status).toBe(405)
      expect(answer.headers.allow).toBe('GET, POST')
      if (method !== 'HEAD') expect(JSON.parse(answer.body)).toMatchObject({ error_code: 'API-010' })
    },
  )

  test('a method that another resource has is 405 as well', async () => {
    const answer = await send('DELETE', `/api/v1/risk/notes/${noteId}`, bearer())
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, PATCH'])
  })

  test('C45 TRACE gives nothing of the request back', async () => {
    const answer = await send('TRACE', '/api/v1/risk/notes', { ...bearer(), 'x-canary': 'hunter2' })
    expect(answer.body).not.toContain('hunter2')
    expect(answer.body).not.toContain('Bearer')
  })

  test('C45 an unknown method is 400', async () => {
    expect((await send('SUMMON', '/api/v1/risk/notes')).status).toBe(400)
  })

  test('C45 CONNECT gets no tunnel', async () => {
    const answers = await sendRaw(port, request('CONNECT', '127.0.0.1:5432'))
    expect(answers.filter(({ status }) => status < 400)).toEqual([])
  })
})

describe('cross-origin', () => {
  test('C44 nobody is told that another origin may read', async () => {
    const answer = await send('GET', '/api/v1/risk/notes', { ...bearer(), origin: 'https://evil.example' })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
