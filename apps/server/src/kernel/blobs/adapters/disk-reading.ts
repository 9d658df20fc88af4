import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { BlobError, type BlobHash, type ByteRange } from '../port.ts'

const pieceBytes = 65_536
const rememberedFiles = 10_000

/** Opens when the first byte is asked for, so a stream that nobody reads holds no file open. */
export type OpenFile = () => Promise<FileHandle>

/** Files found sound, by identity and times: a file that changes has to be checked again. */
export interface Soundness {
  has(identity: string): boolean
  add(identity: string): void
}

/** A bounded memory of sound files. */
export function createSoundness(): Soundness {
  const sound = new Set<string>()
  return {
    has: (identity) => sound.has(identity),
    add(identity) {
      if (sound.size >= rememberedFiles) sound.clear()
      sound.add(identity)
    },
  }
}

/** All of a file, hashed on the way; throws BlobError `corrupt` at the end if it is not what was written. */
export async function* readWhole(open: OpenFile, sha256: BlobHash): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open()
  try {
    const hash = createHash('sha256')
    for await (const piece of pieces(file, { start: 0, end: Number.MAX_SAFE_INTEGER - 1 })) {
      hash.update(piece)
      yield piece
    }
    if (hash.digest('hex') !== sha256) throw corrupt(sha256)
  } finally {
    await file.close()
  }
}

/** A part of a file. */
export async function* readPart(open: OpenFile, range: ByteRange): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open()
  try {
    yield* pieces(file, range)
  } finally {
    await file.close()
  }
}

/** Hashes the file unless this version of it was found sound before. Throws BlobError `corrupt`. */
export async function checkWhole(file: FileHandle, sha256: BlobHash, soundness: Soundness): Promise<void> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await file.stat({ bigint: true })
  const identity = [sha256, dev, ino, size, mtimeNs, ctimeNs].join(':')
  if (soundness.has(identity)) return
  const hash = createHash('sha256')
  for await (const piece of pieces(file, { start: 0, end: Number.MAX_SAFE_INTEGER - 1 })) hash.update(piece)
  if (hash.digest('hex') !== sha256) throw corrupt(sha256)
  soundness.add(identity)
}

async function* pieces(file: FileHandle, { start, end }: ByteRange): AsyncGenerator<Uint8Array, void, undefined> {
  let position = start
  while (position <= end) {
    const wanted = Math.min(pieceBytes, end - position + 1)
    const { bytesRead, buffer } = await file.read(new Uint8Array(wanted), 0, wanted, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

const corrupt = (sha256: BlobHash): BlobError => new BlobError('corrupt', `Blob ${sha256} is not what was written.`)
