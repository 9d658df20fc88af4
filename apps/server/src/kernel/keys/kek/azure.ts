/**
 * Azure Key Vault or Managed HSM as the keeper of the key-encryption key. Its keys wrap other keys and take nothing that
 * binds them to a purpose, so what it wraps is a key drawn for this alone, and that one seals ours with AES-256-GCM, bound
 * to the purpose and the version: a key that was wrapped for something else opens nothing here. It lies beside the data as
 * `azure-key-vault:<version>.<algorithm>.<wrapped>.<sealed>`, so that it still opens once the vault's key was rotated.
 * Tested in azure.test.ts.
 */
import { randomBytes } from 'node:crypto'
import Type, { type Static, type TObject } from 'typebox'
import { createKeyWrap } from '../../crypto/wrapping.ts'
import type { Egress } from '../../egress/fetch.ts'
import { codeAt, type Service } from './ask.ts'
import type { Lender } from './lent.ts'
import { type KeyService, KeyServiceError, lockingService } from './service.ts'
import { askWithToken } from './tokens.ts'

export interface AzureKeyVaultPlace {
  /** https://<vault>.vault.azure.net/keys/<name>, without a version. */
  readonly key: string
  readonly token: Lender<string>
}

const name = 'azure-key-vault'
const prefix = `${name}:`
const apiVersion = '2025-07-01'
const wrapKind = 'key_encryption_key'

/** Wrapping algorithm by kind of key. */
const algorithms: Readonly<Record<string, string>> = {
  RSA: 'RSA-OAEP-256',
  'RSA-HSM': 'RSA-OAEP-256',
  oct: 'A256KW',
  'oct-HSM': 'A256KW',
}

const Base64url = Type.String({ pattern: '^[A-Za-z0-9_+/-]+={0,2}$' })
const Key = Type.Object({ key: Type.Object({ kid: Type.String({ maxLength: 2048 }), kty: Type.String() }) })
const Wrapped = Type.Object({ kid: Type.String({ maxLength: 2048 }), value: Base64url })

/** A version of the service's key, and how it wraps. */
interface Under {
  readonly version: string
  readonly algorithm: string
}

export function createAzureKeyVault(egress: Pick<Egress, 'fetch'>, place: AzureKeyVaultPlace): KeyService {
  const ask = <S extends TObject>(asked: Asked<S>): Promise<Static<S>> => send(egress, place, asked)
  const turn = async (act: 'wrapkey' | 'unwrapkey', { version, algorithm }: Under, value: Uint8Array) => {
    const body = { alg: algorithm, value: Buffer.from(value).toString('base64url') }
    const said = await ask({ act, path: `/${version}/${act}`, body, answer: Wrapped })
    if (versionIn(said.kid) === version) return Buffer.from(said.value, 'base64url')
    throw new KeyServiceError(`the ${name} answers to ${act} with another key`, { final: true })
  }
  const lock = async (key: Uint8Array): Promise<string> => {
    const under = currentOf((await ask({ act: 'get', path: '', answer: Key })).key)
    const once = randomBytes(32)
    const sealed = createKeyWrap(once, random).wrap(wrapKind, idOf(under), key)
    const parts = [await turn('wrapkey', under, once), sealed].map((part) => Buffer.from(part).toString('base64url'))
    return `${prefix}${[under.version, under.algorithm, ...parts].join('.')}`
  }
  const unlock = async (locked: string): Promise<Uint8Array> => {
    const { under, wrapped, sealed } = partsOf(locked)
    const once = await turn('unwrapkey', under, wrapped)
    try {
      return createKeyWrap(once, random).unwrap(wrapKind, idOf(under), sealed)
    } catch (cause) {
      throw new KeyServiceError(`what the ${name} opened was not locked for this`, { final: true, cause })
    }
  }
  return lockingService({ name, prefix, lock, unlock })
}

const random = { bytes: (length: number): Uint8Array => randomBytes(length) }

const idOf = ({ version, algorithm }: Under): string => `${version}/${algorithm}`

const versionIn = (kid: string): string => /\/([0-9a-zA-Z-]{1,64})$/.exec(kid)?.[1] ?? ''

function currentOf({ kid, kty }: Static<typeof Key>['key']): Under {
  const algorithm = Object.hasOwn(algorithms, kty) ? algorithms[kty] : undefined
  const version = versionIn(kid)
  if (algorithm !== undefined && version !== '') return { version, algorithm }
  throw new KeyServiceError(
    `the key of the ${name} wraps no keys: an RSA key is needed, or in a Managed HSM an AES one`,
    {
      final: true,
    },
  )
}

function partsOf(locked: string) {
  const [, version, algorithm, wrapped, sealed] =
    /^([0-9a-zA-Z-]{1,64})\.(RSA-OAEP-256|A256KW)\.([\w-]+)\.([\w-]+)$/.exec(locked.trim().slice(prefix.length)) ?? []
  if (version === undefined || algorithm === undefined || wrapped === undefined || sealed === undefined)
    throw new KeyServiceError(`what was to be opened was not locked by the ${name}`, { final: true })
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')
  return { under: { version, algorithm }, wrapped: bytes(wrapped), sealed: bytes(sealed) }
}

interface Asked<S extends TObject> {
  readonly act: string
  /** Behind the address of the key. */
  readonly path: string
  readonly body?: object
  readonly answer: S
}

function send<S extends TObject>(
  egress: Pick<Egress, 'fetch'>,
  { key, token }: AzureKeyVaultPlace,
  { act, path, body, answer }: Asked<S>,
): Promise<Static<S>> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const question = { url: `${key}${path}?api-version=${apiVersion}`, headers, ...sent }
  return askWithToken(egress, token, { service: { ...service, act }, question, answer })
}

// The inner code says why: KeyDisabled, ForbiddenByRbac.
const service: Service = { name, codeOf: codeAt(['error', 'innererror', 'code'], ['error', 'code']) }
