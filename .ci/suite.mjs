// Runs Vitest with a JSON report. Up to three files that failed run once more, alone: a failure that comes twice is a
// failure; one that does not is printed as a flaky test, so that it is mended, and does not hold back a release.
// Usage: node .ci/suite.mjs <report.json> <vitest arguments…>
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

const mostFlakyFiles = 3
const [report, ...args] = process.argv.slice(2)

function vitest(output, more) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`]
  return spawnSync('npx', ['vitest', 'run', ...more, ...reporters], { stdio: 'inherit' }).status === 0
}

if (vitest(report, args)) process.exit(0)

const first = JSON.parse(readFileSync(report, 'utf8'))
const failed = first.testResults.filter((file) => file.status === 'failed')
// Without a failed file the run itself broke: an unhandled error, or no report.
if (failed.length === 0 || failed.length > mostFlakyFiles) process.exit(1)

const again = `${report}.again`
const passed = vitest(
  again,
  failed.map((file) => relative('.', file.name)),
)
if (!passed) process.exit(1)
for (const file of failed) {
  const names = file.assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName)
  console.log(`FLAKY ${relative('.', file.name)}: ${names.join('; ') || 'the file did not load'}. It passed alone.`)
}
const second = JSON.parse(readFileSync(again, 'utf8'))
const others = first.testResults.filter((file) => file.status !== 'failed')
writeFileSync(report, JSON.stringify(summed([...others, ...second.testResults], first)))

/** The report of these files, with its sums. */
function summed(testResults, base) {
  const tests = testResults.flatMap((file) => file.assertionResults)
  const count = (...states) => tests.filter((test) => states.includes(test.status)).length
  return {
    ...base,
    testResults,
    success: true,
    numTotalTests: tests.length,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped'),
    numTodoTests: count('todo'),
    numFailedTestSuites: 0,
  }
}
