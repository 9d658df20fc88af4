import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import type { Tx } from '../../src/kernel/db/port.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { TestAnswer, TestClient } from '../support/client.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'
import { secrets } from './probe-module.ts'

const publicUrl = 'https://parapet.example'
let world: NotesWorld
let tenantId: TenantId
let writer: TestClient
let reader: TestClient
let note: TestAnswer

beforeAll(async () => {
  world = await openNotesWorld({ PARAPET_PUBLIC_URL: publicUrl, PARAPET_RATE_LIMIT_EXPENSIVE: '1' })
  tenantId = await world.tenant()
  writer = await world.person(tenantId)
  reader = await world.person(tenantId, ['risk:read'])
  note = await writer.post('/risk/notes', { title: 'first' })
})
afterAll(() => world.close())

const pathOfNote = (): string => `/risk/notes/${note.body.data.id}`
const missing = '/risk/notes/01900000-0000-7000-8000-000000000000'
const json = { 'content-type': 'application/json' }

/** One way to each kind of answer. */
const answers: Readonly<Record<string, () => Promise<TestAnswer>>> = {
  '200': () => reader.get(pathOfNote()),
  '200 of a list': () => reader.get('/risk/notes'),
  '200 of a surface': () => world.stranger.send('GET', 'healthz', {}),
  '200 of a stream': () => writer.post('/resilience/streamed', { text: 'x' }),
  '201': () => writer.post('/risk/notes', { title: 'another' }),
  '304': async () => reader.get(pathOfNote(), { headers: { 'if-none-match': await etag() } }),
  '400 API-001': () => writer.post('/risk/notes', { title: 5 }),
  '400 API-002': () => writer.post('/risk/notes', '{"title":'),
  '400 API-003': () => reader.get('/risk/notes', { query: { cursor: 'made-up' } }),
  '401 AUTH-001': () => world.stranger.get('/risk/notes'),
  '401 AUTH-002': () => world.stranger.with('garbage').get('/risk/notes'),
  '403 AUTH-004': () => reader.post('/risk/notes', { title: 'x' }),
  '404 API-004': () => reader.get('/nowhere'),
  '404 API-013': () => reader.get(missing),
  '405 API-010': () => reader.delete('/risk/notes'),
  '409 RISK-001': async () => writer.patch(await lockedNote(), { title: 'open' }),
  '412 API-012': () => writer.patch(pathOfNote(), { title: 'x' }, { headers: { 'if-match': '"99-x"' } }),
  '413 API-005': () => writer.post('/resilience/small', { text: 'x'.repeat(64) }),
  '415 API-006': () =>
    writer.post('/risk/notes', '{"title":"x"}', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  '429 API-007': async () => {
    await reader.get('/resilience/expensive')
    return reader.get('/resilience/expensive')
  },
  '500 API-008': () => reader.get('/resilience/fails/error'),
  '503 API-009': async () => {
    world.setSetUp(false)
    return reader.get('/risk/notes').finally(() => world.setSetUp(true))
  },
}

async function etag(): Promise<string> {
  return (await reader.get(pathOfNote())).headers.etag ?? ''
}

async function lockedNote(): Promise<string> {
  const locked = await writer.post('/risk/notes', { title: 'locked' })
  return `/risk/notes/${locked.body.data.id}`
}

describe.each(Object.entries(answers))('%s', (name, call) => {
  const [status = '', code] = name.split(' ')
  let answer: TestAnswer
  beforeAll(async () => {
    answer = await call()
  })

  test('has its status', () => {
    expect(answer.status, answer.text).toBe(Number(status))
  })

  test('C26 C41 carries the headers every answer carries, and none that tell about the server', () => {
    expect(answer.headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{24}$/),
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/),
      'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    })
    expect(answer.headers).not.toHaveProperty('server')
    expect(answer.headers).not.toHaveProperty('x-powered-by')
  })

  if (code === undefined || !code.includes('-')) return
  test('has a body that is a problem document and an envelope at once', () => {
    const requestId = answer.headers['x-request-id']
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.body).toMatchObject({
      type: `${publicUrl}/errors/${code}`,
      title: expect.stringMatching(/\S/),
      status: Number(status),
      detail: expect.stringMatching(/\S/),
      instance: expect.stringMatching(/^\/api\/v1\//),
      error_code: code,
      request_id: requestId,
      timestamp,
      data: null,
      meta: { request_id: requestId, timestamp, version: 'v1' },
    })
    expect(answer.body.errors.length).toBeGreaterThan(0)
    for (const part of answer.body.errors) expect(part).toMatchObject({ error_code: code, detail: expect.any(String) })
  })
})

describe('what a failure tells', () => {
  test.each(['error', 'text', 'nothing', 'object', 'status', 'type', 'sql'])(
    'C40 a handler that fails by %s is 500 and leaks nothing',
    async (how) => {
      const answer = await reader.get(`/resilience/fails/${how}`)
      expect(answer.status).toBe(500)
      expect(answer.body.error_code).toBe('API-008')
      for (const secret of [...secrets, '.ts', 'node_modules', 'vault', 'FST_', 'ECONN'])
        expect(answer.text).not.toContain(secret)
      const lines = world.logged.filter((line) => line.includes(String(answer.headers['x-request-id'])))
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain('"error_code":"API-008"')
    },
  )

  test('a refusal is not logged as a failure', async () => {
    const answer = await reader.get(missing)
    expect(world.logged.filter((line) => line.includes(String(answer.headers['x-request-id'])))).toEqual([])
  })

  test('C60 a missing permission is named, and the refusal is in the audit log', async () => {
    const answer = await reader.post('/risk/notes', { title: 'x' })
    expect(answer.body).toMatchObject({ permission: 'risk:write', detail: expect.stringContaining('risk:write') })
    await expect
      .poll(async () =>
        world.kernel.db.tenant({ tenantId }, (tx) => refusals(tx, answer.headers['x-request-id'] ?? '')),
      )
      .toEqual([{ target: 'route:/api/v1/risk/notes', reason: 'AUTH-004', result: 'refused' }])
  })

  test('each wrong field has its pointer', async () => {
    const answer = await writer.post('/risk/notes', { title: '', body: 7, admin: true, 'a/b': 1 })
    const pointers = answer.body.errors.map((part: { pointer: string }) => part.pointer)
    expect([...new Set(pointers)].sort()).toEqual(['/admin', '/a~1b', '/body', '/title'])
  })

  test('a wrong query parameter is pointed at', async () => {
    const answer = await reader.get('/risk/notes', { query: { limit: '0x10', colour: 'red' } })
    expect(answer.body.errors.map((part: { pointer: string }) => part.pointer).sort()).toEqual(['?colour', '?limit'])
  })
})

describe('tracing', () => {
  test("the caller's trace goes on under a new span", async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const answer = await reader.get(missing, { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } })
    expect(answer.headers.traceparent).toMatch(new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`))
  })

  test.each(['', 'x', '00-0-0-0', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])(
    'a trace header %j is not believed',
    async (traceparent) => {
      const answer = await reader.get(missing, { headers: { traceparent } })
      expect(answer.headers.traceparent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-\d\d$/)
    },
  )
})

describe('bodies', () => {
  test.each([
    ['JSON', json],
    ['JSON with its charset', { 'content-type': 'application/json; charset=utf-8' }],
    ['a merge patch', { 'content-type': 'application/merge-patch+json' }],
  ])('%s is read', async (_what, headers) => {
    const answer = await writer.post('/resilience/streamed', '{"text":"é"}', { headers })
    expect(answer.text).toBe('data: é 1\n\ndata: é 2\n\n')
  })

  test('no body is an empty one, and says what is missing', async () => {
    const answer = await writer.post('/risk/notes', undefined, { headers: json })
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '/title' }] })
  })

  test.each(['text/plain', 'application/json5', 'application/jsonx', 'multipart/form-data; boundary=x', 'x'])(
    'the media type %s is refused',
    async (type) => {
      const answer = await writer.post('/risk/notes', '{"title":"x"}', { headers: { 'content-type': type } })
      expect(answer.status).toBe(415)
    },
  )

  test('a body of exactly the limit is taken, one byte more is not', async () => {
    const fit = JSON.stringify({ text: 'x'.repeat(64 - '{"text":""}'.length) })
    expect((await writer.post('/resilience/small', fit)).status).toBe(200)
    expect((await writer.post('/resilience/small', `${fit} `)).status).toBe(413)
  })
})

function refusals(tx: Tx, requestId: string) {
  return tx.query(sql`select target, reason, result from audit_entry where request_id = ${requestId}`)
}
