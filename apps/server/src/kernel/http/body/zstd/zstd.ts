/**
 * Zstandard (RFC 8878) as it comes, a block of at most 128 KiB at a time. Promises that a stream takes no more memory than
 * its window of at most 8 MiB and 1.5 MiB besides, and time that grows with its bytes and its content alone, whatever it
 * says; that others have a turn between blocks; and that one that is broken or ends early is refused. It reads no
 * dictionaries and does not compare checksums, which say nothing that the way of a body does not say. Tested in
 * zstd.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BlockBytes } from './block-bytes.ts'
import { ZstdError } from './fault.ts'
import { type FrameHeader, nextBlock, nextFrame } from './frame.ts'
import { History } from './history.ts'
import { Input } from './input.ts'
import { Literals } from './literals.ts'
import { Sequences } from './sequences.ts'

/** Milliseconds after which others have a turn. */
const turnMs = 5

/** @throws ZstdError, and the errors of the source */
export async function* zstdUnpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new Input(packed)
  const decoder = new Decoder(input)
  try {
    let frames = 0
    for (let frame = await nextFrame(input); frame !== null; frame = await nextFrame(input)) {
      frames += 1
      yield* decoder.frame(frame)
    }
    if (frames === 0) throw new ZstdError('there is no frame')
  } finally {
    await input.close()
  }
}

class Decoder {
  readonly #input: Input
  readonly #block = new BlockBytes()
  readonly #history = new History()
  readonly #literals = new Literals()
  readonly #sequences = new Sequences()
  #turnBegan = performance.now()

  constructor(input: Input) {
    this.#input = input
  }

  async *frame(frame: FrameHeader): AsyncGenerator<Uint8Array> {
    this.#history.reset(frame.window)
    this.#literals.reset()
    this.#sequences.reset()
    let size = 0
    for (let isLast = false; !isLast; ) {
      isLast = await this.#unpackBlock(frame)
      const content = this.#history.taken()
      size += content.byteLength
      if (content.byteLength > 0) yield content
      await this.#giveTurn()
    }
    if (frame.size !== null && frame.size !== size) throw new ZstdError('a frame has not the size that it says')
    if (frame.hasChecksum) await this.#input.skip(4)
  }

  /** @returns whether it is the last one of its frame */
  async #unpackBlock(frame: FrameHeader): Promise<boolean> {
    const { kind, size, isLast } = await nextBlock(this.#input, frame)
    const block = this.#block
    const history = this.#history
    history.begin(frame.mostBlock)
    if (kind === 'run') history.fill(await this.#input.number(1), size)
    else {
      await this.#input.read(block.bytes, size)
      block.end = size
      if (kind === 'raw') history.append(block.bytes, 0, size)
      else this.#sequences.carryOut(block, this.#literals.read(block), { literals: this.#literals, history })
    }
    return isLast
  }

  async #giveTurn(): Promise<void> {
    if (performance.now() - this.#turnBegan < turnMs) return
    await nextTurn()
    this.#turnBegan = performance.now()
  }
}
