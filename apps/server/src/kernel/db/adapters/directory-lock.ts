/**
 * Keeps a second process off a data directory: a file `<dir>.lock` names its holder and is touched every two seconds.
 * It promises that of several processes one wins, and that a killed holder does not lock anybody out for longer than
 * ten seconds. It is no protection against deleting the file. Tested in directory-lock.test.ts.
 */
import { link, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'

export interface DirectoryLock {
  release(): Promise<void>
}

interface Holder {
  readonly pid: number
  /** Process ids come again, after a restart of a container even at once; the start time tells two lives apart. */
  readonly started: string | null
  readonly host: string
}

const beatMs = 2_000
/** A holder on another machine, or in another container, cannot be asked; silence this long is its death. */
const silentMs = 10_000

/** @throws Error naming the holder while another process has the folder */
export async function lockDirectory(dir: string): Promise<DirectoryLock> {
  const path = `${dir}.lock`
  const mine = JSON.stringify({
    pid: process.pid,
    started: await startOf(process.pid),
    host: hostname(),
  } satisfies Holder)
  const draft = `${path}.${process.pid}`
  await writeFile(draft, mine, { mode: 0o600 })
  try {
    await take(path, draft)
  } finally {
    await unlink(draft)
  }
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, beatMs)
  beat.unref()
  return {
    release: async () => {
      clearInterval(beat)
      if ((await readOrNull(path)) === mine) await unlink(path)
    },
  }
}

async function take(path: string, draft: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // A link is made for one process only, and the file is complete the moment it has its name.
    if (await linked(draft, path)) return
    const found = await readOrNull(path)
    if (found === null) continue
    const holder = parseHolder(found)
    if (await isAlive(path, holder)) {
      throw new Error(
        `The database folder ${path.slice(0, -5)} is in use by process ${holder?.pid ?? 'unknown'} (${path})`,
      )
    }
    await removeStale(path, found, draft)
  }
  throw new Error(`The lock ${path} changed hands again and again`)
}

/** Moves the dead holder's file aside; if another process was quicker, the moved file is its own and goes back. */
async function removeStale(path: string, expected: string, draft: string): Promise<void> {
  const aside = `${draft}.stale`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if ((await readOrNull(aside)) !== expected) await linked(aside, path)
  await unlink(aside)
}

async function isAlive(path: string, holder: Holder | null): Promise<boolean> {
  if (holder !== null && holder.host === hostname()) {
    return processExists(holder.pid) && holder.started === (await startOf(holder.pid))
  }
  const touched = await stat(path).catch(() => null)
  return touched !== null && Date.now() - touched.mtimeMs < silentMs
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Clock ticks since boot at which the process began (field 22 of `/proc/<pid>/stat`); null where there is no `/proc`. */
async function startOf(pid: number): Promise<string | null> {
  const line = await readOrNull(`/proc/${pid}/stat`)
  // The second field is the program's name in parentheses, which may hold spaces.
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number') return null
    const started = 'started' in value && typeof value.started === 'string' ? value.started : null
    return { pid: value.pid, started, host: 'host' in value ? String(value.host) : '' }
  } catch {
    return null
  }
}
