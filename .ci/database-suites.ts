/**
 * Names the test files of the server that run on the database which PARAPET_TEST_DB names: those that reach the opener of
 * test databases. Suites that open servers of every kind by themselves have run on all of them already.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readTestFiles } from '../scripts/tests/projects.ts'

const choosesItself = (file: string): boolean =>
  /\/test\/(?:crash|multi)\/|\/faults\/database\.test/.test(file) || /\bserverKinds\b/.test(readFileSync(file, 'utf8'))

/**
 * Suites whose subject is decided before a database is asked: forms of requests, documents, patterns, pages of
 * instructions, contents of memory.
 */
const judgesForms = (file: string): boolean =>
  /\/test\/(?:generated\/(?:mutations|documents|markup)\.test|docs\/|fuzz\/|patterns\/|borders\/)/.test(file) ||
  /\/test\/(?:secrets\/memory|kernel\/(?:series|slow-clients))\.test/.test(file)

/** Suites about the way between the client and the model; their statements are those of the suites that run. */
const judgesCalls = (file: string): boolean =>
  /\/modules\/gateway\/(?:audit-checks|endpoints|health|models|registered-providers|routes|policies\/policy-)/.test(
    file,
  )

const { all, reachesDatabase } = readTestFiles('.')
const chosen = all.filter(
  (file) => reachesDatabase(file) && !choosesItself(file) && !judgesForms(file) && !judgesCalls(file),
)

/** Suites with tests that a database kind leaves out run on the embedded one in any case. */
const namesKinds = (file: string): boolean => /PARAPET_TEST_DB|pglite|chosenKind/.test(readFileSync(file, 'utf8'))

/**
 * Two cores have half an hour, so each commit runs one third of the suites on PostgreSQL, as its id says, and there alone;
 * the embedded database has the others (`--embedded` names those it leaves out, `--elsewhere` those whose tests are held in part by other commits). PARAPET_TEST_SUITES=all runs all of them on both.
 */
function dealt(suites: readonly string[]): readonly string[] {
  if (process.env.PARAPET_TEST_SUITES === 'all') return suites
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  const third = Number.parseInt(commit.slice(0, 8), 16) % 3
  return suites.filter((_, index) => index % 3 === third)
}

const onPostgres = dealt(chosen)

/** Minutes each, with subjects that others hold too: a commit leaves out one list or the other. */
const byTurns = [
  ['test/new-module/new-module.test.ts', 'test/crash/exports.test.ts', 'test/crash/workflows.test.ts'],
  [
    ...['test/secrets/memory.test.ts', 'test/crash/uploads.test.ts', 'test/multi/roles.test.ts'],
    ...['test/multi/mcp-sessions.test.ts', 'test/faults/stop.test.ts'],
  ],
].map((files) => files.map((file) => `apps/server/${file}`))

const leftOut = [
  ...onPostgres.filter((file) => !namesKinds(file)),
  ...(byTurns[Number(process.env.PARAPET_TEST_ROUND ?? -1)] ?? []),
]
/** Files that this commit leaves out, or runs on one database where their tests name another: other commits hold those. */
const elsewhere = chosen.filter((file) => !onPostgres.includes(file)).concat(leftOut)

const excluded = process.env.PARAPET_TEST_SUITES === 'all' ? [] : leftOut.map((file) => `--exclude=${file}`)
const asked = process.argv.includes('--embedded')
  ? excluded
  : process.argv.includes('--elsewhere')
    ? elsewhere.map((file) => `--elsewhere=${file}`)
    : onPostgres
console.log(asked.join('\n'))
