/**
 * Encryption of a backup as it is written: frames of one mebibyte under AES-256-GCM, with counted nonces and a mark on
 * the last frame (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015). Promises that a file that was
 * changed, cut, reordered or joined does not open. It does not hide how long the file is. Tested in frames.test.ts.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { cut } from '../crypto/pieces.ts'

export const frameBytes = 1_048_576
const tagBytes = 16
export const prefixBytes = 7

export interface FrameKey {
  /** 32 bytes, for one file and never another. */
  readonly key: Uint8Array
  readonly prefix: Uint8Array
  /** Header before the frames; every frame is bound to it. */
  readonly header: Uint8Array
}

type Chunks = AsyncIterable<Uint8Array>

/** Prefix, the frame's number, and 1 for the last one. @throws RangeError past 2^32 frames, four pebibytes */
function nonceOf({ prefix }: FrameKey, index: number, last: boolean): Uint8Array {
  const nonce = Buffer.alloc(12)
  nonce.set(prefix)
  nonce.writeUInt32BE(index, prefixBytes)
  nonce.writeUInt8(last ? 1 : 0, 11)
  return nonce
}

export async function* sealFrames(frame: FrameKey, chunks: Chunks): Chunks {
  const seal = (plaintext: Uint8Array, index: number, last: boolean): Uint8Array => {
    const cipher = createCipheriv('aes-256-gcm', frame.key, nonceOf(frame, index, last))
    cipher.setAAD(frame.header)
    return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  }
  let index = 0
  for await (const { bytes, last } of cut(chunks, frameBytes)) yield seal(bytes, index++, last)
}

/** @throws Error for a file that is not whole, was changed or is another one */
export async function* openFrames(frame: FrameKey, chunks: Chunks): Chunks {
  let index = 0
  for await (const { bytes, last } of cut(chunks, frameBytes + tagBytes)) {
    if (bytes.length < tagBytes) throw new Error('the backup is not whole')
    const decipher = createDecipheriv('aes-256-gcm', frame.key, nonceOf(frame, index, last), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(frame.header)
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const plaintext = decipher.update(bytes.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch (cause) {
      throw new Error('the backup was changed, cut or put together anew', { cause })
    }
    index += 1
    yield plaintext
  }
}
