// Bundles the server into dist/. Native and WASM packages stay outside the bundle: their files sit beside their code. So does
// gpt-tokenizer, of whose megabytes only a thread that counts reads some; it is loaded by name, which a bundler cannot see.
// Keeps an empty database among the packages, of which each new embedded one is a copy: a server writes nothing there.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const external = ['@electric-sql/pglite', '@node-rs/argon2', 'pg-native']

/** Entry points of threads: files of their own beside the program, in the sources as in the bundle. */
const threads = {
  'pglite-worker': 'apps/server/src/kernel/db/adapters/pglite-worker.mjs',
  thread: 'apps/server/src/thread.ts',
  'unpack-thread': 'apps/server/src/kernel/unpack/room/thread.ts',
}

const entries = { server: 'apps/server/src/main.ts', demo: 'apps/server/src/demo/main.ts' }
export const emptyCluster = { 'empty-cluster': 'apps/server/src/kernel/db/adapters/empty-cluster.ts' }

/** @param folder of a bundle that has `emptyCluster` */
export async function keepCluster(folder) {
  const { keepCluster } = await import(pathToFileURL(join(root, folder, 'empty-cluster.mjs')).href)
  await keepCluster()
}

/** Bundles entry points, by name, into a folder; with plugins of esbuild where a measurement leaves something out. */
export async function bundle(entryPoints, outdir, plugins = []) {
  await build({
    absWorkingDir: root,
    entryPoints: { ...entryPoints, ...threads },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    // Node has them since version 10; written otherwise, each use of such a pattern builds it anew.
    supported: { 'regexp-unicode-property-escapes': true },
    format: 'esm',
    sourcemap: true,
    // Node keeps each map in memory from the start. Without the sources' texts, which lie beside it, and without
    // whitespace the server holds some tens of megabytes less.
    sourcesContent: false,
    minifyWhitespace: true,
    logLevel: 'warning',
    external,
    plugins,
    // CommonJS packages inside an ESM bundle still ask for these.
    banner: {
      js: "import { createRequire as bundleRequire } from 'node:module'; import { dirname as bundleDirname } from 'node:path'; import { fileURLToPath as bundleFile } from 'node:url'; const require = bundleRequire(import.meta.url); const __filename = bundleFile(import.meta.url); const __dirname = bundleDirname(__filename);",
    },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle({ ...entries, ...emptyCluster }, 'dist')
  await keepCluster('dist').catch((error) => {
    // A server makes its own, and one on PostgreSQL needs none.
    console.warn(`The first start of an embedded database will take longer: ${error.message}`)
  })
}
