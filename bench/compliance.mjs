// Compliance through the API: import of the whole SP 800-53, resolution of a baseline, an assessment of its thousand
// controls from checks, its PDF, the list of controls with their gaps, and the verification of a chain
// of 100,000 records. Bars: import 3 s, assessment 5 s, verification 5 s. The floor beside the import is JSON.parse of the
// same text.
import { existsSync, readFileSync } from 'node:fs'
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const records = Number(process.env.BENCH_RECORDS ?? 100_000)
const folder = '../shared/data/oscal/sp800-53r5-2021'
if (!existsSync(folder)) {
  console.log('The NIST files beside the repository are missing: nothing is measured.')
  process.exit(0)
}
const { port, token, ask, stop } = await startChild('bench/servers/compliance.ts')

async function call(method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/compliance${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function print(id) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/compliance/assessments/${id}?format=pdf`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/pdf' },
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok || bytes.toString('latin1', 0, 5) !== '%PDF-') throw new Error(`PDF: ${answer.status}`)
  return bytes.length
}

async function timed(run) {
  const began = performance.now()
  const value = await run()
  return { ms: performance.now() - began, value }
}

const summary = (values) => ({ best: Math.min(...values), median: median(values), worst: Math.max(...values) })
const catalog = readFileSync(`${folder}/NIST_SP-800-53_rev5_catalog-min.json`, 'utf8')
const profile = readFileSync(`${folder}/NIST_SP-800-53_rev5_MODERATE-baseline_profile.json`, 'utf8')

const times = { parse: [], import: [], resolve: [], assess: [], print: [], list: [] }
let framework
for (let round = 0; round < rounds; round += 1) {
  times.parse.push((await timed(async () => JSON.parse(catalog))).ms)
  const body = { source: 'oscal', key: `nist-800-53r5-${round}`, content: catalog, ...(round === 0 && { adopt: {} }) }
  const imported = await timed(() => call('POST', '/frameworks', body))
  times.import.push(imported.ms)
  framework ??= imported.value.data.framework
  const resolution = { source: 'oscal', key: `moderate-${round}`, content: profile, base_framework_ids: [framework.id] }
  times.resolve.push((await timed(() => call('POST', '/frameworks', resolution))).ms)
}
for (let round = 0; round < rounds; round += 1) {
  const body = { type: 'automated', name: `Bench ${round}`, framework_ids: [framework.id] }
  const assessed = await timed(() => call('POST', '/assessments', body))
  times.assess.push(assessed.ms)
  times.print.push((await timed(() => print(assessed.value.data.id))).ms)
}
for (let round = 0; round < 20 * rounds; round += 1)
  times.list.push((await timed(() => call('GET', `/controls?limit=50&framework_id=${framework.id}`))).ms)
await ask({ type: 'lengthen', records })
const verified = await timed(() => call('GET', '/evidence?limit=1&verify=true'))
await stop()

report('compliance', {
  rounds,
  'JSON.parse of the catalog, ms (floor)': summary(times.parse),
  'import of SP 800-53, 1,189 controls, ms': summary(times.import),
  'import over JSON.parse': median(times.import) / median(times.parse),
  'resolution and import of the MODERATE baseline, 287 controls, ms': summary(times.resolve),
  'assessment of 1,007 controls from checks, with sealed snapshot, ms': summary(times.assess),
  'page of 50 controls with scores, priorities and inheritance, ms': summary(times.list),
  'PDF of the same assessment, ms': summary(times.print),
  'verification of the chain, ms': verified.ms,
  'records verified': verified.value.meta.verification.to_seq,
})
const isBroken = verified.value.meta.verification.first_broken_seq !== null
if (median(times.import) > 3_000 || median(times.assess) > 5_000 || verified.ms > 5_000 || isBroken)
  process.exitCode = 1
