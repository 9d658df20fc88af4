/**
 * Records in an append-only file: a length, then a sealed envelope that opens only at its place in its file. Promises that
 * a record that was not written whole is told from one that was changed. Tested in spool.test.ts.
 */
import { boundTo, open } from '../crypto/envelope.ts'
import type { Random } from '../crypto/random.ts'
import { recordAt, sealRecord } from '../crypto/records.ts'

/** The file a record belongs to. */
export interface FramePlace {
  readonly key: Uint8Array
  readonly file: string
}

const contextOf = ({ file }: FramePlace, index: number): Uint8Array => boundTo('spool', file, String(index))

/** Records as frames, the first of which is number `index` of its file. */
export function framesOf(
  place: FramePlace,
  random: Pick<Random, 'bytes'>,
  { records, index }: { readonly records: readonly Uint8Array[]; readonly index: number },
): Buffer {
  const { key } = place
  return Buffer.concat(
    records.map((plaintext, at) => sealRecord({ key, context: contextOf(place, index + at) }, random, plaintext)),
  )
}

export interface ReadFrames {
  readonly records: readonly Uint8Array[]
  /** Whether a whole frame does not open: it was changed. The frames after it are not read. */
  readonly isDamaged: boolean
}

/** Reads a file. A frame that the file ends in was being written when the process died: nobody was told that it is kept. */
export function readFrames(place: FramePlace, bytes: Buffer): ReadFrames {
  const records: Uint8Array[] = []
  for (let at = 0; ; ) {
    try {
      const found = recordAt(bytes, at)
      if (found === null) return { records, isDamaged: false }
      records.push(open(place.key, contextOf(place, records.length), found.envelope))
      at = found.end
    } catch {
      // Space that a file system gave to a file before its content is zeros.
      return { records, isDamaged: bytes.subarray(at).some((byte) => byte !== 0) }
    }
  }
}
