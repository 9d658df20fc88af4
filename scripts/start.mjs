// `npm start` and `npm run demo`: bundles if the sources are newer, then runs the bundle in this process.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parapet needs Node.js 20.19 or later; this is ${process.versions.node}.`)
  process.exit(1)
}
if (!existsSync(new URL('../node_modules', import.meta.url))) {
  console.error('Run `npm ci` first.')
  process.exit(1)
}
process.setSourceMapsEnabled(true)
const { isConsoleStale, isStale, root } = await import('./stale.mjs')
// In a process of its own: the bundler keeps a helper process that would live as long as the server.
if (isStale())
  await step('Building the server from its sources', () =>
    execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' }),
  )
if (isConsoleStale())
  await step('Building the console', () =>
    execFileSync(process.execPath, [join(root, 'scripts', 'console', 'build.mjs')], { stdio: 'inherit' }),
  ).catch((error) => console.warn(`The server starts without the console: ${error.message}`))
const entry = process.argv.includes('--demo') ? 'demo.mjs' : 'server.mjs'
const { run } = await step('Loading the server', () => import(pathToFileURL(join(root, 'dist', entry)).href))
await run(process.argv.slice(2).filter((argument) => argument !== '--demo'))

/** As start-steps.ts, which is not there before the build. */
async function step(name, work) {
  if (process.argv.includes('--explain')) return work()
  process.stdout.write(`${name} … `)
  const began = performance.now()
  const result = await work()
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  return result
}
