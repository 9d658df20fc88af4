/**
 * Records that wait on the local disk until the database can take them. Promises that what `append` acknowledged survives
 * the death of the process and of the machine (`fdatasync`), that `drain` gives it out in order, again after a failure,
 * and that a folder has one process. It is not for data that other instances must see. Tested in spool.test.ts.
 */
import { type FileHandle, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from '../crypto/random.ts'
import { type DirectoryLock, lockDirectory } from '../db/adapters/directory-lock.ts'
import { framesOf, readFrames } from './frames.ts'

export class SpoolFull extends Error {
  constructor(bytes: number) {
    super(`The spool holds ${bytes} bytes and takes no more`)
    this.name = 'SpoolFull'
  }
}

export interface Spool {
  /** Keeps all or none. @throws SpoolFull, or what the disk says */
  append(records: readonly Uint8Array[]): Promise<void>
  /**
   * Gives out what is kept, a file at a time and in order, and removes what was taken. Where `take` fails the rest stays, and
   * all of its file is given out again: `take` has to know what it has taken before.
   */
  drain(take: (records: readonly Uint8Array[]) => Promise<void>): Promise<void>
  /** Bytes that wait. */
  waiting(): number
  /** Files that were changed and are kept aside for a person to look at. */
  damaged(): number
  close(): Promise<void>
}

export interface SpoolParts {
  readonly folder: string
  /** 32 bytes. */
  readonly key: Uint8Array
  readonly random: Pick<Random, 'bytes' | 'hex'>
  /** Most bytes kept. */
  readonly maxBytes: number
}

const ending = '.spool'
const aside = '.damaged'
/** A file is read as a whole. */
const fileBytes = 8 * 1024 * 1024

/** Opens a folder with the records of an earlier process. @throws Error when another process has it */
export async function openSpool(parts: SpoolParts): Promise<Spool> {
  await mkdir(parts.folder, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(parts.folder)
  try {
    return await DiskSpool.over(parts, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface Current {
  readonly name: string
  readonly handle: FileHandle
  records: number
  bytes: number
}

class DiskSpool implements Spool {
  readonly #parts: SpoolParts
  readonly #lock: DirectoryLock
  /** Files that nothing is added to any more, oldest first, with their sizes. */
  readonly #closed: { readonly name: string; readonly bytes: number }[] = []
  #current: Current | null = null
  #damaged = 0
  #made = 0
  /** One thing at a time. */
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(parts: SpoolParts, lock: DirectoryLock) {
    this.#parts = parts
    this.#lock = lock
  }

  static async over(parts: SpoolParts, lock: DirectoryLock): Promise<DiskSpool> {
    const spool = new DiskSpool(parts, lock)
    const names = (await readdir(parts.folder)).sort()
    spool.#damaged = names.filter((name) => name.endsWith(aside)).length
    for (const name of names.filter((each) => each.endsWith(ending))) {
      spool.#closed.push({ name, bytes: (await stat(join(parts.folder, name))).size })
      spool.#made = Math.max(spool.#made, Number.parseInt(name, 10) + 1)
    }
    return spool
  }

  waiting(): number {
    return this.#closed.reduce((sum, { bytes }) => sum + bytes, this.#current?.bytes ?? 0)
  }

  damaged(): number {
    return this.#damaged
  }

  append(records: readonly Uint8Array[]): Promise<void> {
    return this.#inTurn(async () => {
      const current = this.#current ?? (await this.#begin())
      const place = { key: this.#parts.key, file: current.name }
      const frames = framesOf(place, this.#parts.random, { records, index: current.records })
      if (this.waiting() + frames.byteLength > this.#parts.maxBytes) throw new SpoolFull(this.waiting())
      await this.#write(current, frames)
      current.records += records.length
      current.bytes += frames.byteLength
      if (current.bytes >= fileBytes) await this.#closeCurrent()
    })
  }

  async drain(take: (records: readonly Uint8Array[]) => Promise<void>): Promise<void> {
    await this.#inTurn(() => this.#closeCurrent())
    for (let next = this.#closed[0]; next !== undefined; next = this.#closed[0]) {
      await this.#give(next.name, take)
      this.#closed.shift()
    }
  }

  async close(): Promise<void> {
    await this.#inTurn(() => this.#closeCurrent())
    await this.#lock.release()
  }

  async #begin(): Promise<Current> {
    const name = `${String(this.#made).padStart(12, '0')}-${this.#parts.random.hex(6)}${ending}`
    this.#made += 1
    const handle = await open(join(this.#parts.folder, name), 'ax', 0o600)
    await syncFolder(this.#parts.folder)
    this.#current = { name, handle, records: 0, bytes: 0 }
    return this.#current
  }

  /** A write that fails leaves half a frame, behind which nothing would be found: the file is cut and given up. */
  async #write(current: Current, frames: Buffer): Promise<void> {
    try {
      await current.handle.appendFile(frames)
      await current.handle.datasync()
    } catch (error) {
      await current.handle.truncate(current.bytes).catch(() => undefined)
      await this.#closeCurrent()
      throw error
    }
  }

  async #closeCurrent(): Promise<void> {
    const current = this.#current
    if (current === null) return
    this.#current = null
    this.#closed.push({ name: current.name, bytes: current.bytes })
    await current.handle.close()
  }

  async #give(name: string, take: (records: readonly Uint8Array[]) => Promise<void>): Promise<void> {
    const path = join(this.#parts.folder, name)
    const { records, isDamaged } = readFrames({ key: this.#parts.key, file: name }, await readFile(path))
    if (records.length > 0) await take(records)
    if (isDamaged) {
      await rename(path, `${path}${aside}`)
      this.#damaged += 1
    } else await unlink(path)
    await syncFolder(this.#parts.folder)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }
}

/** A new name is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
