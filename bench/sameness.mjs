// Whether the time of a refusal tells what is behind an address: sign-ins with a wrong password and forgotten passwords,
// for somebody known, somebody unknown and somebody suspended, in an order thrown with dice, each address asked once.
import { startChild } from './child.mjs'
import { report } from './report.mjs'

const each = Number(process.env.BENCH_EACH ?? 400)
const server = await startChild('bench/servers/login.ts', {
  env: { BENCH_PEOPLE: String(2 * each), BENCH_SUSPENDED: String(each), PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' },
})
const { port } = server

const groups = {
  known: (n) => `person-${n + each}@bench.example`,
  suspended: (n) => `person-${n}@bench.example`,
  unknown: (n) => `nobody-${n}@bench.example`,
}

async function timesOf(path, bodyOf, status) {
  const order = Object.keys(groups).flatMap((group) => Array.from({ length: each }, (_, n) => ({ group, n })))
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  const times = { known: [], suspended: [], unknown: [] }
  for (const [i, { group, n }] of order.entries()) {
    const began = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      // Each from a network of its own, as nobody guesses from one for long.
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `${20 + (i >> 8)}.${i & 255}.1.1`,
      },
      body: JSON.stringify(bodyOf(groups[group](n))),
    })
    await answer.text()
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`)
    times[group].push(performance.now() - began)
  }
  return times
}

const sorted = (values) => values.toSorted((a, b) => a - b)
const median = (values) => sorted(values)[values.length >> 1]

/** Two-sided p of the Mann-Whitney U test, by its normal approximation; times have no ties worth a correction. */
function sameP(a, b) {
  const ranked = [...a.map((value) => [value, 0]), ...b.map((value) => [value, 1])].toSorted(([x], [y]) => x - y)
  const rankSum = ranked.reduce((sum, [, group], index) => sum + (group === 0 ? index + 1 : 0), 0)
  const u = rankSum - (a.length * (a.length + 1)) / 2
  const z = Math.abs(u - (a.length * b.length) / 2) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  return 2 * upperTail(z)
}

/** Of the normal distribution: Abramowitz and Stegun, 26.2.17. */
function upperTail(z) {
  const t = 1 / (1 + 0.2316419 * z)
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = series.reduce((all, factor, i) => all + factor * t ** (i + 1), 0)
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}

const told = (times) => ({
  median_ms: Object.fromEntries(Object.entries(times).map(([group, values]) => [group, median(values)])),
  p_known_unknown: sameP(times.known, times.unknown),
  p_known_suspended: sameP(times.known, times.suspended),
  p_suspended_unknown: sameP(times.suspended, times.unknown),
})

await timesOf('/auth/password/forgot', () => ({ email: 'warm-up@bench.example' }), 200)
const forgot = await timesOf('/auth/password/forgot', (email) => ({ email }), 200)
const login = await timesOf('/auth/login', (email) => ({ email, password: 'not the password at all' }), 401)
await server.stop()
report('sameness', {
  bars: { 'p of each pair, more than': 0.01, 'medians apart, at most': '5 %' },
  each,
  login: told(login),
  forgot: told(forgot),
})
