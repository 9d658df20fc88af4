/** Only reviewed packages are installed: the lock file, the manifests and the page of reasons agree. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../borders/sources.ts'

interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(read('package-lock.json'))
const locked = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const manifests = [
  '.',
  'apps/console',
  'apps/server',
  'packages/detect',
  'packages/graph',
  'packages/quant',
  'packages/sdk',
].map((folder): Manifest => JSON.parse(read(`${folder}/package.json`)))
const direct = manifests
  .flatMap(({ dependencies, devDependencies }) => Object.entries({ ...dependencies, ...devDependencies }))
  .filter(([name]) => !name.startsWith('@parapet/'))

const accepted = new Set([
  'BSD-2-Clause',
  ...['MIT', 'MIT License', 'MIT-0', 'ISC', '0BSD', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense'],
  ...['MIT OR Apache-2.0', '(Apache-2.0 AND BSD-3-Clause)', 'MPL-2.0', 'MIT AND OFL-1.1'],
  // Of packages that only tests use: of the first, MIT is what we take.
  ...['(MIT OR GPL-3.0-or-later)', '(MIT AND Zlib)'],
])
/**
 * Their packages name no license in the manifest. Only tests use the first three: one says in its README that it is under
 * MIT, the repository of the others is under Apache-2.0. png-js has the text of the MIT license beside its code.
 */
const unnamed = [
  'node_modules/@modelcontextprotocol/server-everything',
  ...['node_modules/@openfeature/ofrep-core', 'node_modules/@openfeature/ofrep-provider'],
  'node_modules/png-js',
]

test('C80 every package is locked with its digest and comes from the registry', () => {
  expect(locked.length).toBeGreaterThan(100)
  const loose = locked.filter(
    ([, { integrity, resolved }]) =>
      !integrity?.startsWith('sha512-') || (resolved !== undefined && !resolved.startsWith('https://registry.')),
  )
  expect(loose).toEqual([])
})

/**
 * Packages that run with the server, with all that they bring, and those that a developer or CI runs besides. More than
 * that is a decision: raise the number with the reason for it in docs/dependencies.md.
 */
const most = { direct: 57, running: 215, all: 581 }

test('C80 there are no more packages than were decided on', () => {
  const running = locked.filter(([, { dev }]) => dev !== true)
  expect(running.length).toBeGreaterThan(50)
  expect(running.length).toBeLessThanOrEqual(most.running)
  expect(locked.length).toBeLessThanOrEqual(most.all)
  const named = manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies))
  expect(new Set(named.filter((name) => !name.startsWith('@parapet/'))).size).toBeLessThanOrEqual(most.direct)
})

test('C80 every package has a license we accept', () => {
  const others = locked.filter(([, { license }]) => license === undefined || !accepted.has(license))
  expect(others.map(([path]) => path)).toEqual(unnamed)
})

test('C80 no install script runs, and one package has one', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  expect(scripts.map(([path]) => path)).toEqual(['node_modules/esbuild'])
})

test('C80 every direct dependency has one version and a reason, and every reason a dependency', () => {
  expect(direct.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  const names = new Set(direct.map(([name]) => name).filter((name) => !name.startsWith('@types/')))
  const explained = reasons()
  expect([...names].filter((name) => !explained.has(name))).toEqual([])
  const optional = new Set(manifests.flatMap(({ peerDependencies = {} }) => Object.keys(peerDependencies)))
  expect([...explained].filter((name) => !names.has(name) && !optional.has(name) && name !== '@types/*')).toEqual([])
})

/** The names in the first column of the tables, where a scope is written once and parts may stand in braces. */
function reasons(): ReadonlySet<string> {
  const cells = [...read('docs/dependencies.md').matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  return new Set(cells.filter((cell) => cell !== 'Package').flatMap(namesIn))
}

function namesIn(cell: string): readonly string[] {
  let scope = ''
  return cell.split(/, (?![^{]*\})/).flatMap((part) => {
    const [name = ''] = part.split(' ')
    if (name.startsWith('@')) scope = name.slice(0, name.indexOf('/') + 1)
    else if (!manifestNames.has(name)) return expand(scope + name)
    return expand(name)
  })
}

const manifestNames = new Set(direct.map(([name]) => name))

function expand(name: string): readonly string[] {
  const [whole, inside = ''] = /\{([^}]*)\}/.exec(name) ?? []
  return whole === undefined ? [name] : inside.split(',').flatMap((part) => expand(name.replace(whole, part)))
}
