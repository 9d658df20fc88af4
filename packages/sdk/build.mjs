// Writes JavaScript and types to dist/, which is what is published and what an installation from this folder uses: npm
// runs it as `prepare` then. Inside the workspace the sources are used as they are (`paths` in tsconfig.json).
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const compiler = here('../../node_modules/typescript/bin/tsc')
if (!existsSync(compiler)) {
  process.stderr.write('@parapet/sdk is compiled from its sources: run `npm ci` in the repository first.\n')
  process.exit(1)
}
// An import of the package meanwhile finds the old files or the new ones.
const fresh = `dist-${process.pid}`
const { status } = spawnSync(process.execPath, [compiler, '-p', here('tsconfig.build.json'), '--outDir', here(fresh)], {
  stdio: 'inherit',
})
if (status === 0) {
  rmSync(here('dist'), { recursive: true, force: true })
  renameSync(here(fresh), here('dist'))
} else rmSync(here(fresh), { recursive: true, force: true })
process.exitCode = status ?? 1
