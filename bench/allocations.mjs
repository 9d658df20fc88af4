// Memory that a model call through the gateway allocates, every step on and durably recorded, and the places of the bundle
// that allocate most. Unlike times it hardly depends on what else the machine does.
import { startGatewayCalls } from './gateway-calls.mjs'
import { report } from './report.mjs'

const calls = Number(process.env.BENCH_CALLS ?? 2_000)
const { child, ask, stop } = await startGatewayCalls()
// So that the compiler is done with most of it.
await ask(1_000)
await child.ask({ type: 'sample', on: true })
await ask(calls)
const { bytes } = await child.ask({ type: 'sample', on: false })
await stop()
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
