/**
 * Azure Key Vault for tests, with those who lend tokens for it: a key with versions that wrap by RSA-OAEP-256, or by AES
 * as a Managed HSM does, the token endpoint of the directory and the metadata service, at the addresses and with the
 * answers and errors of their documentation. It keeps nothing.
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Egress } from '../../../egress/fetch.ts'
import { metadataOrigin } from '../../../egress/metadata-egress.ts'
import { egressWith, httpServer } from '../../../egress/testing/upstream.ts'

export const azureAudience = 'https://vault.azure.net'
export const azureClient = '535fb089-9ff3-47b6-9bfb-4f1264799865'
export const azureTenant = 'a8990e1f-ff32-408a-9f8e-78d3b9139b95'
export const azureSecret = 'qWgdYAmab0YSkuL1qKv5bPX~+/&='
export const azureAssertion = 'eyJ.projected.token'

type Answer = { readonly status: number; readonly body: object }
const ok = (body: object): Answer => ({ status: 200, body })
const refuse = (status: number, code: string, inner?: string): Answer => ({
  status,
  body: { error: { code, message: 'no', ...(inner === undefined ? {} : { innererror: { code: inner } }) } },
})
const refuseLogin = (error: string, number: number): Answer => ({
  status: error === 'invalid_client' ? 401 : 400,
  body: { error, error_description: `AADSTS${number}: ${azureSecret}`, error_codes: [number], trace_id: 'x' },
})

// Drawn once for all tests of a file, because a key of RSA takes its time.
const pairs: ReturnType<typeof drawPair>[] = []
const drawPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
function pairAt(index: number): ReturnType<typeof drawPair> {
  const pair = pairs[index] ?? drawPair()
  pairs[index] = pair
  return pair
}

interface Version {
  readonly id: string
  readonly wrap: (value: Buffer) => Buffer
  /** @throws for values it has not wrapped */
  readonly unwrap: (value: Buffer) => Buffer
}

const kinds = {
  RSA: {
    algorithm: 'RSA-OAEP-256',
    make: (index: number) => {
      const { privateKey, publicKey } = pairAt(index)
      const padding = { oaepHash: 'sha256', padding: constants.RSA_PKCS1_OAEP_PADDING }
      return {
        wrap: (value: Buffer) => publicEncrypt({ key: publicKey, ...padding }, value),
        unwrap: (value: Buffer) => privateDecrypt({ key: privateKey, ...padding }, value),
      }
    },
  },
  'oct-HSM': {
    algorithm: 'A256KW',
    make: () => {
      // RFC 3394, with its default initial value.
      const [key, start] = [randomBytes(32), Buffer.alloc(8, 0xa6)]
      const turned = (cipher: ReturnType<typeof createCipheriv>, value: Buffer) =>
        Buffer.concat([cipher.update(value), cipher.final()])
      return {
        wrap: (value: Buffer) => turned(createCipheriv('id-aes256-wrap', key, start), value),
        unwrap: (value: Buffer) => turned(createDecipheriv('id-aes256-wrap', key, start), value),
      }
    },
  },
} as const

export interface TestAzure {
  readonly url: string
  /** Identifier of the key, without a version. */
  readonly key: string
  readonly calls: string[]
  /** Requests made with each token. */
  readonly asked: URLSearchParams[]
  /** Leads to this server in the place of the metadata. */
  readonly metadata: Pick<Egress, 'fetch'>
  rotate(): void
  /** The current version. */
  version(): string
  /** Disables a version; it may be enabled again. */
  disable(version: string, is?: boolean): void
  /** No token lent so far is taken any more. */
  endTokens(): void
  fail(failure: { readonly status: number; readonly code: string; readonly inner?: string } | null): void
  /** Answer of the metadata service; null ends it. */
  failMetadata(status: number | null): void
  /** Other uses of the vault, such as another application's keys. */
  wrap(value: Uint8Array): string
  /** Texts wrapped by the first version, under the newest. */
  rewrap(wrapped: string): string
}

export async function testAzure(kind: keyof typeof kinds = 'RSA'): Promise<TestAzure> {
  const { algorithm, make } = kinds[kind]
  const versions: Version[] = []
  const rotate = (): void => void versions.push({ id: randomBytes(16).toString('hex'), ...make(versions.length) })
  const newest = (): Version => versions[versions.length - 1] ?? { id: '', ...make(0) }
  const state = { failing: null as Answer | null, metadata: null as number | null, lent: 0 }
  const disabled = new Set<string>()
  const tokens = new Set<string>()
  const calls: string[] = []
  const asked: URLSearchParams[] = []
  const lend = (): string => {
    state.lent += 1
    const token = `eyJ0eXAi.${state.lent}`
    tokens.add(token)
    return token
  }
  rotate()

  const turned = (id: string, act: string, body: Readonly<Record<string, unknown>>): Answer => {
    const version = versions.find((each) => each.id === id)
    if (version === undefined) return refuse(404, 'KeyNotFound')
    if (disabled.has(id)) return refuse(403, 'Forbidden', 'KeyDisabled')
    if (body.alg !== algorithm) return refuse(400, 'BadParameter')
    try {
      const value = (act === 'wrapkey' ? version.wrap : version.unwrap)(Buffer.from(String(body.value), 'base64url'))
      return ok({ kid: `${url}/keys/kek/${id}`, value: value.toString('base64url') })
    } catch {
      return refuse(400, 'BadParameter')
    }
  }
  const vault = (request: IncomingMessage, { pathname, searchParams }: URL, said: string): Answer => {
    const [, name, id = '', act = 'get'] = /^\/keys\/([\w-]+)(?:\/(\w+)\/(\w+))?$/.exec(pathname) ?? []
    calls.push(act)
    if (searchParams.get('api-version') === null) return refuse(400, 'BadParameter')
    if (!tokens.has(String(request.headers.authorization).replace('Bearer ', ''))) return refuse(401, 'Unauthorized')
    if (state.failing !== null) return state.failing
    if (name !== 'kek') return refuse(404, 'KeyNotFound')
    if (act !== 'get') return turned(id, act, JSON.parse(said))
    const [kid, enabled] = [`${url}/keys/kek/${newest().id}`, !disabled.has(newest().id)]
    return ok({ key: { kid, kty: kind, key_ops: ['wrapKey', 'unwrapKey'] }, attributes: { enabled } })
  }
  const login = (pathname: string, sent: URLSearchParams): Answer => {
    calls.push('login')
    asked.push(sent)
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    if (pathname !== `/${azureTenant}/oauth2/v2.0/token`) return refuseLogin('invalid_request', 90_002)
    if (sent.get('client_id') !== azureClient) return refuseLogin('unauthorized_client', 700_016)
    if (sent.get('scope') !== `${azureAudience}/.default`) return refuseLogin('invalid_scope', 70_011)
    if (sent.has('client_assertion')) {
      if (sent.get('client_assertion') === 'eyJ.over') return refuseLogin('invalid_client', 700_024)
      const isGood = sent.get('client_assertion_type') === type && sent.get('client_assertion') === azureAssertion
      if (!isGood) return refuseLogin('invalid_client', 700_027)
    } else if (sent.get('client_secret') !== azureSecret) return refuseLogin('invalid_client', 7_000_222)
    return ok({ token_type: 'Bearer', expires_in: 3599, access_token: lend() })
  }
  const machine = (request: IncomingMessage, sent: URLSearchParams): Answer => {
    calls.push('metadata')
    asked.push(sent)
    if (state.metadata !== null) return { status: state.metadata, body: { error: 'unknown', error_description: 'no' } }
    const isMeant = request.method === 'GET' && request.headers.metadata === 'true'
    if (!isMeant) return { status: 400, body: { error: 'bad_request_102' } }
    if (sent.get('resource') !== azureAudience) return { status: 400, body: { error: 'invalid_resource' } }
    const times = { expires_in: '3599', expires_on: '1506484173', not_before: '1506480273' }
    return ok({ access_token: lend(), refresh_token: '', ...times, resource: azureAudience, token_type: 'Bearer' })
  }
  const port = await httpServer(async (request, response) => {
    const said = await text(request)
    const address = new URL(request.url ?? '', url)
    const answered = address.pathname.startsWith('/keys/')
      ? vault(request, address, said)
      : address.pathname === '/metadata/identity/oauth2/token'
        ? machine(request, address.searchParams)
        : login(address.pathname, new URLSearchParams(said))
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(JSON.stringify(answered.body))
  })
  const url = `http://127.0.0.1:${port}`
  const here = egressWith()
  return {
    url,
    key: `${url}/keys/kek`,
    calls,
    asked,
    metadata: { fetch: (request) => here.fetch({ ...request, url: request.url.replace(metadataOrigin, url) }) },
    rotate,
    version: () => newest().id,
    disable: (version, is = true) => void (is ? disabled.add(version) : disabled.delete(version)),
    endTokens: () => tokens.clear(),
    fail: (failure) => {
      state.failing = failure === null ? null : refuse(failure.status, failure.code, failure.inner)
    },
    failMetadata: (status) => {
      state.metadata = status
    },
    wrap: (value) => newest().wrap(Buffer.from(value)).toString('base64url'),
    rewrap: (wrapped) => {
      const opened = (versions[0] ?? newest()).unwrap(Buffer.from(wrapped, 'base64url'))
      return newest().wrap(opened).toString('base64url')
    },
  }
}
