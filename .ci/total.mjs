// Adds up the test reports of a run and prints the closing line.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, failedSteps] = process.argv.slice(2)
const reports = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
const sum = (key) => reports.reduce((total, report) => total + report[key], 0)
const tests = sum('numFailedTests')
// A failed suite without a failed test (it could not be loaded) still fails its step.
const failed = Math.max(tests, Number(failedSteps))
console.log(
  `${sum('numPassedTests')} passed, ${failed} failed, ${sum('numPendingTests') + sum('numTodoTests')} skipped`,
)
process.exit(failed === 0 ? 0 : 1)
