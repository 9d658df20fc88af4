import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g

/** TypeScript sources below a folder, tests and their support left out. */
export function sources(folder: string): readonly SourceFile[] {
  return filesBelow(join(repository, folder))
    .filter((path) => path.endsWith('.ts') && !isTest(path))
    .map((path) => {
      const text = readFileSync(path, 'utf8')
      return { path: relative(repository, path), text, imports: importsOf(path, text) }
    })
}

/** The suites below a folder. */
export function suites(folder: string): readonly Pick<SourceFile, 'path' | 'text'>[] {
  return filesBelow(join(repository, folder))
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => ({ path: relative(repository, path), text: readFileSync(path, 'utf8') }))
}

function isTest(path: string): boolean {
  return /\.test\.ts$|contract\.ts$|\/test(?:ing)?[-/]|test-[a-z-]+\.ts$/.test(path.slice(repository.length))
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** Import targets: repository paths for relative ones, package names for the rest. */
function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(importPattern)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? ''
    return target.startsWith('.') ? relative(repository, resolve(dirname(path), target)) : target
  })
}
