// `npm run start:confined`: the server under Node's permission model. It can start no process and write nowhere but in
// its own folders.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { flagsFor, foldersOf } from './confined/flags.mjs'
import { isConsoleStale, isStale, root } from './stale.mjs'

const build = join(root, 'scripts', 'build.mjs')
// Before: the confined process may not start the bundler.
if (isStale()) execFileSync(process.execPath, [build], { stdio: 'inherit' })
if (isConsoleStale())
  execFileSync(process.execPath, [join(root, 'scripts', 'console', 'build.mjs')], { stdio: 'inherit' })
if (!process.env.PARAPET_DATABASE_URL) {
  // Before, too: a new embedded database is a copy of an empty one, which takes a process to make.
  const { keepCluster } = await import(pathToFileURL(join(root, 'dist', 'empty-cluster.mjs')).href)
  await keepCluster().catch((error) => {
    console.warn(`A new embedded database cannot be made: ${error.message}`)
  })
}
const folders = foldersOf(process.env)
for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 })
const start = join(root, 'scripts', 'start.mjs')
const server = spawn(process.execPath, [...flagsFor(process.versions.node, folders), start, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => server.kill(name))
server.once('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
