// Writes what is published to dist/: JavaScript, types and a package.json whose exports point at them. Inside the
// workspace the sources are used as they are; `npm publish packages/sdk/dist` sends this folder.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
rmSync(here('dist'), { recursive: true, force: true })
const compiler = here('../../node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', here('tsconfig.build.json')], { stdio: 'inherit' })
if (status !== 0) process.exit(1)
const { scripts, ...manifest } = JSON.parse(readFileSync(here('package.json'), 'utf8'))
const exports = { '.': { types: './index.d.ts', default: './index.js' } }
writeFileSync(here('dist/package.json'), `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`)
for (const name of ['README.md', '../../LICENSE']) copyFileSync(here(name), here(`dist/${name.split('/').at(-1)}`))
