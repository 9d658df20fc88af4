// Declares routes, assembles the kernel and makes the HTTP server ready, each time in a process that has run nothing.
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const counts = [1, 240]
const measured = Object.fromEntries(counts.map((count) => [count, []]))
for (let round = 0; round < rounds; round += 1) {
  for (const count of counts) {
    const child = await startChild('bench/servers/routes.ts', { env: { BENCH_ROUTES: String(count) } })
    measured[count].push(child)
    await child.stop()
  }
}

const of = (count, what) => measured[count].map((child) => child[what])
const summary = (count, what) => ({ best: Math.min(...of(count, what)), median: median(of(count, what)) })
report('routes', {
  bars: { ready_ms: 500 },
  ready_ms: Object.fromEntries(counts.map((count) => [`${count} routes`, summary(count, 'readyMs')])),
  cpu_ms: Object.fromEntries(counts.map((count) => [`${count} routes`, summary(count, 'cpuMs')])),
  openapi_ms: Object.fromEntries(counts.map((count) => [`${count} routes`, summary(count, 'openApiMs')])),
})
