/**
 * Google Cloud KMS as the keeper of the key-encryption key: that key lies beside the data as `google-kms:<base64>`, and
 * only the service's key opens it, for this purpose alone. Promises that what was changed on the way, there or back, is
 * taken for no answer (CRC-32C). Tested in google.test.ts.
 */
import Type, { type Static, type TObject } from 'typebox'
import type { Egress } from '../../egress/fetch.ts'
import { codeAt, type Service } from './ask.ts'
import { crc32c } from './crc32c.ts'
import type { Lender } from './lent.ts'
import { type KeyService, KeyServiceError, lockingService } from './service.ts'
import { askWithToken } from './tokens.ts'

export interface GoogleKmsPlace {
  readonly url: string
  /** projects/…/locations/…/keyRings/…/cryptoKeys/…, whose purpose is ENCRYPT_DECRYPT. */
  readonly key: string
  readonly token: Lender<string>
}

const name = 'google-kms'
const prefix = `${name}:`
/** The service decrypts its ciphertexts for this purpose only and refuses requests with another purpose, or none. */
const purpose = Buffer.from('purpose=parapet-key-encryption-key')

const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$' })
/** An int64, which JSON of Google's has as text. */
const Checksum = Type.String({ pattern: '^[0-9]{1,10}$' })
const Locked = Type.Object({
  name: Type.String({ maxLength: 2048 }),
  ciphertext: Base64,
  ciphertextCrc32c: Checksum,
  verifiedPlaintextCrc32c: Type.Literal(true),
  verifiedAdditionalAuthenticatedDataCrc32c: Type.Literal(true),
})
const Opened = Type.Object({ plaintext: Base64, plaintextCrc32c: Checksum })

export function createGoogleKms(egress: Pick<Egress, 'fetch'>, place: GoogleKmsPlace): KeyService {
  const lock = async (key: Uint8Array): Promise<string> => {
    const said = await post(egress, place, { act: 'encrypt', body: checked({ plaintext: key }), answer: Locked })
    // The primary version of that key, and of no other.
    if (!said.name.startsWith(`${place.key}/cryptoKeyVersions/`)) throw changed('encrypt')
    return `${prefix}${whole('encrypt', said.ciphertext, said.ciphertextCrc32c).toString('base64')}`
  }
  const unlock = async (locked: string): Promise<Uint8Array> => {
    const ciphertext = Buffer.from(locked.trim().slice(prefix.length), 'base64')
    const said = await post(egress, place, { act: 'decrypt', body: checked({ ciphertext }), answer: Opened })
    return whole('decrypt', said.plaintext, said.plaintextCrc32c)
  }
  return lockingService({ name, prefix, lock, unlock })
}

/** The bytes by their names with the purpose, each with its checksum. */
function checked(parts: Readonly<Record<string, Uint8Array>>): Record<string, string> {
  const named = Object.entries({ ...parts, additionalAuthenticatedData: purpose })
  return Object.fromEntries(
    named.flatMap(([field, bytes]) => [
      [field, Buffer.from(bytes).toString('base64')],
      [`${field}Crc32c`, String(crc32c(bytes))],
    ]),
  )
}

/** @throws KeyServiceError when it is not what was sent */
function whole(act: string, base64: string, checksum: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  if (crc32c(bytes) === Number(checksum)) return bytes
  throw changed(act)
}

const changed = (act: string): KeyServiceError =>
  new KeyServiceError(`the answer of the ${name} to ${act} was changed on the way`, { final: false })

interface Asked<S extends TObject> {
  readonly act: string
  readonly body: object
  readonly answer: S
}

function post<S extends TObject>(
  egress: Pick<Egress, 'fetch'>,
  { url, key, token }: GoogleKmsPlace,
  { act, body, answer }: Asked<S>,
): Promise<Static<S>> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const question = { url: `${url}/v1/${key}:${act}`, headers, body: JSON.stringify(body) }
  return askWithToken(egress, token, { service: { ...service, act }, question, answer })
}

/**
 * A text that was changed on its way is sent again; the code alone does not tell it from one that can never be opened.
 */
const changedThere = /The checksum in field \w+ did not match/

const service: Service = {
  name,
  codeOf: codeAt(['error', 'status']),
  isPassing: ({ code, text }) => code === 'INVALID_ARGUMENT' && changedThere.test(text),
}
