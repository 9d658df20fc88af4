/**
 * The embedded database's own thread: takes protocol bytes, answers protocol bytes, and knows nothing else. Plain
 * JavaScript without imports of ours, so that the same file runs from the source tree, under the test runner and
 * beside the bundle without a loader. Started as a process with a folder and statements it makes a new cluster there,
 * executes them and ends, at the latest with its input: that work's memory (about 800 MB at its peak) then goes back to
 * the system. Tested in pglite.test.ts and empty-cluster.test.ts.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { EmscriptenBuiltinFilesystem } from '@electric-sql/pglite/basefs'

// 32 MB instead of 128 MB of shared buffers: 150 MB less resident, and the working set of an embedded installation fits.
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

/** @param {{ dataDir: string | null, cluster: string | null, engine?: object }} options */
function open({ dataDir, cluster, engine }) {
  // The engine refuses a folder for ever whose lock file a killed start created and did not write. Ours is beside the folder.
  if (dataDir !== null) rmSync(join(dataDir, 'postmaster.pid'), { force: true })
  const place = cluster === null ? { dataDir: dataDir ?? 'memory://' } : { fs: new CopyInMemory(cluster) }
  return PGlite.create({ ...place, startParams, ...engine })
}

/** Memory in which the files of a cluster are before the engine looks for them. */
class CopyInMemory extends EmscriptenBuiltinFilesystem {
  #cluster

  /** @param {string} cluster folder */
  constructor(cluster) {
    super()
    this.#cluster = cluster
  }

  /** @param {PGlite} pg @param {{ preRun?: object[] }} options of Emscripten */
  async init(pg, options) {
    this.pg = pg
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), ({ FS }) => this.#fill(FS)] } }
  }

  #fill(files) {
    files.mkdirTree(PGlite.paths.PGDATA)
    for (const entry of readdirSync(this.#cluster, { recursive: true, withFileTypes: true })) {
      const from = join(entry.parentPath, entry.name)
      const to = PGlite.paths.PGDATA + from.slice(this.#cluster.length).replaceAll('\\', '/')
      if (entry.isDirectory()) files.mkdirTree(to)
      else files.writeFile(to, readFileSync(from))
    }
  }

  async closeFs() {
    this.pg.Module.FS.quit()
  }
}

/** @param {PGlite} db @param {Uint8Array | 'close'} request */
async function answer(db, request) {
  if (request instanceof Uint8Array) return request[0] === startup ? db.execProtocolRaw(request) : exchange(db, request)
  await db.close()
  return new Uint8Array()
}

/** First byte of the one message without a type, which the engine answers apart from all others. */
const startup = 0

/**
 * Taken as a stream, because what `execProtocolRaw` answers is also read message by message, and kept, for a caller that
 * does not come: two hundred messages a model call, for ever.
 * @param {PGlite} db @param {Uint8Array} request
 */
async function exchange(db, request) {
  /** @type {Uint8Array[]} */
  const pieces = []
  // A view of the engine's memory, which it writes over.
  await db.execProtocolRawStream(request, { onRawData: (piece) => pieces.push(piece.slice()) })
  if (pieces.length === 1) return pieces[0]
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

async function serve() {
  const db = await open(workerData)
  let last = Promise.resolve()
  parentPort.on('message', (request) => {
    last = last.then(async () => {
      const bytes = await answer(db, request)
      const own =
        bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice()
      parentPort.postMessage(own, [own.buffer])
      if (request === 'close') parentPort.close()
    })
  })
  parentPort.postMessage('ready')
}

if (isMainThread) {
  process.stdin.once('end', () => process.exit(1)).resume()
  const [dataDir, ...statements] = process.argv.slice(2)
  const db = await open({ dataDir, cluster: null })
  for (const statement of statements) await db.exec(statement)
  await db.close()
  process.exit(0)
} else {
  await serve()
}
