import { chmodSync, mkdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ByteRange } from '../../base/byte-range.ts'
import { BlobError, type BlobName, type BlobStore, checkBlobName } from '../port.ts'
import { createFile, makeFolder, moveInto, openFile, removeFile, syncFolder } from './disk-files.ts'

const pieceBytes = 65_536

/**
 * Blobs as files `<folder>/<tenant>/<last two characters of the id>/<id>`. A file is written aside, brought to the disk,
 * and renamed, so a reader or a power cut sees all of it or nothing.
 * @param folder made with mode 0700 if missing, and set to it if not
 * @throws Error when the folder cannot be used
 */
export function createDiskBlobs(folder: string): BlobStore {
  const base = resolve(folder)
  // At once and not at the first write: a folder that cannot be used has to be seen at the start.
  mkdirSync(base, { recursive: true, mode: 0o700 })
  chmodSync(base, 0o700)
  const pathOf = (name: BlobName): string => {
    checkBlobName(name)
    return join(base, name.tenantId, name.id.slice(-2), name.id)
  }
  const asideOf = ({ tenantId, id }: BlobName): string => join(base, '.writing', `${tenantId}.${id}`)
  return {
    put: async (name, content) => {
      const path = pathOf(name)
      await syncFolder(dirname(base))
      await makeFolder(dirname(asideOf(name)))
      const aside = asideOf(name)
      try {
        await write(aside, content)
        await moveInto(aside, path)
      } catch (error) {
        await removeFile(aside)
        throw error
      }
    },
    read: (name, range) => read(pathOf(name), range),
    delete: async (name) => {
      await removeFile(pathOf(name))
      await removeFile(asideOf(name))
    },
    check: () => access(base, constants.R_OK | constants.W_OK),
  }
}

async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await createFile(path)
  try {
    // `write` may store less than it was given; `writeFile` goes on until all is stored.
    for await (const chunk of content) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Opens when the first byte is requested, so an unread stream holds no file open. */
async function* read(path: string, { start, end }: ByteRange = wholeFile): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await openFile(path)
  if (file === null) throw new BlobError('missing', 'The blob is not in its folder.')
  try {
    for (let position = start; position <= end; ) {
      const wanted = Math.min(pieceBytes, end - position + 1)
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

const wholeFile: ByteRange = { start: 0, end: Number.MAX_SAFE_INTEGER - 1 }
