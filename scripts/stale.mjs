// Whether the bundles have to be made again. Apart from build.mjs, so that an ordinary start does not load the bundler.
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const bundles = ['server.mjs', 'demo.mjs', 'pglite-worker.mjs', 'thread.mjs', 'empty-cluster.mjs'].map((name) =>
  join(root, 'dist', name),
)

/** True when a bundle is missing or a source file is newer than the oldest of them. */
export function isStale() {
  const built = Math.min(...bundles.map(modified))
  return (
    built === 0 ||
    ['apps/server/src', 'packages', 'scripts', 'package-lock.json'].some((path) => newest(join(root, path)) > built)
  )
}

const consolePage = join(root, 'dist', 'console', 'index.html')

/** True when the console was not built, or a source file of it is newer. */
export function isConsoleStale() {
  const built = modified(consolePage)
  const sources = ['apps/console', 'packages/sdk/src', 'scripts/console', 'package-lock.json']
  return built === 0 || sources.some((path) => newest(join(root, path)) > built)
}

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  const inside = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'generated')
  return Math.max(0, ...inside.map((name) => newest(join(path, name))))
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
