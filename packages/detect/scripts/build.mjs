// Writes dist/: a folder that can be published as it is, with bundles, declarations and a package.json of its own.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(dirname(fileURLToPath(import.meta.url)))
const root = join(here, '../..')

/** What others may import, by the name under which they do. */
const entries = {
  '.': 'src/index.ts',
  './onnx': 'src/adapters/onnx.ts',
  './http': 'src/adapters/http.ts',
}
const fileOf = (name) => (name === '.' ? 'index' : name.slice(2))

/** Builds into a folder, by default dist/. */
export async function buildPackage(out = join(here, 'dist')) {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const source = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  await bundle(out, [...Object.keys(source.dependencies), ...Object.keys(source.peerDependencies ?? {})])
  declare(out)
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifestOf(source), null, 2)}\n`)
  cpSync(join(here, 'README.md'), join(out, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'))
  return out
}

/** Splitting lets the command and the adapters share one copy of the engine and its model. */
function bundle(out, packages) {
  const points = Object.entries(entries).map(([name, file]) => [fileOf(name), file])
  return build({
    absWorkingDir: here,
    entryPoints: { ...Object.fromEntries(points), 'bin/detect-eval': 'bin/detect-eval.ts' },
    outdir: out,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    charset: 'utf8',
    logLevel: 'warning',
    external: [...packages, 'node:*'],
  })
}

/** Declarations of everything that the entry points show, in the folders of their sources. */
function declare(out) {
  const types = join(out, 'types')
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const options = [
    ...['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--allowImportingTsExtensions', 'false'],
    ...['--rewriteRelativeImportExtensions', '--rootDir', join(here, 'src'), '--outDir', types],
    ...['--target', 'ES2023', '--lib', 'ES2023,ES2024.String', '--module', 'NodeNext', '--types', 'node'],
    ...['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--ignoreConfig'],
  ]
  const files = Object.values(entries).map((file) => join(here, file))
  execFileSync(process.execPath, [tsc, ...options, ...files], { cwd: root, stdio: 'inherit' })
  keepReachable(types)
}

const imported = /(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g

/** Most declarations describe inner parts; only those that the entry points lead to are shipped. */
function keepReachable(types) {
  const shown = new Set()
  const waiting = Object.values(entries).map((file) => join(types, `${declarationOf(file)}.d.ts`))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (shown.has(file)) continue
    shown.add(file)
    const text = readFileSync(file, 'utf8').replaceAll(imported, '$1$2$3.js$2')
    writeFileSync(file, text)
    for (const [, path] of text.matchAll(/(?:from |import\()['"](\.{1,2}\/[^'"]+)\.js['"]/g)) {
      waiting.push(join(dirname(file), `${path}.d.ts`))
    }
  }
  for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && !shown.has(file)) rmSync(file)
  }
}

const declarationOf = (file) => file.replace(/^src\//, '').replace(/\.ts$/, '')

function manifestOf({ name, version, license, description, ...needs }) {
  const { dependencies, peerDependencies, peerDependenciesMeta } = needs
  const exported = Object.entries(entries).map(([path, file]) => [
    path,
    { types: `./types/${declarationOf(file)}.d.ts`, default: `./${fileOf(path)}.js` },
  ])
  return {
    name,
    version,
    license,
    description,
    type: 'module',
    engines: { node: '>=20.19.0' },
    sideEffects: false,
    exports: Object.fromEntries(exported),
    bin: { 'detect-eval': 'bin/detect-eval.js' },
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackage()
