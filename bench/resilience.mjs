// Simulated outages in one process, and the fault seams: inert, and armed for another tenant.
import { startChild } from './child.mjs'
import { report } from './report.mjs'

const child = await startChild('bench/servers/resilience.ts')
await child.stop()
const best = child.simulated.reduce((fastest, each) => (each.ms < fastest.ms ? each : fastest))

report('resilience', {
  bars: { '10^5 outages, ms': 1_000, 'inactive hook, ns': 50 },
  outages: { ms: best.ms * (100_000 / best.count), events_per_second: best.events / (best.ms / 1000) },
  hook: { inactive_ns: child.inactive_ns, foreign_rule_ns: child.foreign_rule_ns },
})
