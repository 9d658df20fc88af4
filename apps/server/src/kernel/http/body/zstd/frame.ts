import { mostBlock } from './block-bytes.ts'
import { ZstdError } from './fault.ts'
import type { Input } from './input.ts'

/** The header of a frame (RFC 8878, 3.1.1.1). */
export interface FrameHeader {
  /** Bytes. */
  readonly window: number
  /** Bytes that each block may have, packed and unpacked. */
  readonly mostBlock: number
  /** Of the content, in bytes; null where the frame does not say it. */
  readonly size: number | null
  readonly hasChecksum: boolean
}

/** Bytes: the most that a reader of `Content-Encoding: zstd` has to offer (RFC 9659). */
export const mostWindow = 8 * 1_048_576

const frameMagic = 0xfd2fb528
/** The last four bits are free. */
const skippableMagic = 0x184d2a50

/**
 * Reads on to the next frame, over those that hold no content.
 * @returns null at the end
 * @throws ZstdError
 */
export async function nextFrame(input: Input): Promise<FrameHeader | null> {
  while (!(await input.ended())) {
    const magic = await input.number(4)
    if (magic === frameMagic) return readHeader(input)
    if (magic >>> 4 !== skippableMagic >>> 4) throw new ZstdError('there is no frame')
    await input.skip(await input.number(4))
  }
  return null
}

async function readHeader(input: Input): Promise<FrameHeader> {
  const descriptor = await input.number(1)
  if ((descriptor & 8) !== 0) throw new ZstdError('a reserved bit is set')
  if ((descriptor & 3) !== 0) throw new ZstdError('a frame needs a dictionary')
  const isSingle = (descriptor & 32) !== 0
  const windowCode = isSingle ? null : await input.number(1)
  const size = await readSize(input, { code: descriptor >> 6, isSingle })
  const window = windowCode === null ? (size ?? 0) : windowOf(windowCode)
  if (window > mostWindow) throw new ZstdError(`a frame needs more than ${mostWindow} bytes of memory`)
  return { window, mostBlock: Math.min(mostBlock, window), size, hasChecksum: (descriptor & 4) !== 0 }
}

async function readSize(
  input: Input,
  { code, isSingle }: { readonly code: number; readonly isSingle: boolean },
): Promise<number | null> {
  if (code === 0) return isSingle ? input.number(1) : null
  // Two bytes begin where one ends.
  return code === 1 ? (await input.number(2)) + 256 : input.number(2 ** code)
}

function windowOf(code: number): number {
  const base = 2 ** (10 + (code >> 3))
  return base + (base / 8) * (code & 7)
}

export interface BlockHeader {
  readonly kind: 'raw' | 'run' | 'packed'
  /** Bytes: of a run and of raw content unpacked, else packed. */
  readonly size: number
  readonly isLast: boolean
}

/** @throws ZstdError */
export async function nextBlock(input: Input, { mostBlock }: FrameHeader): Promise<BlockHeader> {
  const word = await input.number(3)
  const kind = (['raw', 'run', 'packed'] as const)[(word >> 1) & 3]
  const size = word >> 3
  if (kind === undefined) throw new ZstdError('a block is of a kind that there is not')
  if (size > mostBlock) throw new ZstdError('a block is too large')
  return { kind, size, isLast: (word & 1) !== 0 }
}
