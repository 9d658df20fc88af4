/** The how-to page on modules, done as a newcomer would: its commands run in a copy of the sources, and end green. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repository } from '../borders/sources.ts'
import { blocksOf } from '../docs/page.ts'

const page = readFileSync(join(repository, 'docs/how-to/add-a-module.md'), 'utf8')
const commands = blocksOf(page)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'))

const copied = [
  ...['apps', 'scripts', 'docs/reference', '.gitignore', 'biome.json', 'package.json', 'vitest.config.ts'],
]
const linked = ['node_modules', 'packages']

/** Of the modules, those that a program needs: the page's own may have been built by now. */
const needed = ['iam', 'admin', 'compliance', 'aegis', 'gateway', 'trust', 'platform']

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parapet-new-module-'))
  const modules = join(repository, 'apps/server/src/modules')
  const left = readdirSync(modules)
    .filter((name) => !needed.includes(name))
    .map((name) => join(modules, name))
  const filter = (path: string) => !left.includes(path)
  for (const path of copied) cpSync(join(repository, path), join(folder, path), { recursive: true, filter })
  for (const path of linked) symlinkSync(join(repository, path), join(folder, path))
  writeFileSync(join(folder, 'apps/server/src/modules.ts'), listOf(needed))
  const name = /new-module -- (\S+)/.exec(page)?.[1]
  const include = ['apps/server/src/modules.ts', `apps/server/src/modules/${name}`]
  const options = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'))
  // Typings of tools give the whole project the names of the platform, WebAssembly among them; here they are not read.
  options.compilerOptions.lib.push('DOM')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, include }))
})

function listOf(names: readonly string[]): string {
  const imports = names.toSorted().map((name) => `import ${name} from './modules/${name}/index.ts'\n`)
  return `import type { Module } from './kernel/module/module.ts'
${imports.join('')}
/** Every module, each after those it uses. */
export const modules: readonly Module[] = [${names.join(', ')}]
`
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number
  readonly output: string
}

/** A run of tests inside one must not take the outer one for its own. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))

async function sh(command: string): Promise<Ended> {
  const options = {
    cwd: folder,
    env: { ...environment, NO_COLOR: '1', PARAPET_TEST_MODULE_CACHE: 'off' },
    maxBuffer: 16 * 1_048_576,
  }
  const run = promisify(execFile)('sh', ['-c', command], options)
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  )
}

const sourceOf = (path: string) => readFileSync(join(folder, 'apps/server/src', path), 'utf8')
const everyModule = () => readdirSync(join(folder, 'apps/server/src/modules')).sort()

test.each([
  ['a module without permissions', 'payroll item', /no module "payroll"/],
  ['a module that is there', 'iam item', /a folder apps\/server\/src\/modules\/iam already/],
  ['no resource', 'risk', /at least one resource/],
  ['a resource in the plural', 'risk scenarios', /"scenarios" cannot name a resource: write it in the singular/],
  ['a resource in capitals', 'risk Scenario', /"Scenario" cannot name a resource/],
  ['a resource named twice', 'risk item item', /item is named twice/],
  ['the parameter of another module', 'risk role', /has a parameter \{role_id\} already/],
])('%s is refused and nothing is written', async (_what, names, message) => {
  const before = [everyModule(), sourceOf('modules.ts')]
  const { code, output } = await sh(`npm run -s new-module -- ${names}`)
  expect(output).toMatch(message)
  expect(code).toBe(1)
  expect([everyModule(), sourceOf('modules.ts')]).toEqual(before)
})

test('a module of two resources is written by the commands of the page and passes tests, types, lint and walls', async () => {
  expect(commands[0]).toMatch(/^npm run new-module -- [a-z-]+ [a-z_]+ [a-z_]+$/)
  for (const command of commands) {
    const { code, output } = await sh(command)
    if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
  }
}, 900_000)
