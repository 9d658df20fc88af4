// Annual loss: exact, simulated and correlated, beside vectorized NumPy doing the same laws in the same run.
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const child = await startChild('bench/servers/quant.ts')
await child.stop()

const best = (name) => Math.min(...child.times[name])
const ratio = (ours, peer) => (child.times[peer] === undefined ? null : best(ours) / best(peer))

report('quant', {
  bars: {
    'A, 10^6 years, ms': 130,
    'F, 10^6 years, ms': 180,
    'exact A, ms': 60,
    'exact F, ms': 400,
    '20 correlated risks, 10^5 years, ms': 450,
    'A over NumPy': 1,
  },
  milliseconds: Object.fromEntries(
    Object.entries(child.times).map(([name, values]) => [name, { best: Math.min(...values), median: median(values) }]),
  ),
  first_call_ms: child.first,
  over_numpy:
    child.times['NumPy A'] === undefined
      ? 'python3 with NumPy is missing: not compared'
      : { A: ratio('A, 10^6 years', 'NumPy A'), F: ratio('F, 10^6 years', 'NumPy F') },
  same_losses: 'one worker, two workers, stopped and resumed: equal SHA-256',
})
