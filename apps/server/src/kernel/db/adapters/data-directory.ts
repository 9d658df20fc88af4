/**
 * The embedded database's folder: made whole or not at all, and used by one process at a time. A new folder is built
 * beside its place and renamed into it, so a kill at any moment leaves either nothing or a complete one.
 * It does not look inside a complete folder. Tested in data-directory.test.ts.
 */
import { spawn } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerFile } from './pglite-thread.ts'

/** Makes the folder if it is missing. @throws Error when it cannot be made, or holds something that is no database */
export async function prepareDataDirectory(dir: string): Promise<void> {
  await removeLeftovers(dir)
  if (await exists(join(dir, 'PG_VERSION'))) return
  if (await holdsSomething(dir)) throw new Error(`${dir} is neither empty nor a database folder; it is left as it is`)
  await mkdir(dirname(dir), { recursive: true, mode: 0o700 })
  // A name of its own: the process that fills it outlives a killed parent by a moment.
  const fresh = await mkdtemp(draftsOf(dir))
  await initialize(fresh)
  await rename(fresh, dir)
}

const draftsOf = (dir: string): string => `${dir}.new-`

/** What killed starts left. A folder that is still being written to is left for the next start. */
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

/** In a process of its own, whose memory peak (about 800 MB) ends with it, and which ends when its input does: with us. */
function initialize(dir: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(workerFile), dir], { stdio: ['pipe', 'ignore', 'pipe'] })
    let words = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => {
      words = (words + text).slice(-2_000)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The database folder ${dir} could not be made (code ${code}): ${words.trim()}`))
    })
  })
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
