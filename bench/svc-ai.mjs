// Retrieval without a model over 20,000 and 100,000 chunks of 220 words: BM25 alone and with feedback (RM3), the time to
// join the stored postings, and the memory of the index. Bars: p95 of 10 ms and of 50 ms.
import { bundle } from '../scripts/build.mjs'
import { median, report } from './report.mjs'

await bundle({ 'bench-retrieval': 'bench/servers/retrieval.ts' }, 'dist/bench')
const { open } = await import('../dist/bench/bench-retrieval.mjs')

const rounds = 20 * Number(process.env.BENCH_ROUNDS ?? 15)
const result = {}
for (const count of [20_000, 100_000]) {
  const run = open(count)
  const times = { off: [], on: [] }
  for (let round = 0; round < rounds + 20; round += 1)
    for (const [rm3, measured] of Object.entries(times)) {
      const begun = performance.now()
      run.ask(rm3)
      if (round >= 20) measured.push(performance.now() - begun)
    }
  const p95 = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]
  result[`${count} chunks`] = {
    milliseconds: {
      bm25: { median: median(times.off), p95: p95(times.off) },
      bm25_rm3: { median: median(times.on), p95: p95(times.on) },
    },
    join_postings_ms: run.loadedMs,
    index_chunks_per_second: Math.round((count / run.indexedMs) * 1000),
    bytes: run.bytes,
  }
}
report('svc-ai', { bars: { '20,000 chunks, p95 ms': 10, '100,000 chunks, p95 ms': 50 }, ...result })
