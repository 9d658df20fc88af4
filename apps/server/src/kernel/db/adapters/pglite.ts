/**
 * The embedded database: PGlite in a thread of its own, behind the same protocol client as a server. It is one
 * connection, so transactions queue, and a transaction must not wait for another one. It survives the death of the
 * process, not a power cut: it never calls fsync. Tested in pglite.test.ts and by the contract suite.
 */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseUnavailable } from '../errors.ts'
import type { Driver } from '../port.ts'
import { openConnection } from './connection.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { keptCluster } from './empty-cluster.ts'
import { PglitePipe } from './pglite-pipe.ts'
import { type PgliteThread, startThread } from './pglite-thread.ts'
import { Pool } from './pool.ts'

export interface PgliteOptions {
  /** Folder of the database; null keeps it in memory. */
  readonly dataDir: string | null
  /** In memory only: folder of a closed database, to start from a copy of; default an empty one. */
  readonly cluster?: string
  /** Milliseconds a transaction waits for its turn; default 15,000: there is no server that may be away, only a busy machine. */
  readonly acquireTimeoutMs?: number
  /** Starts the thread; tests keep a hand on it. */
  readonly start?: typeof startThread
}

/** @throws Error when another process uses the folder or it cannot be made */
export async function openPglite(options: PgliteOptions): Promise<Driver> {
  const lock = options.dataDir === null ? null : await prepared(options.dataDir)
  const { dataDir } = options
  const cluster = dataDir === null ? (options.cluster ?? (await keptCluster())) : null
  const start = (): Promise<PgliteThread> => (options.start ?? startThread)({ dataDir, cluster })
  let thread: PgliteThread
  try {
    thread = await start()
  } catch (error) {
    await lock?.release()
    throw error
  }
  // A crashed thread is started again from the folder, as a server is by its supervisor; memory has nothing to start from.
  const revive = async (): Promise<PgliteThread> => {
    if (thread.running()) return thread
    if (options.dataDir === null) throw new DatabaseUnavailable('The embedded database has stopped')
    thread = await start()
    return thread
  }
  return driverOf({ current: () => thread, revive, lock }, options.acquireTimeoutMs ?? 15_000)
}

async function prepared(dataDir: string): Promise<DirectoryLock> {
  await mkdir(dirname(dataDir), { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(dataDir)
  try {
    await prepareDataDirectory(dataDir)
    return lock
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface Embedded {
  readonly current: () => PgliteThread
  readonly revive: () => Promise<PgliteThread>
  readonly lock: DirectoryLock | null
}

// The server side is one session that outlives its clients: a new client first clears what the last one left.
const prelude = ['rollback', 'discard all']
const identity = { user: 'postgres', database: 'postgres', host: 'embedded', password: '' }

function driverOf(embedded: Embedded, acquireTimeoutMs: number): Driver {
  const pool = new Pool({
    max: 1,
    acquireTimeoutMs,
    open: async (onEnd) =>
      openConnection({ client: identity, stream: new PglitePipe(await embedded.revive()), prelude, onEnd }),
    // The thread is busy with just that statement and hears nothing until it ends.
    cancel: async () => {},
  })
  return {
    kind: 'pglite',
    acquire: (group) => pool.acquire(group),
    script: async (text) => {
      const session = await pool.acquire()
      let broken = true
      try {
        await session.script(text)
        broken = false
      } finally {
        session.release(broken)
      }
    },
    stats: () => pool.stats(),
    close: async () => {
      await pool.close()
      if (embedded.current().running()) await embedded.current().request('close')
      await embedded.current().stop()
      await embedded.lock?.release()
    },
  }
}
