// Sign-in by password and exchange of refresh tokens, over sockets, on the embedded database: at twenty a second, and as
// fast as answers come. A sign-in is one Argon2id hash, some reads and a transaction; the hash alone is measured beside it.
import { hash } from '@node-rs/argon2'
import { startChild } from './child.mjs'
import { load, percentile } from './load.mjs'
import { report } from './report.mjs'

const seconds = Number(process.env.BENCH_SECONDS ?? 15)
const server = await startChild('bench/servers/login.ts')
const { port, people, password } = server
let asked = 0
const body = () => JSON.stringify({ email: `person-${asked++ % people}@bench.example`, password })
const path = '/api/v1/auth/login'
const stop = setTimeout(() => {
  console.error('The server did not keep up; there is no result.')
  process.exit(1)
}, 120_000)

const told = ({ latencies, seconds: took }) => ({
  per_second: latencies.length / took,
  p50_ms: percentile(latencies, 0.5),
  p95_ms: percentile(latencies, 0.95),
})

await load({ port, path, body, connections: 4, total: 40 })
const steady = await load({ port, path, body, connections: 16, total: 20 * seconds, rate: 20 })
const sustained = await load({ port, path, body, connections: 8, total: 60 * seconds })

/** One session that is renewed again and again, each token once. */
async function renewals(count) {
  const post = (at, what) =>
    fetch(`http://127.0.0.1:${port}/api/v1/auth/${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(what),
    })
  const read = async (answer) => {
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()).data.refresh_token
  }
  const latencies = []
  let token = await read(await post('login', JSON.parse(body())))
  for (let n = 0; n < count; n += 1) {
    const began = performance.now()
    token = await read(await post('refresh', { refresh_token: token }))
    latencies.push(performance.now() - began)
  }
  return latencies
}
const began = performance.now()
const renewed = (await Promise.all([renewals(200), renewals(200)])).flat().sort((a, b) => a - b)
const refresh = told({ latencies: renewed, seconds: (performance.now() - began) / 1000 })

const hashes = []
for (let n = 0; n < 50; n += 1) {
  const at = performance.now()
  await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 })
  hashes.push(performance.now() - at)
}
clearTimeout(stop)
await server.stop()
report('login', {
  login_at_20_a_second: told(steady),
  login_sustained: told(sustained),
  refresh,
  one_hash_p50_ms: percentile(
    hashes.sort((a, b) => a - b),
    0.5,
  ),
})
