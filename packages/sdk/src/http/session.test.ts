import { afterEach, describe, expect, test } from 'vitest'
import { fakeRuntime } from '../../test/fake-runtime.ts'
import { enveloped, type LocalServer, problem, type Reply, type Seen, startServer } from '../../test/local-server.ts'
import { createClient } from '../client.ts'
import type { Tokens } from './session.ts'

let server: LocalServer | null = null
afterEach(() => server?.close())

const tokenSet = (n: number): Reply =>
  enveloped({ access_token: `access-${n}`, refresh_token: `refresh-${n}`, token_type: 'Bearer', expires_in: 3_600 })

/** A server that knows one access token at a time and answers who called. */
async function startApi(renewed: (call: Seen, count: number) => Reply) {
  const state = { valid: 'access-2', refreshes: 0 }
  const started = await startServer((call) => {
    if (call.url === '/api/v1/auth/login') return tokenSet(1)
    if (call.url === '/api/v1/auth/refresh') return renewed(call, ++state.refreshes)
    if (call.headers.authorization !== `Bearer ${state.valid}`) return problem(401, 'AUTH-003')
    return enveloped({ who: call.headers.authorization })
  })
  server = started
  return { ...started, state }
}

const runtime = fakeRuntime({ hurry: true })
const old = { accessToken: 'access-1', refreshToken: 'refresh-1' }

describe('a token that has run out', () => {
  test('is renewed once for all callers that meet it, who then succeed', async () => {
    const api = await startApi(() => tokenSet(2))
    const client = createClient({ baseUrl: api.baseUrl, runtime, ...old })
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/auth/me')))
    expect(answers.map(({ data }) => data)).toEqual(Array(20).fill({ who: 'Bearer access-2' }))
    expect(api.state.refreshes).toBe(1)
    expect(api.seen.find(({ url }) => url.endsWith('/refresh'))?.body).toEqual({ refresh_token: 'refresh-1' })
  })

  test('is told to the owner before it is used, so that a stored refresh token is never a spent one', async () => {
    const api = await startApi(() => tokenSet(2))
    const told: (Tokens | null)[] = []
    const used: number[] = []
    const client = createClient({
      baseUrl: api.baseUrl,
      runtime,
      ...old,
      onTokens: async (tokens) => {
        used.push(api.seen.length)
        told.push(tokens)
      },
    })
    await client.get('/auth/me')
    expect(told).toEqual([{ accessToken: 'access-2', refreshToken: 'refresh-2' }])
    expect(used).toEqual([2])
    expect(api.seen).toHaveLength(3)
  })

  test('whose session has ended is reported, and the refresh token is not sent a second time', async () => {
    const api = await startApi(() => problem(401, 'AUTH-002'))
    const told: (Tokens | null)[] = []
    const client = createClient({ baseUrl: api.baseUrl, runtime, ...old, onTokens: (tokens) => void told.push(tokens) })
    await expect(client.get('/auth/me')).rejects.toMatchObject({ errorCode: 'AUTH-003' })
    await expect(client.get('/auth/me')).rejects.toMatchObject({ errorCode: 'AUTH-003' })
    expect(api.state.refreshes).toBe(1)
    expect(told).toEqual([null])
  })

  test('is renewed although the first answer to that was lost', async () => {
    const api = await startApi((_, count) => (count === 1 ? { cut: true } : tokenSet(2)))
    const client = createClient({ baseUrl: api.baseUrl, runtime, ...old })
    expect((await client.get('/auth/me')).data).toEqual({ who: 'Bearer access-2' })
    expect(api.seen.filter(({ url }) => url.endsWith('/refresh')).map(({ body }) => body)).toEqual(
      Array(2).fill({ refresh_token: 'refresh-1' }),
    )
  })

  test('without a refresh token is reported at once', async () => {
    const api = await startApi(() => tokenSet(2))
    const client = createClient({ baseUrl: api.baseUrl, runtime, accessToken: 'access-1' })
    await expect(client.get('/auth/me')).rejects.toMatchObject({ errorCode: 'AUTH-003' })
    expect(api.state.refreshes).toBe(0)
  })
})

test('any other 401 is no reason to renew', async () => {
  const started = await startServer(() => problem(401, 'AUTH-009'))
  server = started
  const client = createClient({ baseUrl: started.baseUrl, runtime, ...old })
  await expect(client.get('/x')).rejects.toMatchObject({ errorCode: 'AUTH-009' })
  expect(started.seen).toHaveLength(1)
})

test('after signing in, calls carry the new token, and none after signing out', async () => {
  const api = await startApi(() => tokenSet(2))
  api.state.valid = 'access-1'
  const client = createClient({ baseUrl: api.baseUrl, runtime })
  const set = await client.login({ email: 'a@example.com', password: 'p', tenantId: 't-1' })
  expect(set.access_token).toBe('access-1')
  expect(api.seen[0]).toMatchObject({
    body: { email: 'a@example.com', password: 'p' },
    headers: { 'x-tenant-id': 't-1' },
  })
  await client.get('/auth/me')
  await client.logout()
  await expect(client.get('/auth/me')).rejects.toMatchObject({ status: 401 })
  expect(api.seen.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    'Bearer access-1',
    'Bearer access-1',
    undefined,
  ])
})

test('an API key goes in its own header and is never renewed', async () => {
  const started = await startServer(() => problem(401, 'AUTH-003'))
  server = started
  const client = createClient({ baseUrl: started.baseUrl, runtime, apiKey: 'key-1' })
  await expect(client.get('/x')).rejects.toMatchObject({ errorCode: 'AUTH-003' })
  expect(started.seen.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
    ['key-1', undefined],
  ])
})
