/**
 * The embedded database's folder: made whole or not at all, and used by one process at a time. A new folder is built
 * beside its place and renamed into it, so a kill at any moment leaves either nothing or a complete one.
 * It does not look inside a complete folder. Tested in data-directory.test.ts.
 */
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../../blobs/adapters/disk-files.ts'
import { copyCluster } from './copy-cluster.ts'
import { emptyClusterFolder, keptCluster, makeCluster } from './empty-cluster.ts'

/**
 * Makes the folder if it is missing.
 * @param cluster the empty one that is copied; where none is kept, one is made
 * @throws Error when it cannot be made, or holds something that is no database
 */
export async function prepareDataDirectory(dir: string, cluster = emptyClusterFolder()): Promise<void> {
  await removeLeftovers(dir)
  if (await exists(join(dir, 'PG_VERSION'))) return
  if (await holdsSomething(dir)) throw new Error(`${dir} is neither empty nor a database folder; it is left as it is`)
  await mkdir(dirname(dir), { recursive: true, mode: 0o700 })
  const from = (await keptCluster(cluster)) ?? (await madeCluster(dir))
  const fresh = await mkdtemp(draftsOf(dir))
  await copyCluster(from, fresh, 'owner')
  await rename(fresh, dir)
  await syncFolder(dirname(dir))
  await removeLeftovers(dir)
}

/** A draft itself, of which a copy becomes the folder: the engine brings nothing to the disk. */
async function madeCluster(dir: string): Promise<string> {
  // A name of its own: the process that fills it outlives a killed parent by a moment.
  const made = await mkdtemp(draftsOf(dir))
  await makeCluster(made)
  return made
}

/** Where no cluster is kept it takes a process, which a confined server cannot start. */
export async function mayMakeDataDirectory(cluster = emptyClusterFolder()): Promise<boolean> {
  return (process.permission?.has('child') ?? true) || (await keptCluster(cluster)) !== null
}

const draftsOf = (dir: string): string => `${dir}.new-`

/** Remains of killed starts. A folder that is still being written to is left for the next start. */
async function removeLeftovers(dir: string): Promise<void> {
  const names = await readdir(dirname(dir)).catch(() => [])
  const leftovers = names.filter((name) => name.startsWith(basename(draftsOf(dir))))
  await Promise.allSettled(leftovers.map((name) => rm(join(dirname(dir), name), { recursive: true, force: true })))
}

async function holdsSomething(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length > 0
  } catch {
    return false
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
