/**
 * Google Cloud KMS for tests, with those who lend tokens for it: a key with versions that lock with AES-256-GCM and its
 * checksums, a token endpoint that verifies assertions, the security token service, impersonation and the metadata server,
 * at the addresses and with the answers and errors of their documentation. It keeps nothing.
 */
import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { jwtVerify } from 'jose'
import type { Egress } from '../../../egress/fetch.ts'
import { metadataOrigin } from '../../../egress/metadata-egress.ts'
import { egressWith, httpServer } from '../../../egress/testing/upstream.ts'
import { crc32c } from '../crc32c.ts'

export const googleKey = 'projects/acme-1/locations/europe-west3/keyRings/parapet/cryptoKeys/kek'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const googlePrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
export const workloadToken = 'eyJ.workload.token'
const audience = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/cluster'
const email = 'parapet@acme-1.iam.gserviceaccount.com'

type Fields = Readonly<Record<string, unknown>>
type Answer = { readonly status: number; readonly body: object }
const ok = (body: object): Answer => ({ status: 200, body })
const refuse = (status: number, code: string, message = 'no'): Answer => ({
  status,
  body: { error: { code: status, message, status: code } },
})

/** A change to an answer, or to a question, on its way. */
export type GoogleDamage = 'question' | 'answer' | 'checksum not received' | 'another key'

export interface TestGoogle {
  readonly url: string
  /** Recorded acts, tokens among them. */
  readonly calls: string[]
  /** Requests of each exchange of a token. */
  readonly exchanged: URLSearchParams[]
  /** Leads to this server in the place of the metadata. */
  readonly metadata: Pick<Egress, 'fetch'>
  /** The text of the file, as the vendor's tools write it. */
  readonly files: { readonly account: string; external(token: string, over?: object): string }
  /** The primary version is a new one from then on. */
  rotate(): void
  /** Disables a version; it may be enabled again. */
  disable(version: number, is?: boolean): void
  /** No token lent so far is taken any more. */
  endTokens(): void
  fail(failure: { readonly status: number; readonly code: string } | null): void
  damage(kind: GoogleDamage | null): void
  lock(plaintext: Uint8Array, aad?: string): string
}

export async function testGoogle(now: () => number = Date.now): Promise<TestGoogle> {
  const versions: Buffer[] = [randomBytes(32)]
  const state = { failing: null as Answer | null, damage: null as GoogleDamage | null, lent: 0 }
  const disabled = new Set<number>()
  const tokens = new Set<string>()
  const calls: string[] = []
  const exchanged: URLSearchParams[] = []
  const lend = (kind: string): string => {
    state.lent += 1
    const token = `ya29.${kind}-${state.lent}`
    tokens.add(token)
    return token
  }
  const lock = (plaintext: Uint8Array, aad: Uint8Array): Buffer => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', versions[versions.length - 1] ?? Buffer.alloc(0), nonce)
    cipher.setAAD(aad)
    const sealed = [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat([Buffer.from([versions.length]), nonce, ...sealed])
  }
  const unlock = (bytes: Buffer, aad: Uint8Array): Buffer | null => {
    const under = versions[(bytes[0] ?? 0) - 1]
    if (under === undefined || bytes.length < 30) return null
    const decipher = createDecipheriv('aes-256-gcm', under, bytes.subarray(1, 13))
    decipher.setAAD(aad)
    decipher.setAuthTag(bytes.subarray(-16))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(13, -16)), decipher.final()])
    } catch {
      return null
    }
  }
  const isEnabled = (version: number): boolean => !disabled.has(version)
  const notEnabled = refuse(400, 'FAILED_PRECONDITION', `${googleKey}/cryptoKeyVersions/1 is not enabled`)
  /** The bytes of a field, or which one does not have the checksum that came with it. */
  const field = (body: Fields, name: string): Buffer | Answer => {
    const bytes = Buffer.from(String(body[name] ?? ''), 'base64')
    const sent = state.damage === 'question' ? Buffer.concat([bytes, Buffer.from('?')]) : bytes
    if (String(body[`${name}Crc32c`]) === String(crc32c(sent))) return bytes
    const field = `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_crc32c`
    const message = `The checksum in field ${field} did not match the data in field ${name}.`
    return refuse(400, 'INVALID_ARGUMENT', message)
  }
  const bent = (bytes: Buffer): string => {
    if (state.damage === 'answer') bytes.writeUInt8((bytes[20] ?? 0) ^ 1, 20)
    return bytes.toString('base64')
  }
  const acts: Readonly<Record<string, (data: Buffer, aad: Buffer) => Answer>> = {
    encrypt: (plaintext, aad) => {
      if (!isEnabled(versions.length)) return notEnabled
      const locked = lock(plaintext, aad)
      const checksum = String(crc32c(locked))
      // A field that is false is not written.
      const received = state.damage === 'checksum not received' ? {} : { verifiedPlaintextCrc32c: true }
      const of = state.damage === 'another key' ? googleKey.replace('kek', 'other') : googleKey
      return ok({
        name: `${of}/cryptoKeyVersions/${versions.length}`,
        ciphertext: bent(locked),
        ciphertextCrc32c: checksum,
        ...received,
        verifiedAdditionalAuthenticatedDataCrc32c: true,
        protectionLevel: 'SOFTWARE',
      })
    },
    decrypt: (ciphertext, aad) => {
      if (!isEnabled(ciphertext[0] ?? 0)) return notEnabled
      const opened = unlock(ciphertext, aad)
      if (opened === null)
        return refuse(400, 'INVALID_ARGUMENT', "Decryption failed: verify that 'name' refers to the correct CryptoKey.")
      const plaintextCrc32c = String(crc32c(opened))
      return ok({ plaintext: bent(opened), plaintextCrc32c, usedPrimary: ciphertext[0] === versions.length })
    },
  }
  const turned = (request: IncomingMessage, body: Fields, act: string): Answer => {
    if (!tokens.has(String(request.headers.authorization).replace('Bearer ', '')))
      return refuse(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
    if (state.failing !== null) return state.failing
    if (request.url !== `/v1/${googleKey}:${act}`) return refuse(404, 'NOT_FOUND')
    const data = field(body, act === 'encrypt' ? 'plaintext' : 'ciphertext')
    const aad = field(body, 'additionalAuthenticatedData')
    if (!Buffer.isBuffer(data)) return data
    return Buffer.isBuffer(aad) ? (acts[act]?.(data, aad) ?? refuse(404, 'NOT_FOUND')) : aad
  }
  const sold = async (form: URLSearchParams): Promise<Answer> => {
    const audience = `http://127.0.0.1:${port}/token`
    const known = { issuer: email, audience, currentDate: new Date(now()), algorithms: ['RS256'] }
    const proven = await jwtVerify(form.get('assertion') ?? '', publicKey, known).catch(() => null)
    const isGood =
      form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
      proven?.payload.scope === 'https://www.googleapis.com/auth/cloudkms'
    if (!isGood) return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    return ok({ access_token: lend('key'), expires_in: 3599, token_type: 'Bearer' })
  }
  const traded = (form: URLSearchParams): Answer => {
    const isGood = form.get('subject_token') === workloadToken && form.get('audience') === audience
    if (!isGood) return { status: 400, body: { error: 'invalid_grant', error_description: 'The token is not good.' } }
    return ok({ access_token: lend('federated'), issued_token_type: 'x', token_type: 'Bearer', expires_in: 3599 })
  }
  const impersonated = (request: IncomingMessage): Answer =>
    tokens.has(String(request.headers.authorization).replace('Bearer ', ''))
      ? ok({ accessToken: lend('impersonated'), expireTime: new Date(now() + 3_600_000).toISOString() })
      : refuse(401, 'UNAUTHENTICATED')
  const answerTo = async (request: IncomingMessage, said: string): Promise<Answer> => {
    const path = request.url ?? ''
    if (path === '/computeMetadata/v1/instance/service-accounts/default/token') {
      calls.push('metadata')
      const isMeant = request.method === 'GET' && request.headers['metadata-flavor'] === 'Google'
      return isMeant ? ok({ access_token: lend('machine'), expires_in: 3599, token_type: 'Bearer' }) : refuse(403, 'no')
    }
    const [, act = ''] = /(?:\/v1\/.+:|\/)(\w+)$/.exec(path) ?? []
    calls.push(act)
    if (act === 'token') return sold(new URLSearchParams(said))
    if (act === 'generateAccessToken') return impersonated(request)
    if (act !== 'sts') return turned(request, JSON.parse(said), act)
    exchanged.push(new URLSearchParams(said))
    return traded(new URLSearchParams(said))
  }
  const port = await httpServer(async (request, response) => {
    const { status, body } = await answerTo(request, await text(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const url = `http://127.0.0.1:${port}`
  const here = egressWith()
  return {
    url,
    calls,
    exchanged,
    metadata: { fetch: (request) => here.fetch({ ...request, url: request.url.replace(metadataOrigin, url) }) },
    files: {
      account: JSON.stringify({
        ...{ type: 'service_account', project_id: 'acme-1', private_key_id: '0123456789abcdef' },
        ...{ private_key: googlePrivateKey, client_email: email, token_uri: `${url}/token` },
      }),
      external: (file, over = {}) =>
        JSON.stringify({
          ...{ universe_domain: 'googleapis.com', type: 'external_account', audience, token_url: `${url}/sts` },
          ...{ subject_token_type: 'urn:ietf:params:oauth:token-type:jwt', credential_source: { file }, ...over },
        }),
    },
    rotate: () => void versions.push(randomBytes(32)),
    disable: (version, is = true) => void (is ? disabled.add(version) : disabled.delete(version)),
    endTokens: () => tokens.clear(),
    fail: (failure) => {
      state.failing = failure === null ? null : refuse(failure.status, failure.code, 'ya29.secret-of-nobody')
    },
    damage: (kind) => {
      state.damage = kind
    },
    lock: (plaintext, aad = 'purpose=parapet-key-encryption-key') =>
      `google-kms:${lock(plaintext, Buffer.from(aad)).toString('base64')}`,
  }
}
