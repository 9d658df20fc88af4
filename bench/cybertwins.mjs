// CyberTwins: the model on 100,000 assets and 1,000,000 relations in process (bar: the most probable path to all 60 ms),
// and through the API an import of 10,000 assets with 30,000 relations (10 s) and the time from a changed relation to the
// updated worst path (2 s).
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const { port, token, model, stop } = await startChild('bench/servers/cybertwins.ts', {
  flags: ['--max-old-space-size=6000'],
})

async function call(method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/cybertwins${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()).data
}

async function timed(run) {
  const began = performance.now()
  const value = await run()
  return { ms: performance.now() - began, value }
}

const summary = (values) => ({ best: Math.min(...values), median: median(values), worst: Math.max(...values) })

const estate = (p) => ({
  assets: [
    {
      ...{ kind: 'external', name: 'Internet', external_ids: [{ source: 'bench', id: 'in' }], entry_point: true },
      relationships: [{ kind: 'network_reach', target: 'bench:data', p_override: p, reason: 'Bench' }],
    },
    { kind: 'data_store', name: 'Data', external_ids: [{ source: 'bench', id: 'data' }], crown_jewel: true },
  ],
})

/** Until the analysis that follows a change by itself has the new probability. */
async function untilWorst(p) {
  for (;;) {
    const latest = await call('GET', '/attack-paths/latest?include=cut').catch(() => null)
    if (latest !== null && Math.abs(latest.result.reach[0].probability - p) < 1e-9) return
    await sleep(10)
  }
}

await call('POST', '/assets', estate(0.01))
await untilWorst(0.01)
const changes = []
for (let round = 1; round <= rounds; round += 1) {
  const p = round / 10
  changes.push((await timed(() => call('POST', '/assets', estate(p)).then(() => untilWorst(p)))).ms)
}

const lines = ['kind,name,external_id,relation,target']
for (let n = 0; n < 10_000; n += 1) lines.push(`host,Host ${n},h${n},,`)
for (let n = 0; n < 30_000; n += 1)
  lines.push(`,,h${n % 10_000},network_reach,h${(n * 7919 + 1 + Math.floor(n / 10_000)) % 10_000}`)
const content = lines.join('\r\n')
const first = await timed(() => call('POST', '/imports', { format: 'csv', content }))
// The second sight makes the assets active; the third brings nothing new.
const again = await timed(() => call('POST', '/imports', { format: 'csv', content }))
const third = await timed(() => call('POST', '/imports', { format: 'csv', content }))
await stop()

report('cybertwins', {
  bars: { 'most probable path to all, ms': 60, 'import, ms': 10_000, 'change to worst path, ms': 2_000 },
  model_on_a_million_relations: Object.fromEntries(
    Object.entries(model).map(([name, values]) => [name, summary(values)]),
  ),
  import_of_10000_assets: { ms: first.ms, created: first.value.created, edges: first.value.edges },
  same_import_again: { ms: again.ms, updated: again.value.updated, edges: again.value.edges },
  same_import_a_third_time: { ms: third.ms, unchanged: third.value.unchanged, edges: third.value.edges },
  change_to_worst_path: summary(changes),
})
