// Cost of a tool call through the MCP firewall, every stage on and durably recorded, beside a bare Fastify and undici
// proxy in front of the same server, in turns.
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { load, percentile } from './load.mjs'
import { targetOf } from './mcp-call.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const calls = Number(process.env.BENCH_CALLS ?? 4_000)

const upstream = await startChild('bench/servers/mcp-upstream.mjs')
const url = `http://127.0.0.1:${upstream.port}`
const database = await benchDatabase()
const firewall = (env = {}) => startChild('bench/servers/mcp.ts', { env: { BENCH_UPSTREAM: `${url}/mcp`, ...env } })
const children = {
  bare: await startChild('bench/servers/proxy.mjs', { env: { BENCH_UPSTREAM: url } }),
  embedded: await firewall(),
  ...(database !== null && { postgres: await firewall({ BENCH_DATABASE_URL: database.url }) }),
}
const names = Object.keys(children)

const targets = { direct: targetOf(upstream), ...Object.fromEntries(names.map((n) => [n, targetOf(children[n])])) }

const figures = Object.fromEntries(Object.keys(targets).map((name) => [name, { rate: [], alone: [], p99: [] }]))
for (let round = -1; round < rounds; round += 1) {
  for (const [name, target] of Object.entries(targets)) {
    const busy = await load({ ...target, connections: 16, total: calls })
    const alone = await load({ ...target, connections: 1, total: calls / 10 })
    // The first round warms the compiler and is not counted.
    if (round < 0) continue
    figures[name].rate.push(calls / busy.seconds)
    figures[name].alone.push(percentile(alone.latencies, 0.5))
    figures[name].p99.push(percentile(alone.latencies, 0.99))
  }
}
await Promise.all([upstream, ...Object.values(children)].map((child) => child.stop()))
await database?.drop()

const of = (name, figure) => median(figures[name]?.[figure] ?? [Number.NaN])
const ours = names.filter((name) => name !== 'bare')
report('mcp', {
  ...Object.fromEntries(
    Object.keys(targets).map((name) => [
      name,
      {
        calls_per_second_16_connections: of(name, 'rate'),
        ...{ p50_ms_one_connection: of(name, 'alone'), p99_ms_one_connection: of(name, 'p99') },
      },
    ]),
  ),
  added_p50_ms: Object.fromEntries(names.map((name) => [name, of(name, 'alone') - of('direct', 'alone')])),
  added_p50_ms_beside_bare: Object.fromEntries(ours.map((name) => [name, of(name, 'alone') - of('bare', 'alone')])),
  throughput_of_bare: Object.fromEntries(ours.map((name) => [name, of(name, 'rate') / of('bare', 'rate')])),
})
