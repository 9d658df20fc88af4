// Memory that a model call through the gateway allocates, every step on and durably recorded, and the places of the bundle
// that allocate most. Unlike times it hardly depends on what else the machine does.
import { chatBody } from './chat-body.mjs'
import { startChild } from './child.mjs'
import { load } from './load.mjs'
import { report } from './report.mjs'

const calls = Number(process.env.BENCH_CALLS ?? 2_000)
const upstream = await startChild('bench/servers/upstream.mjs')
const child = await startChild('bench/servers/gateway.ts', {
  env: { BENCH_UPSTREAM: `http://127.0.0.1:${upstream.port}/v1` },
})
const ask = (total) =>
  load({
    port: child.port,
    path: '/api/v1/gateway/openai/v1/chat/completions',
    headers: { authorization: `Bearer ${child.token}` },
    body: () => chatBody('mock-1'),
    connections: 8,
    total,
  })
// So that the compiler is done with most of it.
await ask(1_000)
await child.ask({ type: 'sample', on: true })
await ask(calls)
const { bytes } = await child.ask({ type: 'sample', on: false })
await child.stop()
await upstream.stop()
const kib = (sum) => Math.round((sum / calls / 1024) * 10) / 10
report('allocations', {
  kib_per_call: kib(Object.values(bytes).reduce((sum, each) => sum + each, 0)),
  most: Object.fromEntries(
    Object.entries(bytes)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 20)
      .map(([place, each]) => [place, kib(each)]),
  ),
})
