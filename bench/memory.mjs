// Memory of the server while it answers call after call: resident memory, and the heap after a collection, at every tenth of
// the way. A leak grows with the calls; a cache that fills up does not grow for ever. Calls of models through the gateway, and
// with BENCH_SERVER=mcp calls of a tool through the MCP firewall.
import { startChild } from './child.mjs'
import { load } from './load.mjs'
import { targetOf } from './mcp-call.mjs'
import { report } from './report.mjs'

const calls = Number(process.env.BENCH_CALLS ?? 200_000)
/** Minutes after which it ends where it is, with the tenths it has. */
const longest = Number(process.env.BENCH_MINUTES ?? 20)
const steps = 10

const isMcp = process.env.BENCH_SERVER === 'mcp'
const upstream = await startChild(isMcp ? 'bench/servers/mcp-upstream.mjs' : 'bench/servers/upstream.mjs')
const child = await startChild(isMcp ? 'bench/servers/mcp.ts' : 'bench/servers/gateway.ts', {
  env: { BENCH_UPSTREAM: `http://127.0.0.1:${upstream.port}/${isMcp ? 'mcp' : 'v1'}` },
})
let salt = 0
const completion = () => {
  salt += 1
  return JSON.stringify({
    model: 'mock-1',
    messages: [{ role: 'user', content: `Note ${salt}: write a short answer.` }],
  })
}
const target = isMcp
  ? targetOf(child)
  : {
      ...{ port: child.port, path: '/api/v1/gateway/chat/completions', body: completion },
      headers: { authorization: `Bearer ${child.token}` },
    }
const began = performance.now()
const points = []
for (let step = 1; step <= steps; step += 1) {
  await load({ ...target, connections: 8, total: Math.floor(calls / steps) })
  const { rss, heap, external, arrayBuffers } = await child.ask({ type: 'memory' })
  const mib = (bytes) => bytes / 2 ** 20
  points.push({
    calls: step * Math.floor(calls / steps),
    rss_mib: mib(rss),
    heap_mib: mib(heap),
    external_mib: mib(external),
    array_buffers_mib: mib(arrayBuffers),
  })
  if (performance.now() - began > longest * 60_000) break
}
await child.stop()
await upstream.stop()

const [first, last] = [points[0], points.at(-1)]
const more = (last.calls - first.calls) / 1000
report(isMcp ? 'memory-mcp' : 'memory', {
  points,
  seconds: (performance.now() - began) / 1000,
  // Resident memory holds the embedded database too, which lives outside the heap.
  growth_per_1000_calls: {
    heap_kib: more > 0 ? ((last.heap_mib - first.heap_mib) * 1024) / more : null,
    rss_kib: more > 0 ? ((last.rss_mib - first.rss_mib) * 1024) / more : null,
  },
})
