export interface Piece {
  readonly bytes: Buffer
  readonly last: boolean
}

/**
 * Cuts a stream into pieces of exactly this size and then the rest, which may be as large, and is empty only when
 * everything is: a piece that says that it is the last has to wait until nothing more comes.
 */
export async function* cut(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Piece> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    held.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    length += chunk.byteLength
    if (length <= size) continue
    let all: Buffer = Buffer.concat(held)
    for (; all.length > size; all = all.subarray(size)) yield { bytes: all.subarray(0, size), last: false }
    held = [all]
    length = all.length
  }
  yield { bytes: Buffer.concat(held), last: true }
}
