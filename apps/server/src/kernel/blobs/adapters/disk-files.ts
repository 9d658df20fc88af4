import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a folder for the owner alone, with all above it, and brings their entries to the disk. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  // A new folder survives a power cut only if its parent's entry for it does.
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await syncFolder(dirname(folder))
}

/** Opens a new file for the owner alone; fails if anything is there. */
export function createFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow, 0o600)
}

/** Opens a file for reading, or null when there is none. A link is never followed. */
export async function openFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | noFollow)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Moves a finished file to its place in one step and brings the folder's entry to the disk. */
export async function moveInto(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Deletes a file; true when there was one. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await rm(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

// Windows has neither; the root folder's rights are the protection there.
const noFollow = constants.O_NOFOLLOW ?? 0

/** Brings a folder's entries to the disk. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
