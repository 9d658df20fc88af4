// Sign-in by password and exchange of refresh tokens, over sockets, on both databases: at twenty a second, and as fast as
// answers come. A sign-in is one Argon2id hash, some reads and a transaction; the hash alone is measured beside it.
import { hash } from '@node-rs/argon2'
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { load, percentile } from './load.mjs'
import { report } from './report.mjs'

const seconds = Number(process.env.BENCH_SECONDS ?? 15)
const path = '/api/v1/auth/login'

const told = ({ latencies, seconds: took }) => ({
  per_second: latencies.length / took,
  p50_ms: percentile(latencies, 0.5),
  p95_ms: percentile(latencies, 0.95),
})

async function measure(env) {
  const server = await startChild('bench/servers/login.ts', { env })
  const { port, people, password } = server
  let asked = 0
  const body = () => JSON.stringify({ email: `person-${asked++ % people}@bench.example`, password })
  await load({ port, path, body, connections: 4, total: 40 })
  const steady = await load({ port, path, body, connections: 16, total: 20 * seconds, rate: 20 })
  const before = await server.usage()
  const total = 60 * seconds
  const sustained = await load({ port, path, body, connections: 8, total })
  const { cpu } = await server.usage()
  const renew = () => renewals({ port, credentials: JSON.parse(body()), count: 200 })
  const began = performance.now()
  const renewed = (await Promise.all([renew(), renew()])).flat().sort((a, b) => a - b)
  const refresh = { latencies: renewed, seconds: (performance.now() - began) / 1000 }
  await server.stop()
  return {
    login_at_20_a_second: told(steady),
    login_sustained: { ...told(sustained), cpu_ms_per_login: (cpu - before.cpu) / 1000 / total },
    refresh: told(refresh),
  }
}

/** One session that is renewed again and again, each token once; milliseconds of each exchange. */
async function renewals({ port, credentials, count }) {
  const post = async (at, what) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(what),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()).data.refresh_token
  }
  const latencies = []
  let token = await post('login', credentials)
  for (let n = 0; n < count; n += 1) {
    const began = performance.now()
    token = await post('refresh', { refresh_token: token })
    latencies.push(performance.now() - began)
  }
  return latencies
}

const stop = setTimeout(() => {
  console.error('The server did not keep up; there is no result.')
  process.exit(1)
}, 300_000)
const embedded = await measure({})
const database = await benchDatabase()
if (database === null) console.error('No PostgreSQL answers: it is left out.')
const postgresql = database === null ? null : await measure({ BENCH_DATABASE_URL: database.url })
await database?.drop()
const hashes = []
for (let n = 0; n < 50; n += 1) {
  const at = performance.now()
  await hash('correct horse battery staple 42', { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 })
  hashes.push(performance.now() - at)
}
clearTimeout(stop)
report('login', {
  bars: { 'login at 20 a second p95, ms': 60, 'logins a second': 100, 'refresh p95, ms': 15 },
  embedded,
  postgresql,
  one_hash_p50_ms: percentile(
    hashes.sort((a, b) => a - b),
    0.5,
  ),
})
