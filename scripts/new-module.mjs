/**
 * Writes a new module that runs: its folder below apps/server/src/modules and its line in modules.ts.
 *
 *   npm run new-module -- <name> <resource> [<resource>…]
 *
 * The name is one of the twelve that have permissions (kernel/access/permissions.ts); resources are nouns in the singular,
 * as in `npm run new-module -- risk scenario risk_control`. A wrong name is told of and nothing is written.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleNames } from '../apps/server/src/kernel/access/permissions.ts'
import { SIGNALS } from '../apps/server/src/modules/trust/engine/signals.ts'
import { moduleFiles } from './new-module/module-files.mjs'
import { moduleOf, namingFault } from './new-module/names.mjs'
import { withModule } from './new-module/registration.mjs'
import { resourceFiles } from './new-module/resource-files.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'apps/server/src')
const list = join(source, 'modules.ts')

const [name = '', ...resources] = process.argv.slice(2)
const folder = join(source, 'modules', name)
const fault = namingFault({ name, resources, moduleNames }) ?? placeFault()
if (fault !== null) {
  console.error(`${fault}\nUsage: npm run new-module -- <name> <resource> [<resource>…]`)
  process.exit(1)
}
const made = moduleOf(name, resources, signalOf(name))
const draft = `${folder}.draft`
try {
  const files = { ...moduleFiles(made), ...Object.assign({}, ...made.resources.map((one) => resourceFiles(made, one))) }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(draft, path)), { recursive: true })
    writeFileSync(join(draft, path), text)
  }
  format(draft)
  const registered = withModule(readFileSync(list, 'utf8'), made)
  renameSync(draft, folder)
  writeFileSync(list, registered)
} finally {
  rmSync(draft, { recursive: true, force: true })
}
console.log(
  `apps/server/src/modules/${name} is written and stands in modules.ts. Its next steps: docs/how-to/add-a-module.md`,
)
if (made.signal === null)
  console.log(
    `The trust score knows no signal of ${name} (modules/trust/engine/signals.ts), so the module reports none.`,
  )

/** Lines break and imports are sorted by the length and the letters of the names, so the formatter has the last word. */
function format(place) {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  execFileSync(process.execPath, [biome, 'check', '--write', place], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** The folder is there, or another module's paths use the name of a resource: tests know resources by that parameter. */
function placeFault() {
  if (existsSync(folder)) return `There is a folder apps/server/src/modules/${name} already.`
  const routes = readdirSync(join(source, 'modules'), { recursive: true }).filter((path) => /\.routes\.ts$/.test(path))
  for (const path of routes) {
    const text = readFileSync(join(source, 'modules', path), 'utf8')
    const taken = resources.find((resource) => text.includes(`{${resource}_id}`))
    if (taken !== undefined) return `${path} has a parameter {${taken}_id} already: give the resource another name.`
  }
  return null
}

/** The first state signal of the module that the trust score knows, with its formula; null when it knows none. */
function signalOf(module) {
  const found = Object.entries(SIGNALS).find(
    ([, signal]) => signal.source === module.replaceAll('-', '_') && signal.class === 'state',
  )
  return found === undefined ? null : { id: found[0], formula: found[1].formula }
}
