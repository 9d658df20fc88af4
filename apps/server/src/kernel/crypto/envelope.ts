/**
 * Authenticated envelopes: AES-256-GCM with a version byte, so that the algorithm can change without touching old rows.
 * An envelope opens only with its key, at the address it was sealed for; it does not hide the length of its content.
 * Tested in envelope.test.ts.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'

// version (1) | key version (4, big endian) | nonce (12) | ciphertext | tag (16)
const formatVersion = 1
const nonceLength = 12
const tagLength = 16
const headerLength = 5

/** Where a ciphertext belongs; moved anywhere else it does not decrypt. */
export interface FieldAddress {
  readonly table: string
  readonly column: string
  readonly rowId: string
}

export interface SealInput {
  readonly key: Uint8Array
  /** Says which key opens it; 0 to 2^32 - 1. */
  readonly keyVersion: number
  /** 12 random bytes, never used twice with one key. At 2^32 envelopes a key has to be replaced (NIST SP 800-38D, 8.3). */
  readonly nonce: Uint8Array
  /** Where the envelope belongs; see `boundTo`. */
  readonly context: Uint8Array
  readonly plaintext: Uint8Array
}

export function seal(input: SealInput): Uint8Array {
  if (input.nonce.byteLength !== nonceLength) throw new RangeError('the nonce has 12 bytes')
  const header = Buffer.alloc(headerLength)
  header.writeUInt8(formatVersion, 0)
  header.writeUInt32BE(input.keyVersion, 1)
  const cipher = createCipheriv('aes-256-gcm', input.key, input.nonce)
  cipher.setAAD(Buffer.concat([header, input.context]))
  return Buffer.concat([header, input.nonce, cipher.update(input.plaintext), cipher.final(), cipher.getAuthTag()])
}

/** The key version an envelope names. @throws Error when it is not an envelope of ours. */
export function keyVersionOf(envelope: Uint8Array): number {
  const bytes = asBuffer(envelope)
  if (bytes.length < headerLength + nonceLength + tagLength || bytes.readUInt8(0) !== formatVersion) {
    throw new Error('not an envelope of a known version')
  }
  return bytes.readUInt32BE(1)
}

/** @throws Error when the envelope was changed, was sealed for another address or under another key. */
export function open(key: Uint8Array, context: Uint8Array, envelope: Uint8Array): Uint8Array {
  keyVersionOf(envelope)
  const bytes = asBuffer(envelope)
  const body = headerLength + nonceLength
  const tagAt = bytes.length - tagLength
  // Without the fixed tag length Node would accept tags cut to four bytes.
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(headerLength, body), {
    authTagLength: tagLength,
  })
  decipher.setAAD(Buffer.concat([bytes.subarray(0, headerLength), context]))
  decipher.setAuthTag(bytes.subarray(tagAt))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(body, tagAt)), decipher.final()])
  } catch (cause) {
    throw new Error('the envelope does not open here: changed, moved or sealed under another key', { cause })
  }
}

/** Binds parts unmistakably: each carries its length, so that `a|bc` and `ab|c` differ. */
export function boundTo(...parts: readonly string[]): Uint8Array {
  const sizes = parts.map((part) => Buffer.byteLength(part))
  const bound = Buffer.alloc(sizes.reduce((sum, size) => sum + 4 + size, 0))
  let at = 0
  parts.forEach((part, index) => {
    at = bound.writeUInt32BE(sizes[index] ?? 0, at)
    at += bound.write(part, at)
  })
  return bound
}

export function fieldContext(tenantId: string, address: FieldAddress): Uint8Array {
  return boundTo('field', tenantId, address.table, address.column, address.rowId)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
