import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type World } from '../../../../test/support/world.ts'

let world: World
let address: string
let key: string

beforeAll(async () => {
  world = await openWorld()
  address = await world.address()
  const { admin } = await world.tenant('alpha')
  const variants = [
    { key: 'a', value: 'A' },
    { key: 'b', value: 'B' },
  ]
  const flag = { value_type: 'string', variants, default_variant: 'a', off_variant: 'a', status: 'enabled' }
  const split = {
    split: [
      { variant: 'a', weight: 1 },
      { variant: 'b', weight: 1 },
    ],
  }
  const make = async (body: object) =>
    expectStatus(await admin.post('/admin/feature-flags', { ...flag, client_exposed: true, ...body }), 201)
  await make({ key: 'text' })
  await make({ key: 'split', rules: [{ id: 'split', serve: split }] })
  await make({ key: 'hidden', client_exposed: false })
  await make({ key: 'off', status: 'disabled' })
  await make({
    key: 'pro.only',
    value_type: 'boolean',
    variants: [
      { key: 'yes', value: true },
      { key: 'no', value: false },
    ],
    default_variant: 'no',
    off_variant: 'no',
    rules: [
      { id: 'pro', serve: { variant: 'yes' }, constraints: [{ attribute: 'plan', operator: 'IN', values: ['pro'] }] },
    ],
  })
  key = expectStatus(await admin.post('/iam/api-keys', { name: 'App', scopes: ['trust:read'] }), 201).body.data.secret
})
afterAll(async () => {
  await OpenFeature.close()
  await world.close()
})

describe('OpenFeature’s own server SDK', () => {
  test('evaluates through the remote protocol, with its reasons and its error codes', async () => {
    await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: address, headers: { 'x-api-key': key } }))
    const client = OpenFeature.getClient()
    expect(await client.getStringDetails('text', 'x')).toMatchObject({ value: 'A', variant: 'a', reason: 'STATIC' })
    expect(await client.getBooleanDetails('pro.only', false, { plan: 'pro' })).toMatchObject({
      value: true,
      reason: 'TARGETING_MATCH',
    })
    expect(await client.getBooleanDetails('pro.only', true, { plan: 'free' })).toMatchObject({ value: false })
    const given = await client.getStringDetails('split', 'x', { targetingKey: 'someone' })
    expect(given).toMatchObject({ reason: 'SPLIT', value: expect.stringMatching(/^[AB]$/) })
    expect(await client.getStringDetails('split', 'x')).toMatchObject({
      value: 'x',
      errorCode: 'TARGETING_KEY_MISSING',
    })
    expect(await client.getStringDetails('off', 'x')).toMatchObject({ value: 'A', reason: 'DISABLED' })
    expect(await client.getStringDetails('nowhere', 'x')).toMatchObject({ value: 'x', errorCode: 'FLAG_NOT_FOUND' })
    expect(await client.getNumberDetails('text', 7)).toMatchObject({ value: 7, errorCode: 'TYPE_MISMATCH' })
  })
})

describe('the bulk evaluation', () => {
  const bulk = (context: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${address}/ofrep/v1/evaluate/flags`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
      body: JSON.stringify({ context }),
    })

  test('holds the flags that may leave, and 304 while nothing has changed', async () => {
    const first = await bulk({ targetingKey: 'someone', plan: 'pro' })
    const { flags } = (await first.json()) as { flags: readonly { readonly key: string }[] }
    expect(flags.map((flag) => flag.key)).toEqual(['off', 'pro.only', 'split', 'text'])
    const tag = first.headers.get('etag') ?? ''
    const same = await bulk({ targetingKey: 'someone', plan: 'pro' }, { 'if-none-match': tag })
    expect([same.status, await same.text()]).toEqual([304, ''])
    expect((await bulk({ targetingKey: 'someone', plan: 'free' }, { 'if-none-match': tag })).status).toBe(200)
  })

  test('says of a flag that cannot be evaluated why not, beside the others', async () => {
    const { flags } = (await (await bulk({})).json()) as { flags: readonly object[] }
    expect(flags).toContainEqual(expect.objectContaining({ key: 'split', errorCode: 'TARGETING_KEY_MISSING' }))
    expect(flags).toContainEqual(expect.objectContaining({ key: 'text', value: 'A' }))
  })

  test('refuses what is no context and who has no credential', async () => {
    const odd = await bulk({ targetingKey: 7 })
    expect([odd.status, await odd.json()]).toMatchObject([400, { errorCode: 'INVALID_CONTEXT' }])
    expect((await bulk({}, { 'x-api-key': 'nobody' })).status).toBe(401)
  })
})

describe('a page of another origin', () => {
  const origin = 'https://app.example'
  const path = '/ofrep/v1/evaluate/flags'

  test('may ask, as its browser finds out before and without a credential', async () => {
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' }
    const preflight = await fetch(`${address}${path}`, { method: 'OPTIONS', headers: asked })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-api-key')
    const headers = { origin, 'content-type': 'application/json', 'x-api-key': key }
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: '{"context":{}}' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const refused = await fetch(`${address}${path}`, { method: 'POST', headers: { ...headers, 'x-api-key': 'x' } })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('may not ask at any other address', async () => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const preflight = await fetch(`${address}/api/v1/iam/api-keys`, { method: 'OPTIONS', headers })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null])
  })
})
