import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  BlobError,
  type BlobHash,
  type BlobInfo,
  type BlobStream,
  type Blobs,
  type ByteRange,
  checkBlobName,
} from '../port.ts'
import {
  bytesBelow,
  createFile,
  makeFolder,
  moveInto,
  openFile,
  removeFile,
  removeOlder,
  syncFolder,
} from './disk-files.ts'
import { checkWhole, createSoundness, readPart, readWhole } from './disk-reading.ts'

export interface DiskBlobsOptions {
  /** Made with mode 0700 if missing, and set to it if not. */
  readonly folder: string
  /** Milliseconds of the Unix epoch, to tell left-over temporary files by their age. */
  readonly now?: () => number
  /** Bytes of one blob at most (default 1 GiB). */
  readonly maxBytes?: number
}

// Nobody writes one blob for a day; several instances may share the folder.
const leftoverAfterMs = 86_400_000

/**
 * Blobs as files `<folder>/<tenant>/<first two digits>/<sha256>`. A file is written aside, brought to the disk, and renamed,
 * so a reader or a power cut sees all of it or nothing; writing content again replaces a damaged file.
 */
export function createDiskBlobs({ folder, now = Date.now, maxBytes = 1_073_741_824 }: DiskBlobsOptions): Blobs {
  const base = resolve(folder)
  // At once and not at the first write: a folder that cannot be used has to be seen at the start.
  mkdirSync(base, { recursive: true, mode: 0o700 })
  chmodSync(base, 0o700)
  return new DiskBlobs({ base, aside: join(base, '.writing'), now, maxBytes })
}

interface Place {
  readonly base: string
  readonly aside: string
  readonly now: () => number
  readonly maxBytes: number
}

class DiskBlobs implements Blobs {
  readonly #place: Place
  readonly #soundness = createSoundness()
  #prepared: Promise<void> | null = null

  constructor(place: Place) {
    this.#place = place
  }

  async put(tenant: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobInfo> {
    checkBlobName(tenant)
    await this.#prepare()
    const temporary = join(this.#place.aside, randomUUID())
    try {
      const info = await write(temporary, content, this.#place.maxBytes)
      await moveInto(temporary, this.#path(tenant, info.sha256))
      return info
    } catch (error) {
      await removeFile(temporary)
      throw error
    }
  }

  async get(tenant: string, sha256: BlobHash): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for await (const part of readWhole(() => this.#open(tenant, sha256), sha256)) parts.push(part)
    return Buffer.concat(parts)
  }

  async read(tenant: string, sha256: BlobHash, range?: ByteRange): Promise<BlobStream> {
    const open = () => this.#open(tenant, sha256)
    const file = await open()
    try {
      const { size } = await file.stat()
      if (range === undefined) return { size, body: readWhole(open, sha256) }
      checkRange(range, size)
      // A part cannot be checked by the hash of the whole, so the whole is checked once for every version of the file.
      await checkWhole(file, sha256, this.#soundness)
      return { size, body: readPart(open, range) }
    } finally {
      await file.close()
    }
  }

  async stat(tenant: string, sha256: BlobHash): Promise<BlobInfo | null> {
    const file = await openFile(this.#path(tenant, sha256))
    if (file === null) return null
    const { size } = await file.stat().finally(() => file.close())
    return { sha256, size }
  }

  async delete(tenant: string, sha256: BlobHash): Promise<boolean> {
    return removeFile(this.#path(tenant, sha256))
  }

  async usage(tenant: string): Promise<number> {
    checkBlobName(tenant)
    return bytesBelow(join(this.#place.base, tenant))
  }

  async close(): Promise<void> {}

  async #open(tenant: string, sha256: BlobHash): Promise<FileHandle> {
    const file = await openFile(this.#path(tenant, sha256))
    if (file === null) throw new BlobError('missing', `There is no blob ${sha256}.`)
    return file
  }

  /** Makes the folder for unfinished files and clears it of old ones: once, and again after a failure. */
  #prepare(): Promise<void> {
    this.#prepared ??= prepare(this.#place).catch((error: unknown) => {
      this.#prepared = null
      throw error
    })
    return this.#prepared
  }

  #path(tenant: string, sha256: BlobHash): string {
    checkBlobName(tenant, sha256)
    return join(this.#place.base, tenant, sha256.slice(0, 2), sha256)
  }
}

async function prepare({ base, aside, now }: Place): Promise<void> {
  await syncFolder(dirname(base))
  await makeFolder(aside)
  await removeOlder(aside, now() - leftoverAfterMs)
}

async function write(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BlobInfo> {
  const file = await createFile(path)
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      size += chunk.byteLength
      if (size > maxBytes) throw new BlobError('too_large', `A blob has at most ${maxBytes} bytes.`)
      hash.update(chunk)
      // `write` may store less than it was given; `writeFile` goes on until all is stored.
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), size }
}

function checkRange({ start, end }: ByteRange, size: number): void {
  const isSane = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start
  if (!isSane || start >= size) throw new BlobError('range', `Bytes ${start} to ${end} are not in a blob of ${size}.`)
}
