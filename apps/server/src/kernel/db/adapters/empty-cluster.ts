/**
 * The beginning of every new embedded database: a cluster without tables and without the template databases, to which
 * the engine cannot connect and whose old transaction numbers would hold back those of the whole cluster for ever.
 * Making it takes seconds of processor time and 800 MB at the peak. So the build and the tests keep one among the
 * packages, which servers copy and never write. Promises that a kept one appears whole, that a damaged one is not used,
 * and that none is removed while another process may be copying it; write access there is as good as write access to
 * the program. Tested in empty-cluster.test.ts.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
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

/** Below a folder that `npm ci` removes. The name says all that decides what is in the clusters there. */
export function emptyClusterFolder(): string {
  const engine = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '..')
  const manifest: { readonly version?: unknown } = JSON.parse(readFileSync(join(engine, 'package.json'), 'utf8'))
  const digest = sha256(statements.join('\n')).slice(0, 8)
  return join(engine, '../../.cache/parapet', `cluster-${String(manifest.version)}-${digest}`)
}

/** The cluster that is kept in the folder, or null where none is whole. */
export async function keptCluster(folder = emptyClusterFolder()): Promise<string | null> {
  const newest = (await numbersIn(folder)).at(-1)
  if (newest === undefined) return null
  const { cluster, contents } = partsOf(join(folder, newest))
  try {
    return (await contentsOf(cluster)) === (await readFile(contents, 'utf8')) ? cluster : null
  } catch {
    return null
  }
}

/** Keeps one where there is none; several processes may do so at once. */
export async function keepCluster(folder = emptyClusterFolder(), make = makeCluster): Promise<void> {
  if ((await keptCluster(folder)) !== null) return
  await mkdir(folder, { recursive: true })
  const drafts = await mkdtemp(join(folder, 'draft-'))
  const [made, draft] = [join(drafts, 'made'), join(drafts, 'draft')]
  const { cluster, contents } = partsOf(draft)
  try {
    await make(made)
    await mkdir(cluster, { recursive: true })
    await copyCluster(made, cluster, 'all')
    await writeFile(contents, await contentsOf(cluster))
    await publish(draft, folder)
  } finally {
    await rm(drafts, { recursive: true, force: true })
  }
}

/**
 * The newest is the one that is used, so a broken one is followed and not replaced: a number that was free when it was
 * looked for is taken by one process, and those that are removed are older than one that is whole.
 */
async function publish(draft: string, folder: string): Promise<void> {
  const older = await numbersIn(folder)
  if ((await keptCluster(folder)) !== null) return
  try {
    await rename(draft, join(folder, String(Number(older.at(-1) ?? 0) + 1)))
  } catch (error) {
    if ((await keptCluster(folder)) === null) throw error
    // Another process was first.
    return
  }
  for (const number of older) await rm(join(folder, number), { recursive: true, force: true })
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

const partsOf = (place: string) => ({ cluster: join(place, 'cluster'), contents: join(place, 'contents') })

async function numbersIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).sort((one, other) => Number(one) - Number(other))
}

/** Every name in it, with the sizes of files: archives lose empty folders, and full disks the ends of files. */
async function contentsOf(cluster: string): Promise<string> {
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true })
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    return `${relative(cluster, path)} ${entry.isFile() ? (await stat(path)).size : 'folder'}\n`
  })
  return (await Promise.all(lines)).sort().join('')
}
