// Attack graph of 100,000 nodes and 1,000,000 edges: load, most probable paths, k shortest paths, cuts and reach.
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const child = await startChild('bench/servers/graph.ts', {
  env: { BENCH_ROUNDS: process.env.BENCH_ROUNDS ?? '5' },
  flags: ['--max-old-space-size=6000'],
})
await child.stop()
const best = (name) => Math.min(...child.milliseconds[name])

report('graph', {
  bars: {
    'load, ms': 150,
    'Dijkstra to all, ms': 60,
    '10 paths, ms': 60,
    '100 paths, ms': 90,
    '1,000 paths, ms': 250,
    'dominators, ms': 150,
    'vertex cut of 50 entries, ms': 1_500,
    'reach in 1,024 worlds, ms': 5_000,
  },
  milliseconds: Object.fromEntries(
    Object.entries(child.milliseconds).map(([name, values]) => [name, { best: best(name), median: median(values) }]),
  ),
  times_faster: {
    'load, graphology': best('graphology: load') / best('ours: load'),
    'load, ngraph': best('ngraph: load') / best('ours: load'),
    'Dijkstra, graphology': best('graphology: Dijkstra to all') / best('ours: Dijkstra to all'),
    'Dijkstra, ngraph (one target)': best('ngraph: Dijkstra to one') / best('ours: Dijkstra to all'),
  },
  length_of_the_most_probable_path: child.distance,
})
