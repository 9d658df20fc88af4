// Cost of unarmed fault seams for a model call: the gateway as it is beside the same program with the
// seams taken out of its sources, in turns.
import { readFile } from 'node:fs/promises'
import { chatBody } from './chat-body.mjs'
import { startChild } from './child.mjs'
import { load, percentile } from './load.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const calls = Number(process.env.BENCH_CALLS ?? 1_500)

/** The sources as they would be without seams. Each change has to meet its text, or nothing is measured. */
const changes = [
  [/cache\/seamed\.ts$/, /[\s\S]*/, 'export const createSeamedCache = (cache) => cache'],
  [/blobs\/seamed\.ts$/, /[\s\S]*/, 'export const createSeamedStore = (store) => store'],
  [/db\/seamed\.ts$/, /[\s\S]*/, 'export const throughSeam = (_seam, _point, acquire) => acquire()'],
  [
    /vendors\/upstream\.ts$/,
    /parts\.faults\.seams\.upstream === undefined \? null : await passUpstreamSeam\(parts, adapter, ask\)/,
    'null',
  ],
  [/egress\/seamed\.ts$/, /[\s\S]*/, 'export const tenantEgress = ({ egress }) => egress'],
  [/handlers\/handle\.ts$/, /const hook = faults\?\.seams\.bus/, 'const hook = undefined'],
  [/jobs\/run-job\.ts$/, /throughSeam\(parts, attempt\.context, declaration\.kind, begin\)/, 'begin()'],
]
const changed = new Set()
const withoutSeams = {
  name: 'without-seams',
  setup: (build) => {
    for (const [filter, text, instead] of changes)
      build.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        if (!text.test(source)) throw new Error(`${path} has no seam as this measurement knows it`)
        changed.add(filter)
        return { contents: source.replace(text, instead), loader: 'ts' }
      })
  },
}

const model = await startChild('bench/servers/upstream.mjs')
const env = { BENCH_UPSTREAM: `http://127.0.0.1:${model.port}/v1` }
const children = {
  unarmed: await startChild('bench/servers/gateway.ts', { env }),
  removed: await startChild('bench/servers/gateway.ts', {
    env,
    folder: 'dist/bench-seamless',
    plugins: [withoutSeams],
  }),
}
if (changed.size !== changes.length) throw new Error('a seam was not taken out')

const figures = { unarmed: { cpu: [], alone: [] }, removed: { cpu: [], alone: [] } }
for (let round = -2; round < rounds; round += 1)
  // The order changes, so that neither is always the one after.
  for (const name of round % 2 === 0 ? ['unarmed', 'removed'] : ['removed', 'unarmed']) {
    const { port, token, usage } = children[name]
    const target = {
      ...{ port, path: '/api/v1/gateway/openai/v1/chat/completions', headers: { authorization: `Bearer ${token}` } },
      body: () => chatBody('mock-1', false),
    }
    const before = await usage()
    await load({ ...target, connections: 16, total: calls })
    const after = await usage()
    const alone = await load({ ...target, connections: 1, total: calls / 10 })
    if (round < 0) continue
    figures[name].cpu.push((after.cpu - before.cpu) / calls / 1_000)
    figures[name].alone.push(percentile(alone.latencies, 0.5))
  }
await Promise.all([model, ...Object.values(children)].map((child) => child.stop()))

const of = (name) => ({
  cpu_ms: { best: Math.min(...figures[name].cpu), median: median(figures[name].cpu) },
  alone_p50_ms: { best: Math.min(...figures[name].alone), median: median(figures[name].alone) },
})
const ratio = (member) => Math.min(...figures.unarmed[member]) / Math.min(...figures.removed[member])
report('seams', {
  ...{ rounds, calls, unarmed: of('unarmed'), removed: of('removed') },
  unarmed_over_removed: {
    cpu_best: ratio('cpu'),
    cpu_median_of_rounds: median(figures.unarmed.cpu.map((cpu, round) => cpu / figures.removed.cpu[round])),
    alone_best: ratio('alone'),
  },
})
