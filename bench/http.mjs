// CPU per request of the server process: bare node:http against all layers, in interleaved rounds.
import { startChild } from './child.mjs'
import { load, percentile } from './load.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const total = 20_000
// Requests a second: well below what either server takes, so that both do the same work in the same time.
const rate = 8_000
const path = '/api/v1/platform/sample/01900000-0000-7000-8000-000000000002'

const targets = {
  bare: await startChild('bench/servers/bare.mjs'),
  parapet: await startChild('bench/servers/parapet.ts'),
  parapet_access_log: await startChild('bench/servers/parapet.ts', { env: { BENCH_ACCESS_LOG: 'true' } }),
}
const cpu = Object.fromEntries(Object.keys(targets).map((name) => [name, []]))
const p50 = structuredClone(cpu)

// Every target reads the same bytes; the bare server has no use for the token and passes over it.
const authorization = (target) => `Bearer ${target.token ?? targets.parapet.token}`

for (let round = -1; round < rounds; round += 1) {
  for (const [name, target] of Object.entries(targets)) {
    const before = await target.usage()
    const { latencies } = await load({
      port: target.port,
      path,
      headers: { authorization: authorization(target) },
      connections: 64,
      total,
      rate,
    })
    const after = await target.usage()
    // The first round warms the compiler and is not counted.
    if (round < 0) continue
    cpu[name].push((after.cpu - before.cpu) / total)
    p50[name].push(percentile(latencies, 0.5))
  }
}
await Promise.all(Object.values(targets).map((target) => target.stop()))

const best = (name) => Math.min(...cpu[name])
report('http', {
  cpu_us_per_request: Object.fromEntries(
    Object.entries(cpu).map(([name, values]) => [name, { best: Math.min(...values), median: median(values) }]),
  ),
  p50_ms: Object.fromEntries(Object.entries(p50).map(([name, values]) => [name, median(values)])),
  ratios: {
    'all layers of bare (bar 0.60)': best('bare') / best('parapet'),
    'with access log of bare (bar 0.45)': best('bare') / best('parapet_access_log'),
  },
})
