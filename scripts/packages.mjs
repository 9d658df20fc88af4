/**
 * Asks the registry about the packages of the lock file, by npm itself. For whoever changes the lock file, and before a
 * release; it needs the internet, so no suite runs it. It writes the ages down, and suites read them.
 *
 *   node scripts/packages.mjs ages         versions nobody has asked about yet: writes down when each was published
 *   node scripts/packages.mjs advisories   known flaws, and by when each has to be mended
 *
 * Ends with 0 when all is well, with 1 and a line for each fault, and with 2 when the registry would not say.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const dayMs = 86_400_000

/** Days a version has to have been public before it is taken: most that were taken over by thieves are found by then. */
export const leastAgeDays = 7

/** Days from an advisory to the version that mends it; the table of SECURITY.md. */
export const deadlineDays = { critical: 2, high: 7, moderate: 30, low: 90, info: 90 }

const named = (lock) =>
  Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)

const ledgerFile = `${root}/docs/security/package-ages.json`

/**
 * `name@version` of what the lock file names and the ledger does not.
 * @param ledger `first`: what the lock file named when the ledger was begun; `taken`: what came since, with its days
 */
export function newVersions(lock, { first, taken }) {
  const known = new Set([...first, ...Object.keys(taken)])
  return [...new Set(named(lock))].filter((one) => !known.has(one)).sort()
}

/** @param published ISO time @returns what is wrong, or null */
export function ageFault(version, published, now) {
  if (Number.isNaN(Date.parse(published))) return `${version}: the registry does not know when it was published`
  const days = (now - Date.parse(published)) / dayMs
  return days < leastAgeDays ? `${version}: published ${days.toFixed(1)} days ago, and ${leastAgeDays} are asked` : null
}

/** @param report of `npm audit --json` @returns a line for each flaw, the worst first */
export function advisoryFaults({ vulnerabilities = {} }) {
  const order = Object.keys(deadlineDays)
  return Object.values(vulnerabilities)
    .sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
    .map(({ name, severity, range, fixAvailable }) => {
      const fix = fixAvailable === false ? 'no mended version yet' : 'a mended version is there'
      return `${severity}: ${name} ${range}: ${fix}; to be mended within ${deadlineDays[severity] ?? 2} days of the advisory`
    })
}

class Unanswered extends Error {}

/** npm ends with 1 when it found something, and says then what. */
function npm(...args) {
  try {
    return JSON.parse(execFileSync('npm', [...args, '--json'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }))
  } catch (error) {
    const said = parsed(String(error.stdout ?? ''))
    if (said?.vulnerabilities === undefined)
      throw new Unanswered(said?.message ?? said?.error?.summary ?? error.message)
    return said
  }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    // npm broke off before it could say anything.
    return null
  }
}

function ages() {
  const ledger = JSON.parse(readFileSync(ledgerFile, 'utf8'))
  const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'))
  const taken = { ...ledger.taken }
  const now = new Date()
  const faults = newVersions(lock, ledger).flatMap((one) => {
    const [name, version] = [one.slice(0, one.lastIndexOf('@')), one.slice(one.lastIndexOf('@') + 1)]
    const published = npm('view', name, 'time')[version]
    const fault = ageFault(one, published, now.getTime())
    if (fault === null) taken[one] = { published, taken: now.toISOString() }
    return fault === null ? [] : [fault]
  })
  const sorted = Object.fromEntries(Object.entries(taken).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(ledgerFile, `${JSON.stringify({ ...ledger, taken: sorted }, null, 2)}\n`)
  return faults
}

function main() {
  const { positionals } = parseArgs({ allowPositionals: true })
  const commands = { ages, advisories: () => advisoryFaults(npm('audit', '--omit=dev')) }
  const command = commands[positionals[0]]
  if (command === undefined) throw new Error('say what to ask: ages or advisories')
  const faults = command()
  console.log(faults.length === 0 ? 'Nothing is wrong.' : faults.join('\n'))
  process.exitCode = faults.length === 0 ? 0 : 1
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main()
  } catch (error) {
    console.error(error instanceof Unanswered ? `The registry would not say: ${error.message}` : error)
    process.exitCode = 2
  }
}
