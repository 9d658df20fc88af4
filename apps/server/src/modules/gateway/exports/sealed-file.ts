/**
 * A file as frames under a key of its own, so that neither making nor reading it needs it whole. Promises that a frame
 * opens only at its place in its file and that a file that was cut, reordered or joined is an error. Does not hide how
 * long the file is. Tested in sealed-file.test.ts.
 */
import { boundTo, open, seal } from '../../../kernel/crypto/envelope.ts'
import type { Random } from '../../../kernel/crypto/random.ts'

/** Of content in one frame. */
const frameBytes = 65_536
/** The only version of a key: a file has one and never another. */
const keyVersion = 1
const lengthBytes = 4
/** What an envelope adds to its content: version, key version, nonce and tag. */
const overheadBytes = 33

export interface FileKey {
  readonly key: Uint8Array
  /** Tenant, then file. */
  readonly place: readonly [tenantId: string, fileId: string]
}

type Chunks = AsyncIterable<Uint8Array>

const contextOf = ({ place }: FileKey, index: number, last: boolean): Uint8Array =>
  boundTo('sealed-file', ...place, String(index), last ? 'last' : 'more')

/** Seals content as it comes. A key is for one file: 2^32 random nonces are its bound, a gibibyte takes 2^14. */
export async function* sealFile(file: FileKey, random: Pick<Random, 'bytes'>, chunks: Chunks): Chunks {
  const frame = (plaintext: Uint8Array, index: number, last: boolean): Uint8Array => {
    const nonce = random.bytes(12)
    const sealed = seal({ key: file.key, keyVersion, nonce, context: contextOf(file, index, last), plaintext })
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32BE(sealed.byteLength)
    return Buffer.concat([length, sealed])
  }
  let index = 0
  let pending: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    pending = Buffer.concat([pending, chunk])
    for (; pending.byteLength > frameBytes; pending = pending.subarray(frameBytes)) {
      yield frame(pending.subarray(0, frameBytes), index, false)
      index += 1
    }
  }
  // The last frame says that it is the last, so an empty file has one too.
  yield frame(pending, index, true)
}

/** @throws Error when the file is not whole, was changed or is another one */
export async function* openFile(file: FileKey, chunks: Chunks): Chunks {
  let index = 0
  let held: Buffer = Buffer.alloc(0)
  let previous: Uint8Array | null = null
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk])
    for (let frame = firstFrame(held); frame !== null; frame = firstFrame(held)) {
      held = held.subarray(lengthBytes + frame.byteLength)
      if (previous !== null) {
        yield open(file.key, contextOf(file, index, false), previous)
        index += 1
      }
      previous = frame
    }
  }
  if (previous === null || held.byteLength > 0) throw new Error('The file is not whole')
  yield open(file.key, contextOf(file, index, true), previous)
}

/** Null while it has not come whole. @throws Error for a length that no frame has */
function firstFrame(held: Buffer): Buffer | null {
  if (held.byteLength < lengthBytes) return null
  const length = held.readUInt32BE(0)
  if (length < overheadBytes || length > frameBytes + overheadBytes) throw new Error('The file is not one of ours')
  return held.byteLength < lengthBytes + length ? null : held.subarray(lengthBytes, lengthBytes + length)
}
