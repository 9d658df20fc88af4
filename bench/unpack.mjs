// The text of a PDF of 100 pages, and of other files, out of the unpacking room: from the call to the answer, the first time
// (which starts the thread and loads its libraries) and when it is warm.
import { bundle } from '../scripts/build.mjs'
import { median, report } from './report.mjs'

await bundle({ 'bench-unpack': 'bench/servers/unpack.ts' }, 'dist/bench')
const { createRoom, files } = await import('../dist/bench/bench-unpack.mjs')

const result = {}
for (const [name, [format, bytes]] of Object.entries(files())) {
  const room = createRoom()
  const times = []
  let pieces = 0
  for (let n = 0; n < 8; n += 1) {
    const begun = performance.now()
    pieces = (await room.text(format, bytes)).pieces.length
    times.push(performance.now() - begun)
  }
  await room.stop()
  const [first, ...warm] = times.map((ms) => Math.round(ms))
  result[name] = {
    bytes: bytes.length,
    pieces,
    first_ms: first,
    warm_median_ms: median(warm),
    warm_worst_ms: Math.max(...warm),
  }
}
report('unpack', result)
