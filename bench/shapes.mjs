// Objects of a shape (V8: map, hidden class) that was not there before, and property accesses that found no shape they
// knew, per model call through the gateway once all its code is warm. Either makes all code behind it slow. V8's log is
// counted, so the figures do not depend on what else the machine does; the log is that of V8 11 (Node 20).
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startGatewayCalls } from './gateway-calls.mjs'
import { report } from './report.mjs'

const calls = Number(process.env.BENCH_CALLS ?? 2_000)
const folder = mkdtempSync(join(tmpdir(), 'parapet-shapes-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const log = join(folder, 'v8.log')
const { ask, stop } = await startGatewayCalls({
  flags: ['--log-ic', '--log-maps', `--logfile=${log}`, '--no-logfile-per-isolate'],
})
await ask(3_000)
const began = performance.now()
await ask(calls)
const tookMs = performance.now() - began
await stop()

const bundle = 'dist/bench/bench-servers-gateway-ts.mjs'
const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')))
const placeOf = (line, column) => {
  const { originalSource, originalLine } = map.findEntry(line - 1, Math.max(0, column - 1))
  return originalSource === undefined
    ? `line ${line}`
    : `${originalSource.replace(/^.*?(apps|packages|node_modules)\//, '$1/')}:${originalLine + 1}`
}

/** `[microseconds, kind, line, column]` of what is counted. */
const lines = []
for await (const line of createInterface({ input: createReadStream(log) })) {
  const fields = line.split(',')
  if (fields[0].endsWith('IC')) lines.push([Number(fields[2]), 'missed', Number(fields[3]), Number(fields[4])])
  if (fields[0] === 'map' && fields[1] === 'Transition')
    lines.push([Number(fields[2]), 'made', Number(fields[6]), Number(fields[7])])
}
const counted = lines.filter(([at]) => at > (lines.at(-1)?.[0] ?? 0) - tookMs * 1_000)
const perCall = (kind) => Math.round((counted.filter((line) => line[1] === kind).length / calls) * 100) / 100
const places = {}
for (const [, kind, line, column] of counted) {
  const place = `${kind} ${placeOf(line, column)}`
  places[place] = (places[place] ?? 0) + 1
}
report('shapes', {
  shapes_made_per_call: perCall('made'),
  accesses_missed_per_call: perCall('missed'),
  most: Object.fromEntries(
    Object.entries(places)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 15)
      .map(([place, times]) => [place, Math.round((times / calls) * 100) / 100]),
  ),
  bars: {
    'shapes made a call (4)': perCall('made'),
    'accesses missed a call (5)': perCall('missed'),
  },
})
