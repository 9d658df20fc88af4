import { generateKeyPairSync } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { createCredentials, type Send } from '../../credentials.ts'
import { askingOf } from '../testing/asking.ts'
import { googleVertexAdapter as adapter } from './adapter.ts'
import { vertexKeyForm } from './key.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const account = {
  type: 'service_account',
  project_id: 'acme-1',
  private_key_id: '0123456789abcdef0123456789abcdef01234567',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  client_email: 'gateway@acme-1.iam.gserviceaccount.com',
}
const file = JSON.stringify(account, null, 2)
const start = Date.UTC(2026, 10, 22)

/** A token server whose tokens last an hour, and the requests sent to it. */
function seller(answer: { readonly status: number; readonly body: string } | null = null) {
  let now = start
  const sent: Parameters<Send>[0][] = []
  const send: Send = (request) => {
    sent.push(request)
    const body = JSON.stringify({ access_token: `ya29.${sent.length}`, expires_in: 3599, token_type: 'Bearer' })
    return Promise.resolve(answer ?? { status: 200, body })
  }
  const credentials = createCredentials({ now: () => now }, send)
  return {
    sent,
    pass: (ms: number) => {
      now += ms
    },
    ask: async (key = file) => {
      const request = await adapter.request(askingOf(adapter, { key, credentials, now }))
      return request.headers.authorization
    },
  }
}

describe('a service account', () => {
  test('buys a token with an assertion that its key has signed', async () => {
    const { ask, sent } = seller()
    expect(await ask()).toBe('Bearer ya29.1')
    const [request] = sent
    expect(request?.url).toBe('https://oauth2.googleapis.com/token')
    const form = new URLSearchParams(request?.body)
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const assertion = form.get('assertion') ?? ''
    const { payload } = await jwtVerify(assertion, publicKey, { currentDate: new Date(start), algorithms: ['RS256'] })
    expect(payload).toEqual({
      iss: account.client_email,
      aud: 'https://oauth2.googleapis.com/token',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      iat: start / 1000,
      exp: start / 1000 + 3600,
    })
    expect(decodeProtectedHeader(assertion).kid).toBe(account.private_key_id)
    expect(JSON.stringify(sent)).not.toContain('PRIVATE')
  })

  test('is asked for a token once, until shortly before its end', async () => {
    const { ask, sent, pass } = seller()
    expect(await Promise.all([ask(), ask()])).toEqual(['Bearer ya29.1', 'Bearer ya29.1'])
    pass(3_500_000)
    expect(await ask()).toBe('Bearer ya29.1')
    pass(60_000)
    expect(await ask()).toBe('Bearer ya29.2')
    expect(sent).toHaveLength(2)
  })

  test('may come in base64', async () => {
    expect(await seller().ask(Buffer.from(file).toString('base64'))).toBe('Bearer ya29.1')
  })

  test.each([
    [{ status: 400, body: '{"error":"invalid_grant","error_description":"Invalid JWT"}' }, 'credential'],
    [{ status: 401, body: '<html>' }, 'credential'],
    [{ status: 503, body: '' }, 'server_error'],
    [{ status: 429, body: '' }, 'rate_limited'],
    [{ status: 200, body: '{"id_token":"x"}' }, 'invalid'],
    [{ status: 200, body: 'OK' }, 'invalid'],
  ])('to which is answered %j is %s', async (answer, kind) => {
    const refused = seller(answer).ask()
    await expect(refused).rejects.toMatchObject({ kind })
    await expect(refused).rejects.not.toThrow(/PRIVATE|gserviceaccount/)
  })

  test('whose private key cannot be read is refused without a piece of it', async () => {
    const broken = JSON.stringify({ ...account, private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n' })
    await expect(seller().ask(broken)).rejects.toMatchObject({
      kind: 'credential',
      message: 'the private key of the service account cannot be read',
    })
  })
})

test('a token somebody else has bought is shown as it is', async () => {
  const { ask, sent } = seller()
  expect(await ask('ya29.ready')).toBe('Bearer ya29.ready')
  expect(sent).toEqual([])
})

test('a key of another form is refused, and an account is known by the id of its key', () => {
  for (const value of [file, Buffer.from(file).toString('base64'), 'ya29.ready'])
    expect(vertexKeyForm.problemOf(value)).toBe(null)
  for (const value of ['{', '{}', JSON.stringify({ ...account, type: 'authorized_user' }), 'two words'])
    expect(vertexKeyForm.problemOf(value)).not.toBe(null)
  expect(vertexKeyForm.nameOf(file)).toBe(account.private_key_id)
})

describe('an address', () => {
  const urlOf = async (settings: object, model = 'gemini-2.5-pro') =>
    (await adapter.request(askingOf(adapter, { settings, model }))).url

  test.each([
    [{ region: 'europe-west3' }, 'https://europe-west3-aiplatform.googleapis.com', 'europe-west3'],
    [{}, 'https://aiplatform.googleapis.com', 'global'],
    [{ region: 'eu' }, 'https://aiplatform.eu.rep.googleapis.com', 'eu'],
  ])('is the one of the region: %j', async (settings, host, location) => {
    expect(await urlOf({ project: 'acme-1', ...settings })).toBe(
      `${host}/v1/projects/acme-1/locations/${location}/publishers/google/models/gemini-2.5-pro:generateContent`,
    )
  })

  test('is the one of an endpoint, where the model is a number', async () => {
    expect(await urlOf({ project: 'acme-1', region: 'us-east1' }, '4711')).toBe(
      'https://us-east1-aiplatform.googleapis.com/v1/projects/acme-1/locations/us-east1/endpoints/4711:generateContent',
    )
    expect(await urlOf({ project: 'p' }, 'google/gemini-2.5-pro')).toMatch(/\/models\/gemini-2\.5-pro:/)
  })

  test('is none without a project', async () => {
    await expect(urlOf({})).rejects.toMatchObject({ kind: 'bad_request' })
  })
})

describe('embeddings', () => {
  test('are predictions here', async () => {
    const call: CanonicalCall = {
      ...emptyCall,
      embed: { inputs: ['a'], dimensions: 256, encoding: null },
    }
    const request = await adapter.embeddings?.request(askingOf(adapter, { call, model: 'gemini-embedding-001' }))
    expect(request?.url).toMatch(/\/publishers\/google\/models\/gemini-embedding-001:predict$/)
    expect(JSON.parse(String(request?.body))).toEqual({
      instances: [{ content: 'a' }],
      parameters: { autoTruncate: false, outputDimensionality: 256 },
    })
    const embeddings = { values: [0.5], statistics: { token_count: 2, truncated: false } }
    expect(adapter.embeddings?.decode(JSON.stringify({ predictions: [{ embeddings }] }))).toEqual([
      { type: 'start', model: '', fingerprint: null },
      { type: 'embedding', index: 0, vector: [0.5] },
      { type: 'usage', usage: { ...noTokens, inputTokens: 2, outputTokens: 0, source: 'upstream' } },
    ])
    expect(() => adapter.embeddings?.decode('{}')).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

test('its models of this kind are listed', () => {
  const names = ['gemini-2.5-pro', 'imagegeneration', 'text-embedding-005']
  const publisherModels = names.map((name) => ({ name: `publishers/google/models/${name}` }))
  expect(adapter.models?.parse(JSON.stringify({ publisherModels }))).toEqual(['gemini-2.5-pro', 'text-embedding-005'])
  expect(() => adapter.models?.parse('[]')).toThrow(expect.objectContaining({ kind: 'invalid' }))
})
