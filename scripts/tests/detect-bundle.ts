/**
 * Bundles `@parapet/detect` for the test run. Its tables and its model are several megabytes of source: as one file that
 * Node loads by itself they are transformed once per content and not once per process.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

interface Manifest {
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Aliases for Vite: the package's names and the files that stand for them. @param root the repository */
export async function detectAliases(root: string): Promise<{ find: RegExp; replacement: string }[]> {
  const source = join(root, 'packages/detect')
  const manifest: Manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const folder = join(root, 'node_modules/.cache/parapet-detect')
  const bundle = join(folder, keyOf(source))
  if (!existsSync(bundle)) {
    forgetOld(folder)
    await bundleInto(bundle, source, manifest)
  }
  return Object.keys(manifest.exports).map((name) => ({
    find: new RegExp(`^${join('@parapet/detect', name)}$`),
    replacement: join(bundle, `${fileOf(name)}.mjs`),
  }))
}

const fileOf = (name: string): string => (name === '.' ? 'index' : name.slice(2))

function keyOf(source: string): string {
  const files = readdirSync(join(source, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of [join(source, 'package.json'), ...files]) hash.update(`${file}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 20)
}

/** Made under another name and renamed, so that a bundle that exists is complete. */
async function bundleInto(place: string, source: string, manifest: Manifest): Promise<void> {
  mkdirSync(dirname(place), { recursive: true })
  const draft = mkdtempSync(`${place}-`)
  const entryPoints = Object.entries(manifest.exports).map(([name, file]) => [fileOf(name), join(source, file)])
  await build({
    entryPoints: Object.fromEntries(entryPoints),
    outdir: draft,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // The adapters share one copy of the engine with the index.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    sourcemap: 'linked',
    logLevel: 'warning',
    external: [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)],
  })
  try {
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another run was first.
    if (!existsSync(place)) throw error
  }
}

const dayMs = 86_400_000

function forgetOld(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > dayMs) rmSync(path, { recursive: true, force: true })
  }
}
