/** Cuts a stream of bytes into pieces of whole lines. Tested in pieces.test.ts. */
const newline = 0x0a

/**
 * A line longer than a piece is cut, and is then several lines that nobody can read; so that no line needs more memory
 * than a piece. Each piece is a buffer of its own, which may be moved to a thread.
 */
export async function* linePieces(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let held = new Uint8Array(size)
  let length = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; ) {
      const part = chunk.subarray(at, at + size - length)
      held.set(part, length)
      length += part.byteLength
      at += part.byteLength
      if (length < size) continue
      const last = held.lastIndexOf(newline)
      const end = last === -1 ? size : last + 1
      const next = new Uint8Array(size)
      next.set(held.subarray(end))
      yield held.subarray(0, end)
      held = next
      length = size - end
    }
  }
  if (length > 0) yield held.subarray(0, length)
}
