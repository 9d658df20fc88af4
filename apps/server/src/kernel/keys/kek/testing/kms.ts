/**
 * AWS KMS for tests: one symmetric key with versions of its material, requests whose signature is computed anew, and the
 * addresses, answers and errors of its interface as the documentation has them. It keeps nothing.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { isSignedBy } from '../../../aws/testing/signature.ts'
import { httpServer } from '../../../egress/testing/upstream.ts'

export interface TestKms {
  readonly url: string
  readonly calls: string[]
  /** Session tokens of short-lived credentials, one for each call. */
  readonly sessions: unknown[]
  /** Adds material, under which it locks from then on, as the yearly rotation does. */
  rotate(): void
  /** Answers everything with this status and error; null ends it. */
  fail(failure: { readonly status: number; readonly type: string } | null): void
  /** As `Encrypt` answers it, for the purpose given. */
  lock(plaintext: Uint8Array, purpose?: string): string
}

export const kmsCredential = { id: 'AKIDEXAMPLEKMS', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' } as const
export const kmsKey = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const region = 'eu-central-1'

type Body = Readonly<Record<string, unknown>>
type Answer = { readonly status: number; readonly body: object }
const refuse = (type: string, status = 400): Answer => ({ status, body: { __type: type, message: 'no' } })

export async function testKms(
  credential: { readonly id: string; readonly secret: string } = kmsCredential,
): Promise<TestKms> {
  const material: Buffer[] = [randomBytes(32)]
  let failing: Answer | null = null
  const calls: string[] = []
  const sessions: unknown[] = []
  const lock = (plaintext: Uint8Array, context: unknown): string => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', material[material.length - 1] ?? Buffer.alloc(0), nonce)
    cipher.setAAD(Buffer.from(JSON.stringify(context ?? null)))
    const sealed = [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat([Buffer.from([material.length]), nonce, ...sealed]).toString('base64')
  }
  const unlock = (blob: unknown, context: unknown): Buffer | null => {
    const bytes = Buffer.from(String(blob), 'base64')
    const under = material[(bytes[0] ?? 0) - 1]
    if (under === undefined || bytes.length < 30) return null
    const decipher = createDecipheriv('aes-256-gcm', under, bytes.subarray(1, 13))
    decipher.setAAD(Buffer.from(JSON.stringify(context ?? null)))
    decipher.setAuthTag(bytes.subarray(-16))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(13, -16)), decipher.final()])
    } catch {
      return null
    }
  }
  const acts: Readonly<Record<string, (body: Body) => Answer>> = {
    GenerateDataKey: ({ KeyId, KeySpec, EncryptionContext }) => {
      if (KeyId !== kmsKey) return refuse('NotFoundException')
      if (KeySpec !== 'AES_256') return refuse('ValidationException')
      const made = randomBytes(32)
      const blob = lock(made, EncryptionContext)
      return { status: 200, body: { CiphertextBlob: blob, Plaintext: made.toString('base64'), KeyId } }
    },
    Decrypt: ({ KeyId, CiphertextBlob, EncryptionContext }) => {
      if (KeyId !== kmsKey) return refuse('IncorrectKeyException')
      const opened = unlock(CiphertextBlob, EncryptionContext)
      if (opened === null) return refuse('InvalidCiphertextException')
      return { status: 200, body: { Plaintext: opened.toString('base64'), KeyId } }
    },
    ReEncrypt: ({ SourceKeyId, DestinationKeyId, CiphertextBlob, ...contexts }) => {
      if (SourceKeyId !== kmsKey || DestinationKeyId !== kmsKey) return refuse('IncorrectKeyException')
      const opened = unlock(CiphertextBlob, contexts.SourceEncryptionContext)
      if (opened === null) return refuse('InvalidCiphertextException')
      const blob = lock(opened, contexts.DestinationEncryptionContext)
      return { status: 200, body: { CiphertextBlob: blob, SourceKeyId, KeyId: DestinationKeyId } }
    },
  }
  const port = await httpServer(async (request, response) => {
    const bytes = await buffer(request)
    const [, act = ''] = /^TrentService\.(\w+)$/.exec(String(request.headers['x-amz-target'])) ?? []
    calls.push(act)
    sessions.push(request.headers['x-amz-security-token'])
    const isSigned = isSignedBy(request, bytes, { ...credential, service: 'kms', region })
    const known = isSigned ? acts[act] : undefined
    const answered =
      failing ??
      (isSigned
        ? (known?.(JSON.parse(bytes.toString())) ?? refuse('UnknownOperationException'))
        : refuse('com.amazon.coral.service#InvalidSignatureException'))
    response.writeHead(answered.status, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify(answered.body))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    sessions,
    rotate: () => void material.push(randomBytes(32)),
    fail: (failure) => {
      failing = failure === null ? null : refuse(failure.type, failure.status)
    },
    lock: (plaintext, purpose = 'parapet-key-encryption-key') => `kms:${lock(plaintext, { purpose })}`,
  }
}
