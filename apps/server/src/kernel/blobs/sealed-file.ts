/**
 * A file as frames under a key of its own, so that neither making nor reading it, whole or in part, needs it whole.
 * Promises that a frame opens only at its place in its file and that a file that was cut, reordered or joined is an
 * error. Does not hide how long the file is. Tested in sealed-file.test.ts.
 */
import type { ByteRange } from '../base/byte-range.ts'
import { boundTo, open } from '../crypto/envelope.ts'
import { cut } from '../crypto/pieces.ts'
import type { Random } from '../crypto/random.ts'
import { envelopeBytes, recordAt, sealRecord } from '../crypto/records.ts'

/** Of content in one frame. */
const frameBytes = 65_536
/** Of one frame in the file: its length, the envelope and the content. */
const sealedFrameBytes = 4 + envelopeBytes + frameBytes

export interface FileKey {
  readonly key: Uint8Array
  /** Tenant, then file. */
  readonly place: readonly [tenantId: string, fileId: string]
}

/** A file whose length is recorded where no one else can write. */
export interface KnownFile extends FileKey {
  /** Of content. */
  readonly bytes: number
}

type Chunks = AsyncIterable<Uint8Array>

const contextOf = ({ place }: FileKey, index: number, last: boolean): Uint8Array =>
  boundTo('sealed-file', ...place, String(index), last ? 'last' : 'more')

/** Seals content as it comes. A key is for one file: 2^32 random nonces are its bound, a gibibyte takes 2^14. */
export async function* sealFile(file: FileKey, random: Pick<Random, 'bytes'>, chunks: Chunks): Chunks {
  let index = 0
  // The last frame says that it is the last, so an empty file has one too.
  for await (const { bytes, last } of cut(chunks, frameBytes)) {
    yield sealRecord({ key: file.key, context: contextOf(file, index, last) }, random, bytes)
    index += 1
  }
}

const framesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / frameBytes))

/** Bytes that a file with so much content takes. */
export const sealedBytes = (bytes: number): number => bytes + framesOf(bytes) * (sealedFrameBytes - frameBytes)

/** The bytes of the sealed file that hold a range of its content, which is within it. */
export function sealedRange({ start, end }: ByteRange, bytes: number): ByteRange {
  const [first, last] = [Math.floor(start / frameBytes), Math.floor(end / frameBytes)]
  return { start: first * sealedFrameBytes, end: Math.min((last + 1) * sealedFrameBytes, sealedBytes(bytes)) - 1 }
}

/**
 * Opens the frames of `sealedRange`, or those of the whole file, and gives the range of content.
 * @throws SealBroken when the frames are not all there, were changed or are of another file
 */
export async function* openFile(file: KnownFile, chunks: Chunks, range?: ByteRange): Chunks {
  const { start, end } = range ?? { start: 0, end: Math.max(0, file.bytes - 1) }
  const last = framesOf(file.bytes) - 1
  const until = Math.floor(end / frameBytes)
  let index = Math.floor(start / frameBytes)
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    held =
      held.byteLength === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : Buffer.concat([held, chunk])
    for (let found = frameIn(held); found !== null; found = frameIn(held)) {
      if (index > until) throw new SealBroken('The file is longer than it was')
      held = held.subarray(found.end)
      const content = opened(file, { index, last: index === last, envelope: found.envelope })
      const from = Math.max(0, start - index * frameBytes)
      yield content.subarray(from, Math.min(content.byteLength, end + 1 - index * frameBytes))
      index += 1
    }
  }
  if (index !== until + 1 || held.byteLength > 0) throw new SealBroken('The file is not whole')
}

export class SealBroken extends Error {
  constructor(text: string, cause?: unknown) {
    super(text, { cause })
    this.name = 'SealBroken'
  }
}

const frameIn = (bytes: Buffer) => sound(() => recordAt(bytes, 0, frameBytes))

interface Frame {
  readonly index: number
  readonly last: boolean
  readonly envelope: Uint8Array
}

const opened = (file: FileKey, { index, last, envelope }: Frame): Uint8Array =>
  sound(() => open(file.key, contextOf(file, index, last), envelope))

function sound<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new SealBroken('A frame of the file does not open', error)
  }
}
