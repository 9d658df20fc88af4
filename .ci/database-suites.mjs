// Names the test files of the server that run on the database which PARAPET_TEST_DB names: those that reach the opener of
// test databases. Suites that open servers of every kind by themselves have run on all of them already.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = 'apps/server'
const opener = path.join(root, 'test/support/database.ts')
const known = new Map()

function importsOf(file) {
  const imports = known.get(file) ?? readImports(file)
  known.set(file, imports)
  return imports
}

function readImports(file) {
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map(([, to]) =>
    path.join(path.dirname(file), to),
  )
}

function reachesOpener(file) {
  const seen = new Set([file])
  // What is added while the set is walked is walked too.
  for (const each of seen) for (const to of importsOf(each)) seen.add(to)
  return seen.has(opener)
}

const choosesItself = (file) =>
  /\/test\/(?:crash|multi)\/|\/faults\/database\.test/.test(file) || /\bserverKinds\b/.test(readFileSync(file, 'utf8'))

/**
 * What these judge is decided before a database is asked: forms of requests, documents, patterns, pages of instructions,
 * what is in memory.
 */
const judgesForms = (file) =>
  /\/test\/(?:generated\/(?:mutations|documents|markup)\.test|docs\/|fuzz\/|patterns\/|borders\/)/.test(file) ||
  /\/test\/(?:secrets\/memory|kernel\/(?:series|slow-clients))\.test/.test(file)

/** What these judge is between the client and the model; their statements are those of the suites that run. */
const judgesCalls = (file) => /\/modules\/gateway\/(?!requests|kill|records|policies)[^/]+\.test\.ts$/.test(file)

const files = readdirSync(root, { recursive: true })
  .map((name) => path.join(root, name))
  .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
  .sort()
console.log(
  files
    .filter((file) => reachesOpener(file) && !choosesItself(file) && !judgesForms(file) && !judgesCalls(file))
    .join('\n'),
)
