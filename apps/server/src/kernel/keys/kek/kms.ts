/**
 * AWS KMS, or what speaks its language, as the keeper of the key-encryption key: that key lies beside the data as
 * `kms:<base64>`, and only the service's key opens it, for this purpose alone. Requests are signed with a credential that
 * is asked for at each use, so that it may be renewed. Tested in kms.test.ts.
 */

import Type, { type Static, type TObject } from 'typebox'
import { signedHeaders } from '../../aws/signing.ts'
import type { Clock } from '../../base/clock.ts'
import type { Egress } from '../../egress/fetch.ts'
import { askJson, codeAt, type Service } from './ask.ts'
import type { Credentials } from './kms-credentials.ts'
import type { KeyService } from './service.ts'

export interface KmsPlace {
  readonly url: string
  readonly region: string
  /** Id, ARN or alias of a symmetric key. */
  readonly key: string
  readonly credentials: Credentials
}

interface Parts {
  readonly egress: Pick<Egress, 'fetch'>
  readonly clock: Pick<Clock, 'now'>
}

const prefix = 'kms:'
/** The service decrypts its ciphertexts for this purpose only and refuses requests with another purpose, or none. */
const context = { purpose: 'parapet-key-encryption-key' }

const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$' })
const Locked = Type.Object({ CiphertextBlob: Base64 })
const Opened = Type.Object({ Plaintext: Base64 })
const Made = Type.Object({ CiphertextBlob: Base64, Plaintext: Base64 })

export function createKms(parts: Parts, place: KmsPlace): KeyService {
  const { key: KeyId } = place
  const ask = <S extends TObject>(act: string, body: object, answer: S) => post(parts, place, { act, body, answer })
  const blobIn = (locked: string): string => locked.trim().slice(prefix.length)
  return {
    name: 'kms',
    prefix,
    make: async () => {
      const asked = { KeyId, KeySpec: 'AES_256', EncryptionContext: context }
      const { Plaintext, CiphertextBlob } = await ask('GenerateDataKey', asked, Made)
      return { key: Buffer.from(Plaintext, 'base64'), locked: `${prefix}${CiphertextBlob}` }
    },
    unlock: async (locked) => {
      const asked = { KeyId, CiphertextBlob: blobIn(locked), EncryptionContext: context }
      return Buffer.from((await ask('Decrypt', asked, Opened)).Plaintext, 'base64')
    },
    relock: async (locked) => {
      const contexts = { SourceEncryptionContext: context, DestinationEncryptionContext: context }
      const asked = { CiphertextBlob: blobIn(locked), SourceKeyId: KeyId, DestinationKeyId: KeyId, ...contexts }
      return `${prefix}${(await ask('ReEncrypt', asked, Locked)).CiphertextBlob}`
    },
  }
}

interface Asked<S extends TObject> {
  readonly act: string
  readonly body: object
  readonly answer: S
}

async function post<S extends TObject>(
  { egress, clock }: Parts,
  { url, region, credentials }: KmsPlace,
  { act, body: asked, answer }: Asked<S>,
): Promise<Static<S>> {
  const body = JSON.stringify(asked)
  const headers = await signedHeaders(
    {
      ...{ url, method: 'POST', body },
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${act}` },
    },
    { service: 'kms', region, credentials: await credentials(), now: clock.now() },
  )
  return askJson(egress, { service: { ...kms, act }, question: { url, headers, body }, answer })
}

/** Of the answers of 400, which nearly all of its errors have, those that say: later. */
const passing = new Set(['ThrottlingException', 'RequestLimitExceeded', 'LimitExceededException'])

const kms: Service = { name: 'kms', codeOf: codeAt(['__type']), isPassing: ({ code }) => passing.has(code) }
