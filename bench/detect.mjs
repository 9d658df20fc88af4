// The detection engine: time by size of ordinary text, the slowest of the adversarial texts of 1 MB, size of the package.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackage } from '../packages/detect/scripts/build.mjs'
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const child = await startChild('bench/servers/detect.ts', { env: { BENCH_ROUNDS: process.env.BENCH_ROUNDS ?? '9' } })
await child.stop()

const slowest = (times) =>
  Object.entries(times)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
const p99 = (values) => [...values].sort((a, b) => a - b)[Math.ceil(0.99 * values.length) - 1]
const folder = await buildPackage()
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

report('detect', {
  bars: {
    'injection of 2 kB p50, ms': 0.5,
    'injection of 100 kB p50, ms': 12,
    'together of 2 kB p50, ms': 1,
    'together of 100 kB p50, ms': 20,
    'any text of 1 MB, ms': 300,
    'package, bytes': 6_000_000,
  },
  milliseconds: Object.fromEntries(
    Object.entries(child.ordinary).map(([name, values]) => [
      name,
      { best: Math.min(...values), p50: median(values), p99: p99(values) },
    ]),
  ),
  adversarial_texts: child.adversaries,
  slowest_of_1_mb_ms: Object.fromEntries(
    Object.entries(child.worst).map(([name, times]) => [name, Object.fromEntries(slowest(times))]),
  ),
  package_bytes: files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0),
})
