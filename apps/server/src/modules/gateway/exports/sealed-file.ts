/**
 * A file as frames under a key of its own, so that neither making nor reading it needs it whole. Promises that a frame
 * opens only at its place in its file and that a file that was cut, reordered or joined is an error. Does not hide how
 * long the file is. Tested in sealed-file.test.ts.
 */
import { boundTo, open } from '../../../kernel/crypto/envelope.ts'
import { cut } from '../../../kernel/crypto/pieces.ts'
import type { Random } from '../../../kernel/crypto/random.ts'
import { recordAt, sealRecord } from '../../../kernel/crypto/records.ts'

/** Of content in one frame. */
const frameBytes = 65_536

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
  let index = 0
  // The last frame says that it is the last, so an empty file has one too.
  for await (const { bytes, last } of cut(chunks, frameBytes)) {
    yield sealRecord({ key: file.key, context: contextOf(file, index, last) }, random, bytes)
    index += 1
  }
}

/** @throws Error when the file is not whole, was changed or is another one */
export async function* openFile(file: FileKey, chunks: Chunks): Chunks {
  let index = 0
  let held: Buffer = Buffer.alloc(0)
  let previous: Uint8Array | null = null
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk])
    for (let found = recordAt(held, 0, frameBytes); found !== null; found = recordAt(held, 0, frameBytes)) {
      held = held.subarray(found.end)
      if (previous !== null) {
        yield open(file.key, contextOf(file, index, false), previous)
        index += 1
      }
      previous = found.envelope
    }
  }
  if (previous === null || held.byteLength > 0) throw new Error('The file is not whole')
  yield open(file.key, contextOf(file, index, true), previous)
}
