/**
 * What every new embedded database begins as: a cluster without tables and without the template databases, to which the
 * engine can connect nobody and whose old transaction numbers would hold back those of the whole cluster for ever.
 * Making it takes seconds of processor and 800 MB at the peak. So the build and the tests keep one among the packages,
 * which servers copy and never write. Promises that a kept one appears whole; who changes it there can change the
 * program as well. Tested in empty-cluster.test.ts.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../../crypto/digest.ts'
import { copyCluster } from './copy-cluster.ts'
import { workerFile } from './pglite-thread.ts'

/** One by one, because a database cannot be dropped in a transaction. */
const statements = [
  'update pg_database set datistemplate = false where datname <> current_database()',
  'drop database template0',
  'drop database template1',
]

/** Below a folder that `npm ci` removes. The name says all that decides what is in it. */
export function emptyClusterFolder(): string {
  const engine = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '..')
  const manifest: { readonly version?: unknown } = JSON.parse(readFileSync(join(engine, 'package.json'), 'utf8'))
  const digest = sha256(statements.join('\n')).slice(0, 8)
  return join(engine, '../../.cache/parapet', `empty-${String(manifest.version)}-${digest}`)
}

/** The folder itself where a cluster is kept in it, or null. */
export async function keptCluster(folder = emptyClusterFolder()): Promise<string | null> {
  try {
    // Without the first the engine makes another, without the second it ends; empty folders get lost in archives.
    for (const name of ['PG_VERSION', 'global/pg_control', 'pg_wal/archive_status']) await access(join(folder, name))
    return folder
  } catch {
    return null
  }
}

/** Keeps one where there is none; several processes may do so at once. */
export async function keepCluster(folder = emptyClusterFolder(), make = makeCluster): Promise<void> {
  if ((await keptCluster(folder)) !== null) return
  await mkdir(dirname(folder), { recursive: true })
  const drafts = await mkdtemp(`${folder}.`)
  const [made, draft] = [join(drafts, 'made'), join(drafts, 'draft')]
  try {
    await make(made)
    await mkdir(draft)
    await copyCluster(made, draft, 'all')
    await moveInto(draft, folder)
  } finally {
    await rm(drafts, { recursive: true, force: true })
  }
}

async function moveInto(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder)
  } catch (error) {
    // Another process was first.
    if ((await keptCluster(folder)) !== null) return
    if (!(error instanceof Error && 'code' in error && ['ENOTEMPTY', 'EEXIST'].includes(String(error.code))))
      throw error
    await rm(folder, { recursive: true })
    await rename(draft, folder)
  }
}

/**
 * A new one in a folder that is not there or empty: by a process of its own, whose memory goes back to the system with it,
 * and which ends when its input does: with us.
 */
export function makeCluster(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const program = [fileURLToPath(workerFile), folder, ...statements]
    const child = spawn(process.execPath, program, { stdio: ['pipe', 'ignore', 'pipe'] })
    let words = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => {
      words = (words + text).slice(-2_000)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The empty database ${folder} could not be made (code ${code}): ${words.trim()}`))
    })
  })
}
