import { afterEach, describe, expect, test } from 'vitest'
import { enveloped, type LocalServer, problem, type Reply, type Seen, startServer } from '../test/local-server.ts'
import { createClient } from './client.ts'
import { ConnectionError, ProblemError } from './http/problem.ts'

let server: LocalServer | null = null
afterEach(() => server?.close())

async function open(answer: (call: Seen, index: number) => Reply) {
  server = await startServer(answer)
  return { client: createClient({ baseUrl: `${server.baseUrl}/`, accessToken: 't', maxRetries: 0 }), seen: server.seen }
}

describe('a call', () => {
  test('goes below /api/v1 with its query, and gives the envelope and what headers tell', async () => {
    const { client, seen } = await open(() => ({
      status: 201,
      headers: { etag: '"3-abc"', location: '/api/v1/things/1' },
      ...enveloped({ id: '1' }, { demo: true }),
    }))
    const answer = await client.post<{ id: string }>(
      '/things',
      { name: 'a' },
      { query: { q: 'x y', none: undefined, n: 1 } },
    )
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/things?q=x+y&n=1', body: { name: 'a' } })
    expect(answer).toMatchObject({ status: 201, data: { id: '1' }, etag: '"3-abc"', location: '/api/v1/things/1' })
    expect(answer.meta.demo).toBe(true)
  })

  test('sends the version a change was decided on', async () => {
    const { client, seen } = await open(() => enveloped({}))
    await client.patch('/things/1', { name: 'b' }, { ifMatch: '"3-abc"' })
    await client.delete('/things/1')
    expect(seen.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
      ['PATCH', '"3-abc"'],
      ['DELETE', undefined],
    ])
  })

  test('that is refused throws what was wrong and where', async () => {
    const { client } = await open(() => problem(400, 'API-001', { members: { confirm_token: 'c' } }))
    const error = await client.get('/x').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({
      status: 400,
      errorCode: 'API-001',
      title: 'Title of API-001',
      message: 'Detail of API-001',
      pointers: ['/email'],
      requestId: 'req_1',
      body: { confirm_token: 'c' },
    })
  })

  test('that a proxy refuses keeps the status and has no code', async () => {
    const { client } = await open(() => ({ status: 502, body: '<html>Bad Gateway</html>' }))
    await expect(client.get('/x')).rejects.toMatchObject({ status: 502, errorCode: null, message: 'HTTP 502' })
  })

  test('that is answered by something else than Parapet throws instead of giving undefined data', async () => {
    const { client } = await open(() => ({ body: { hello: 'world' } }))
    await expect(client.get('/x')).rejects.toBeInstanceOf(ConnectionError)
  })

  test('that is aborted throws the reason it was aborted for', async () => {
    const stop = new AbortController()
    const { client } = await open(() => {
      stop.abort(new Error('changed my mind'))
      return { open: true }
    })
    await expect(client.get('/x', { signal: stop.signal })).rejects.toThrow('changed my mind')
  })
})

describe('a list', () => {
  const page = (items: readonly number[], cursor: string | null): Reply =>
    enveloped(items, { pagination: { cursor, limit: 2, has_more: cursor !== null, total_count: 5 } })
  const threePages = (call: Seen): Reply => {
    const cursor = new URL(call.url, 'http://x').searchParams.get('cursor')
    return cursor === null ? page([1, 2], 'c1') : cursor === 'c1' ? page([3, 4], 'c2') : page([5], null)
  }

  test('is walked to its end, with the same filters on every page', async () => {
    const { client, seen } = await open(threePages)
    const items: number[] = []
    for await (const item of client.list<number>('/things', { query: { status: 'open' } })) items.push(item)
    expect(items).toEqual([1, 2, 3, 4, 5])
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/things?status=open',
      '/api/v1/things?status=open&cursor=c1',
      '/api/v1/things?status=open&cursor=c2',
    ])
  })

  test('costs no more pages than are used', async () => {
    const { client, seen } = await open(threePages)
    for await (const item of client.list<number>('/things')) if (item === 2) break
    expect(seen).toHaveLength(1)
  })

  test('gives whole pages with their count', async () => {
    const { client } = await open(threePages)
    const first = await client.pages<number>('/things').next()
    expect(first.value).toMatchObject({ data: [1, 2], meta: { pagination: { total_count: 5 } } })
  })
})

test('an address that is not http is refused at once', () => {
  expect(() => createClient({ baseUrl: 'ftp://example.com' })).toThrow('http')
  expect(() => createClient({ baseUrl: 'example.com' })).toThrow(TypeError)
})
