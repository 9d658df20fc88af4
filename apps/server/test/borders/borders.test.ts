import { expect, test } from 'vitest'
import { modules } from '../../src/modules.ts'
import { tokensOf } from '../patterns/collect.ts'
import { type SourceFile, sources } from './sources.ts'

const server = sources('apps/server/src')
const kernel = server.filter((file) => file.path.startsWith('apps/server/src/kernel/'))
const inModules = server.filter((file) => file.path.startsWith('apps/server/src/modules/'))
const packages = sources('packages')

/**
 * Calls allowed between modules, through `api.ts` only, as the manifests declare. Any module may use a port's key:
 * the assembly checks needed and filled ports at start, and ports exist to allow circles. All else goes by event.
 */
const arrows = new Map<string, readonly string[]>(modules.map(({ name, uses }) => [name, uses]))

function moduleOf(path: string): string | null {
  return /^apps\/server\/src\/modules\/([a-z-]+)\//.exec(path)?.[1] ?? null
}

function breaches(
  files: readonly SourceFile[],
  wrong: (target: string, file: SourceFile) => boolean,
): readonly string[] {
  return files.flatMap((file) =>
    file.imports.filter((target) => wrong(target, file)).map((target) => `${file.path} imports ${target}`),
  )
}

test('the scanner sees the sources it judges', () => {
  expect(kernel.length).toBeGreaterThan(50)
  expect(inModules.length).toBeGreaterThan(30)
  expect(kernel.some((file) => file.imports.includes('fastify'))).toBe(true)
})

test('packages import nothing from the server, and pure packages nothing from Node', () => {
  expect(breaches(packages, (target) => target.startsWith('apps/') || target.startsWith('@parapet/server'))).toEqual([])
  const pure = packages.filter(
    ({ path }) =>
      /^packages\/(?:detect|graph|quant)\/src/.test(path) && !path.startsWith('packages/detect/src/adapters'),
  )
  for (const name of ['graph', 'quant']) {
    expect(pure.some(({ path }) => path.startsWith(`packages/${name}/src`))).toBe(true)
  }
  expect(breaches(pure, (target) => target.startsWith('node:'))).toEqual([])
})

test('quant and graph take neither time nor randomness from the machine', () => {
  const forbidden = /\bprocess\.|\bDate\b|\bperformance\.|\bMath\.random\b|\bcrypto\b|\bset(?:Timeout|Interval)\(/
  const seeded = packages.filter(({ path }) => /^packages\/(?:graph|quant)\/src/.test(path))
  expect(seeded.filter(({ text }) => forbidden.test(withoutComments(text))).map(({ path }) => path)).toEqual([])
})

test('simulation and exact engine call no Math function whose last bit an engine may choose', () => {
  const inexact = /\bMath\.(?!(?:abs|floor|ceil|round|trunc|sqrt|min|max|imul|clz32|fround|sign|[A-Z][A-Z0-9_]*)\b)\w+/
  const deterministic = packages.filter(({ path }) =>
    /^packages\/quant\/src\/(?:numeric|random|distributions|loss|sampling|summary|dependence|sensitivity)\//.test(path),
  )
  expect(deterministic.length).toBeGreaterThan(0)
  expect(deterministic.filter(({ text }) => inexact.test(withoutComments(text))).map(({ path }) => path)).toEqual([])
})

test('the kernel imports no module', () => {
  expect(breaches(kernel, (target) => target.startsWith('apps/server/src/modules'))).toEqual([])
})

test('a module imports of another one its ports, and along the arrows its api.ts', () => {
  const wrong = breaches(inModules, (target, file) => {
    const from = moduleOf(file.path)
    const to = moduleOf(target)
    if (to === null || from === null || to === from) return false
    const theirs = `apps/server/src/modules/${to}/`
    return !target.startsWith(`${theirs}ports/`) && !(arrows.get(from)?.includes(to) && target === `${theirs}api.ts`)
  })
  expect(wrong).toEqual([])
})

test('ports are keys and types: their files import the kernel and each other', () => {
  const ports = inModules.filter(({ path }) => /^apps\/server\/src\/modules\/[a-z-]+\/ports\//.test(path))
  expect(ports.length).toBeGreaterThan(0)
  const wrong = breaches(ports, (target, { path }) => {
    const own = path.slice(0, path.lastIndexOf('/') + 1)
    return !target.startsWith('apps/server/src/kernel/') && !target.startsWith(own)
  })
  expect(wrong).toEqual([])
})

test('what a manifest says its module uses, the module imports', () => {
  const unused = [...arrows].flatMap(([from, uses]) =>
    uses.filter((to) => {
      const api = `apps/server/src/modules/${to}/api.ts`
      return !inModules.some((file) => moduleOf(file.path) === from && file.imports.includes(api))
    }),
  )
  expect(unused).toEqual([])
})

test('C31 drivers, the HTTP server and the machine are used in the kernel only', () => {
  const kernelOnly = new Set([
    'pg',
    'fastify',
    'iovalkey',
    'undici',
    'ws',
    'pino',
    'prom-client',
    '@electric-sql/pglite',
    'node:fs',
    'node:fs/promises',
    'node:net',
    'node:http',
    'node:https',
    'node:child_process',
    'node:worker_threads',
  ])
  expect(breaches(inModules, (target) => kernelOnly.has(target))).toEqual([])
})

test('C50 modules take time, randomness, settings and the network from the kernel', () => {
  const forbidden =
    /\bprocess\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|(?<![.\w])fetch\(|\bsetTimeout\(|\bsetInterval\(|\bperformance\.now\(|import \{[^}]*\brandom\w+[^}]*\} from 'node:crypto'/
  const found = inModules.filter((file) => forbidden.test(withoutComments(file.text))).map((file) => file.path)
  expect(found).toEqual([])
})

/** Words of a source text that turn text into code, outside strings and patterns. */
function codeFromText(text: string): readonly string[] {
  const tokens = [...tokensOf(text)].map((token) => token.text)
  return tokens.flatMap((word, at) => {
    const [before, after] = [tokens[at - 1] ?? '', tokens[at + 1] ?? '']
    const isCall = after === '(' && before !== '.' && before !== '?.'
    if (word === 'eval' && isCall) return [word]
    if (word === 'Function' && (isCall || before === 'new')) return [`${before} ${word}`]
    return /^['"`](?:node:)?vm['"`]$/.test(word) && /^(?:from|import|\(|require)$/.test(before) ? [word] : []
  })
}

test('C31 no source makes code from text', () => {
  expect(
    codeFromText("eval(x); new Function('a'); Function(x); import { Script } from 'node:vm'; import('vm')"),
  ).toHaveLength(5)
  const harmless = 'client.eval(script); say("eval(x)"); /eval(x)/.test(y); `new Function(1)`'
  expect(codeFromText(harmless)).toEqual([])
  const found = [...server, ...packages].flatMap(({ path, text }) =>
    codeFromText(text).map((what) => `${path}: ${what}`),
  )
  expect(found).toEqual([])
})

test('settings are read from the environment in kernel/config and the entry points only', () => {
  const readers = server.filter((file) => /process\.env\b/.test(withoutComments(file.text))).map((file) => file.path)
  expect(readers.filter((path) => !/kernel\/config\/|src\/(?:demo\/)?main\.ts$/.test(path))).toEqual([])
})

test('SQL names tables of its own module only', () => {
  const owners = new Map(modules.flatMap((module) => module.tables.map((table) => [table.name, module.name] as const)))
  const wrong = inModules.flatMap((file) =>
    [...withoutComments(file.text).matchAll(/\b(?:from|join|into|update)\s+([a-z][a-z0-9_]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => owners.has(name) && owners.get(name) !== moduleOf(file.path))
      .map((name) => `${file.path} names ${name}`),
  )
  expect(wrong).toEqual([])
})

test('no source file is longer than 250 lines', () => {
  const long = [...server, ...packages].filter(
    (file) => file.text.split('\n').length > 251 && !/\bsize waiver:/.test(file.text),
  )
  expect(long.map((file) => `${file.path}: ${file.text.split('\n').length}`)).toEqual([])
})

test('types are not switched off', () => {
  const escapes = [...server, ...packages].flatMap((file) =>
    [...withoutComments(file.text).matchAll(/:\s+any\b|\bas any\b|@ts-ignore|@ts-expect-error|@ts-nocheck/g)].map(
      (match) => `${file.path}: ${match[0]}`,
    ),
  )
  expect(escapes.filter((line) => !line.startsWith('apps/server/src/kernel/errors/errors.ts'))).toEqual([])
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '')
}
