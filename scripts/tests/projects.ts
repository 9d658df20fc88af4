/**
 * Sorts test files into Vitest projects by their place and their imports, so that no list has to be kept:
 *
 * - `system`: everything in a package's `test/` folder (crash, several instances, fuzz, generated matrices, documents), and
 *   tests beside the code that start an installation of their own. They are a tenth of the tests and half of the time.
 * - `module`: other tests beside the code that reach the opener of test databases through their imports.
 * - `unit`: all other tests beside the code. They need no database.
 *
 * Tested in apps/server/test/borders/test-projects.test.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const projectNames = ['unit', 'module', 'system'] as const
export type ProjectName = (typeof projectNames)[number]

/** Calls and types of `apps/server/test/support` and of the database adapters that mean an installation of one's own. */
const ownInstallation = /\b(?:OwnWorld|openTestDatabase|startProgram|openPglite|startThread)\b|\bopenWorld\((?!\))/

const opener = 'apps/server/test/support/database.ts'
const folders = ['src', 'train', 'eval', 'test']

/** Paths relative to the repository root, which is also `root` seen from the working directory. */
export interface TestFiles {
  readonly all: readonly string[]
  projectOf(file: string): ProjectName
  reachesDatabase(file: string): boolean
}

/** Reads the names and the imports of all test files. @param root the repository */
export function readTestFiles(root: string): TestFiles {
  const reaches = reachesIn(root, opener)
  const all = ['apps', 'packages']
    .flatMap((kind) =>
      readdirSync(join(root, kind)).flatMap((name) => folders.map((part) => `${kind}/${name}/${part}`)),
    )
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .sort()
  return {
    all,
    reachesDatabase: reaches,
    projectOf: (file) => {
      if (/^[^/]+\/[^/]+\/test\//.test(file) || ownInstallation.test(readFileSync(join(root, file), 'utf8')))
        return 'system'
      return reaches(file) ? 'module' : 'unit'
    },
  }
}

function reachesIn(root: string, goal: string): (file: string) => boolean {
  const known = new Map<string, readonly string[]>()
  const importsOf = (file: string): readonly string[] => {
    const imports = known.get(file) ?? readImports(root, file)
    known.set(file, imports)
    return imports
  }
  return (file) => {
    const seen = new Set([file])
    // Files added during the walk are walked too.
    for (const each of seen) for (const to of importsOf(each)) seen.add(to)
    return seen.has(goal)
  }
}

function readImports(root: string, file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)]
    .map(([, to = '']) => normalize(join(dirname(file), to)))
    .filter((path) => existsSync(join(root, path)))
}
