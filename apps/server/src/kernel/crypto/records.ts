/**
 * Envelopes one behind the other in a file: each after its length, and bound to its place, so that what was changed, moved
 * or joined does not open. Where a file ends, and in what order its records stand, is said by the context that its owner
 * binds them to. Files written by earlier versions are read: the form of the bytes never changes. Tested in sealed-forms.test.ts.
 */
import { seal } from './envelope.ts'
import type { Random } from './random.ts'

/** A file has a key of its own, so there is one version of it. */
const keyVersion = 1
const lengthBytes = 4
/** Bytes that an envelope adds to its content: version, key version, nonce and tag. */
export const envelopeBytes = 33

export interface RecordPlace {
  /** 32 bytes. */
  readonly key: Uint8Array
  readonly context: Uint8Array
}

export function sealRecord(
  { key, context }: RecordPlace,
  random: Pick<Random, 'bytes'>,
  plaintext: Uint8Array,
): Buffer {
  const sealed = seal({ key, keyVersion, nonce: random.bytes(12), context, plaintext })
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(sealed.byteLength)
  return Buffer.concat([length, sealed])
}

export interface FoundRecord {
  readonly envelope: Buffer
  /** Where the next one begins. */
  readonly end: number
}

/**
 * The record that begins at `at`; null while it is not there whole.
 * @param most bytes of content that a record may have
 * @throws Error for a length that no record has
 */
export function recordAt(bytes: Buffer, at: number, most = Number.POSITIVE_INFINITY): FoundRecord | null {
  if (bytes.byteLength < at + lengthBytes) return null
  const length = bytes.readUInt32BE(at)
  if (length < envelopeBytes || length > most + envelopeBytes) throw new Error('The file is not one of ours')
  const end = at + lengthBytes + length
  return bytes.byteLength < end ? null : { envelope: bytes.subarray(at + lengthBytes, end), end }
}
