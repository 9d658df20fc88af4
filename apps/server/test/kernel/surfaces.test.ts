import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiErrors, authErrors } from '../../src/kernel/errors/errors.ts'
import { type NotesWorld, openNotesWorld } from './notes-world.ts'

let world: NotesWorld

beforeAll(async () => {
  world = await openNotesWorld()
})
afterAll(() => world.close())

const get = (
  url: string,
  options: { readonly remoteAddress?: string; readonly headers?: Record<string, string> } = {},
) => world.program.app.inject({ url, ...options })

describe('probes', () => {
  test('alive and ready, without a credential', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await get('/readyz')).json()).toEqual({ status: 'ready' })
  })

  const stop = async (times: number): Promise<void> => {
    for (let block = 0; block < times; block += 1) {
      const until = performance.now() + 1_300
      while (performance.now() < until);
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  const begin = async (): Promise<void> => {
    world.clock.advance(20_000)
    await get('/healthz')
  }

  test('a process whose event loop is a second late again and again is not alive, until it is on time again', async () => {
    await begin()
    await stop(4)
    expect((await get('/healthz')).json()).toEqual({ status: 'slow', reasons: ['event loop'] })
    await begin()
    expect((await get('/healthz')).statusCode).toBe(200)
  })

  test('a process is alive that stopped for a moment, or before anybody asked', async () => {
    await begin()
    await stop(1)
    expect((await get('/healthz')).statusCode).toBe(200)
    const started = await openNotesWorld()
    await stop(4)
    expect((await started.program.app.inject('/healthz')).statusCode).toBe(200)
    await started.close()
  })

  test('are counted by address like everything else', async () => {
    const answers = [await get('/healthz'), await get('/healthz')]
    const [first, second] = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(second).toBe((first ?? 0) - 1)
  })
})

describe('metrics', () => {
  test('C45 are read from the machine itself and from nowhere else', async () => {
    const here = await get('/metrics')
    expect(here.statusCode).toBe(200)
    expect(here.headers['content-type']).toContain('text/plain')
    for (const remoteAddress of ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::1']) {
      const answer = await get('/metrics', { remoteAddress })
      expect([answer.statusCode, answer.json().error_code]).toEqual([403, 'AUTH-011'])
    }
    expect(
      (await get('/metrics', { remoteAddress: '192.0.2.1', headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode,
    ).toBe(403)
  })

  test('C45 are not read by a caller whom a trusted proxy on this machine does not name', async () => {
    const behind = await openNotesWorld({ PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' })
    const read = (headers: Record<string, string>) =>
      behind.program.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1', headers })
    expect((await read({})).statusCode).toBe(403)
    expect((await read({ 'x-forwarded-for': '203.0.113.1' })).statusCode).toBe(403)
    await behind.close()
  })

  test('count calls by route as declared, never by the address that was sent', async () => {
    await get('/api/v1/risk/notes/01900000-0000-7000-8000-00000000beef')
    await get('/made/up/by/the/caller')
    const text = (await get('/metrics')).payload
    expect(text).toContain('/api/v1/risk/notes/{note_id}')
    expect(text).not.toContain('beef')
    expect(text).not.toContain('made/up')
  })

  test('C45 with a token configured, the token decides and the place does not', async () => {
    const other = await openNotesWorld({ PARAPET_METRICS_TOKEN: 'a-long-token' })
    const read = (authorization: string) =>
      other.program.app.inject({ url: '/metrics', remoteAddress: '192.0.2.1', headers: { authorization } })
    const answers = [await read('Bearer a-long-token'), await read('Bearer another'), await read('')]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 401, 401])
    expect((await other.program.app.inject('/metrics')).statusCode).toBe(401)
    await other.close()
  })
})

describe('documents', () => {
  test('C45 are served to nobody where the configuration closes them', async () => {
    const closed = await openNotesWorld({ PARAPET_PUBLIC_DOCUMENTS: 'false' })
    const paths = ['/openapi.json', '/asyncapi.json', '/asyncapi.yaml', '/schemas/events/notes.note.created/1']
    const answers = await Promise.all(paths.map((path) => closed.program.app.inject(path)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    expect((await closed.program.app.inject('/.well-known/jwks.json')).statusCode).toBe(200)
    await closed.close()
  })

  test('the OpenAPI document has every route with what it asks for', async () => {
    const document = (await get('/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    for (const { path, route } of world.program.assembled.modules.routes) {
      const operation = document.paths[path][route.method.toLowerCase()]
      expect(operation, `${route.method} ${path}`).toMatchObject({ 'x-permission': route.permission })
      expect(operation.security).toEqual(route.permission === 'public' ? [] : expect.arrayContaining([{ bearer: [] }]))
    }
  })

  test('the AsyncAPI document has every event, and each schema it names is there', async () => {
    const document = (await get('/asyncapi.json')).payload
    expect(document).toContain('risk.note.created')
    const schema = await get('/schemas/events/com.parapet.risk.NoteCreated/1')
    expect(schema.headers['content-type']).toContain('application/schema+json')
    expect(schema.json().properties).toHaveProperty('note_id')
    expect((await get('/schemas/events/com.parapet.risk.Nothing/1')).statusCode).toBe(404)
  })

  test('published keys are public ones', async () => {
    const { keys } = (await get('/.well-known/jwks.json')).json()
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  })
})

describe('the address in `type` of a problem', () => {
  const codes = [...Object.values(apiErrors), ...Object.values(authErrors)].map(({ code }) => code)

  test.each([...codes, 'RISK-001', 'RES-001'])('%s explains itself, to programs and to people', async (code) => {
    const json = (await get(`/errors/${code}`)).json()
    expect(json).toEqual({
      error_code: code,
      status: expect.any(Number),
      title: expect.stringMatching(/\S/),
      detail: expect.stringMatching(/\S/),
    })
    const page = await get(`/errors/${code}`, { headers: { accept: 'text/html' } })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.payload).toContain(json.title)
    expect(page.payload).toContain(json.detail)
  })

  test.each(['API-999', 'api-001', '<script>', '__proto__', 'constructor'])('%s is nothing', async (code) => {
    const answer = await get(`/errors/${encodeURIComponent(code)}`, { headers: { accept: 'text/html' } })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ])
    expect(answer.json().error_code).toBe('API-013')
  })
})
