/**
 * Names the test files of the server that run on the database which PARAPET_TEST_DB names: those that reach the opener of
 * test databases. Suites that open servers of every kind by themselves have run on all of them already.
 */
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
console.log(chosen.join('\n'))
