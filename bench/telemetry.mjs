// Cost of telemetry for a model call: CPU of the process that tells Prometheus, or a collector as well, of one finished call
// with its fourteen steps, its attempt and its request. A whole call costs milliseconds and would drown it.
import { createServer } from 'node:http'
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

let bytes = 0
const sink = createServer((request, response) => {
  request.on('data', (piece) => {
    bytes += piece.length
  })
  request.on('end', () => response.end('{}'))
})
await new Promise((resolve) => sink.listen(0, '127.0.0.1', resolve))
const child = await startChild('bench/servers/telemetry.ts', {
  env: { BENCH_COLLECTOR: `http://127.0.0.1:${sink.address().port}` },
})
await child.stop()
sink.close()
if (bytes === 0) throw new Error('The collector was sent nothing.')

const best = (form) => Math.min(...child.microseconds[form])
const floor = best('making the call up')
report('telemetry', {
  microseconds_per_call: Object.fromEntries(
    Object.entries(child.microseconds).map(([form, values]) => [form, { best: best(form), median: median(values) }]),
  ),
  telemetry_alone: Object.fromEntries(
    Object.keys(child.microseconds)
      .slice(1)
      .map((form) => [form, best(form) - floor]),
  ),
})
