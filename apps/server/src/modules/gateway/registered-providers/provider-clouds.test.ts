/** Providers whose keys sign or are exchanged, from the chat route to a server with the same checks as the clouds. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { eventMessage } from '../providers/adapters/aws-bedrock/testing/messages.ts'
import { checkSignature } from '../providers/adapters/aws-bedrock/testing/signature.ts'
import { ask, framesOf, textOf } from '../testing/support.ts'

const awsSecret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const awsKey = `AKIAIOSFODNN7EXAMPLE:${awsSecret}`
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

interface Call {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let world: World
let tenant: TestTenant
let address = ''
let calls: Call[] = []
/** Sent instead of the end of a stream. */
let ending: Buffer | null = null

beforeEach(() => {
  calls = []
  ending = null
})

const server = createServer((request, response) => {
  void serve(request, response)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  world = await openWorld()
  tenant = await world.tenant('clouds')
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await world?.close()
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const call = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces).toString() }
  calls.push(call)
  if (call.path === '/token') await sellToken(call, response)
  else if (call.path.startsWith('/v1/projects/')) answerAsVertex(call, response)
  else answerAsBedrock(request.method ?? '', call, response)
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function sellToken({ body }: Call, response: ServerResponse): Promise<void> {
  const assertion = new URLSearchParams(body).get('assertion') ?? ''
  try {
    await jwtVerify(assertion, publicKey, {
      audience: `${address}/token`,
      issuer: 'gateway@acme-1',
      currentDate: now(),
    })
    json(response, 200, { access_token: 'ya29.bought', expires_in: 3599, token_type: 'Bearer' })
  } catch {
    json(response, 400, { error: 'invalid_grant' })
  }
}

/** The world's own time may stand still. */
const now = (): Date => new Date(world.kernel.clock.now())

function answerAsVertex({ headers }: Call, response: ServerResponse): void {
  if (headers.authorization !== 'Bearer ya29.bought') {
    json(response, 401, { error: { code: 401, status: 'UNAUTHENTICATED', message: 'No.' } })
    return
  }
  json(response, 200, { candidates: [{ content: { parts: [{ text: 'Hello you.' }] }, finishReason: 'STOP' }] })
}

function answerAsBedrock(method: string, { path, headers, body }: Call, response: ServerResponse): void {
  const check = checkSignature({ method, target: path, headers, body }, awsSecret)
  if (check?.valid !== true) {
    response.writeHead(403, { 'content-type': 'application/json', 'x-amzn-errortype': 'InvalidSignatureException' })
    response.end(JSON.stringify({ message: 'The request signature we calculated does not match.' }))
    return
  }
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
  response.write(eventMessage('messageStart', { role: 'assistant' }))
  response.write(eventMessage('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hello you.' } }))
  response.end(ending ?? eventMessage('messageStop', { stopReason: 'end_turn' }))
}

async function add(kind: string, name: string, value: string, settings: object) {
  const body = { name, kind, base_url: address, settings, models: [`${name}-*`], secrets: [{ id: 'main', value }] }
  return expectStatus(await tenant.admin.post('/gateway/providers', body), 201).body.data
}

describe('Bedrock with a pair of keys', () => {
  const model = 'bedrock-anthropic.claude-v1:0'
  const streamed = (over: object = {}) => ask(tenant.admin, 'hello', { model, stream: true, ...over })

  beforeAll(async () => {
    const made = await add('aws_bedrock', 'bedrock', awsKey, { region: 'eu-west-1' })
    // Of the id, not of the secret.
    expect(made.secrets[0].hint).toBe('MPLE')
  })

  test('is believed by a server that signs for itself', async () => {
    expect(textOf(framesOf((await streamed()).text))).toBe('Hello you.')
    expect(calls.at(-1)?.path).toBe('/model/bedrock-anthropic.claude-v1%3A0/converse-stream')
    expect(JSON.stringify(calls)).not.toContain(awsSecret)
  })

  test('is not believed with another secret', async () => {
    await add('aws_bedrock', 'forged', awsKey.replace('wJal', 'wJam'), { region: 'eu-west-1' })
    const answer = await ask(tenant.admin, 'hello', { model: 'forged-model' })
    expect([answer.status, answer.body.error_code]).toEqual([502, 'GW-015'])
  })

  test('whose stream is garbled ends with an error that says so', async () => {
    const end = eventMessage('messageStop', { stopReason: 'end_turn' })
    end.writeUInt8(end.readUInt8(end.length - 20) ^ 1, end.length - 20)
    for (const garbled of [end, eventMessage('messageStop', { stopReason: 'end_turn' }).subarray(0, 40)]) {
      ending = garbled
      const frames = framesOf((await streamed()).text)
      expect(frames.at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-013' } })
    }
  })
})

describe('Vertex with a service account', () => {
  const account = () => ({
    type: 'service_account',
    private_key_id: '0123456789abcdef',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    client_email: 'gateway@acme-1',
    token_uri: `${address}/token`,
  })
  const settings = { project: 'acme-1', region: 'eu' }

  test('buys one token for all its calls and shows nothing else', async () => {
    const made = await add('google_vertex', 'vertex', JSON.stringify(account(), null, 2), settings)
    expect(made.secrets[0].hint).toBe('cdef')
    for (let n = 0; n < 3; n += 1) {
      const answer = expectStatus(await ask(tenant.admin, 'hello', { model: 'vertex-model' }), 200)
      expect(answer.body.data.choices[0].message.content).toBe('Hello you.')
    }
    expect(calls.filter(({ path }) => path === '/token')).toHaveLength(1)
    expect(JSON.stringify(calls)).not.toContain('PRIVATE KEY')
  })

  test('that is refused is a refused key', async () => {
    const other = { ...account(), client_email: 'somebody@else' }
    await add('google_vertex', 'stranger', JSON.stringify(other), settings)
    const answer = await ask(tenant.admin, 'hello', { model: 'stranger-model' })
    expect([answer.status, answer.body.error_code]).toEqual([502, 'GW-015'])
  })

  test('buys no token inside the network of its gateway', async () => {
    const inside = { ...account(), token_uri: 'http://169.254.169.254/token' }
    await add('google_vertex', 'inside', JSON.stringify(inside), settings)
    const answer = await ask(tenant.admin, 'hello', { model: 'inside-model' })
    expect([answer.status, answer.body.error_code]).toEqual([502, 'GW-011'])
    expect(calls).toEqual([])
  })
})

describe('keys', () => {
  test.each([
    ['google_vertex', { project: 'acme-1' }, '{"type":"authorized_user"}'],
    ['google_vertex', { project: 'acme-1' }, '{ not JSON'],
    ['aws_bedrock', { region: 'eu-west-1' }, 'AKIAIOSFODNN7EXAMPLE:short'],
    ['google_gemini', {}, 'two words'],
    ['openai', {}, 'two\nlines'],
  ])('of another form than those of %s are refused', async (kind, settings, value) => {
    const body = { name: 'odd', kind, settings, secrets: [{ id: 'main', value }] }
    const answer = await tenant.admin.post('/gateway/providers', body)
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/secrets/0/value'])
  })

  test('of another form are refused by a rotation too', async () => {
    const { id } = await add('aws_bedrock', 'rotating', awsKey, { region: 'eu-west-1' })
    const rotate = (value: string) =>
      tenant.admin.post(`/gateway/providers/${id}/rotate-secret`, { key_id: 'main', value, skip_test: true })
    const answer = await rotate('AKIA:short')
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/value'])
    expect((await rotate(awsKey.replace('EXAMPLE:', 'ROTATED:'))).body.data.hint).toBe('ATED')
  })

  test('C51 stay where the region is, unless they are given again', async () => {
    const body = { name: 'regional', kind: 'aws_bedrock', settings: { region: 'eu-west-1' } }
    const secrets = [{ id: 'main', value: awsKey }]
    const { id } = expectStatus(await tenant.admin.post('/gateway/providers', { ...body, secrets }), 201).body.data
    const moved = { settings: { region: 'us-east-1' } }
    const refused = await tenant.admin.patch(`/gateway/providers/${id}`, moved)
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/secrets'])
    const answer = await tenant.admin.patch(`/gateway/providers/${id}`, { ...moved, secrets })
    expect(answer.body.data.settings).toEqual({ region: 'us-east-1' })
  })
})
