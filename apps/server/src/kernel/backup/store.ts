import { createReadStream } from 'node:fs'
import { access, constants, open as openFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, removeFile, syncFolder } from '../blobs/adapters/disk-files.ts'

/** Where the files of backups are. Promises that a file that is there is whole. */
export interface BackupStore {
  /** @throws Error when it cannot be written to */
  check(): Promise<void>
  write(id: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  read(id: string): AsyncIterable<Uint8Array>
  /** Bytes, or null where there is no such file. */
  size(id: string): Promise<number | null>
  /** Whether it is there or not. */
  remove(id: string): Promise<void>
}

export const pathOf = (folder: string, id: string): string => join(folder, `${id}.parapet-backup`)

export function createFolderStore(folder: string): BackupStore {
  return {
    check: async () => {
      await makeFolder(folder)
      await access(folder, constants.W_OK)
    },
    write: (id, chunks) => writeFile(folder, pathOf(folder, id), chunks),
    read: (id) => readFile(pathOf(folder, id)),
    size: async (id) => (await stat(pathOf(folder, id)).catch(() => null))?.size ?? null,
    remove: async (id) => {
      await removeFile(pathOf(folder, id))
    },
  }
}

/** Writes to a temporary file, then renames it: a file with the final name is complete. */
async function writeFile(folder: string, path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await makeFolder(folder)
  const draft = `${path}.new`
  const file = await openFile(draft, 'w', 0o600)
  try {
    for await (const chunk of chunks) await file.write(chunk)
    await file.sync()
  } catch (error) {
    await file.close()
    await rm(draft, { force: true })
    throw error
  }
  await file.close()
  await rename(draft, path)
  await syncFolder(folder)
}

export const readFile = (path: string): AsyncIterable<Uint8Array> =>
  createReadStream(path, { highWaterMark: 1_048_576 })
