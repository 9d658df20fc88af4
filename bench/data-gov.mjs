// Data governance: scans of text through the API, the closure of lineage over 100,000 column edges, the decision about
// consent on the way of a model call, and how soon a withdrawal stops calls, here and on another instance. The floor
// beside the scan is one pass of a regular expression over the same text.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { percentile } from './load.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const bars = {
  'scan of text, MB/s': 10,
  'lineage closure over 100,000 column edges, p99 ms': 10,
  'consent decision in memory, p99 µs': 50,
  'calls allowed after the withdrawal was answered, same instance': 0,
  'withdrawal on another instance, ms': 1_000,
}

function callerOf({ port }, token) {
  return async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { data, error_code: code } = await answer.json()
    return { status: answer.status, data, code }
  }
}

const asked = async (call, ...request) => {
  const answer = await call(...request)
  if (answer.status >= 300) throw new Error(`${request[1]}: ${answer.status} ${answer.code}`)
  return answer.data
}

async function timed(run) {
  const began = performance.now()
  const value = await run()
  return { ms: performance.now() - began, value }
}

const summary = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  return { p50: median(values), p99: percentile(sorted, 0.99), max: sorted.at(-1) }
}

const upstream = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    if (request.url.includes('/models')) return response.end('{"data":[{"id":"mock-1"}]}')
    const message = { role: 'assistant', content: 'Yes.' }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'mock-1', choices }))
  })
})
await new Promise((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${upstream.address().port}/v1`

async function scans(child, call) {
  const folder = 'packages/detect/train/texts'
  const prose = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n')
  // A planted person now and then, so that the scan has something to find.
  const page = `${prose.slice(0, 400_000)}\nWrite to ann.able@people.example or call +1 212-555-0147.\n`
  const text = page.repeat(Math.ceil(4_900_000 / page.length)).slice(0, 4_900_000)
  const megabytes = (4 * Buffer.byteLength(text)) / 1e6
  const times = []
  const floor = []
  for (let round = -1; round < rounds; round += 1) {
    const source = { kind: 'inline', name: `bench-${round}`, texts: [text, text, text, text] }
    const { ms, value } = await timed(() => asked(call, 'POST', '/data-gov/classification/scans', { source }))
    if (!value.findings.some(({ category }) => category === 'email')) throw new Error('the scan found nobody')
    const pass = await timed(async () => [...text.matchAll(/[\w.]+@[\w.]+/g)].length)
    if (round < 0) continue
    times.push(ms)
    floor.push(pass.ms)
  }
  await child.ask({ type: 'hold' })
  const file = { name: 'bench.txt', content: Buffer.from(text.repeat(4)).toString('base64') }
  const unpacked = await timed(() =>
    asked(call, 'POST', '/data-gov/classification/scans', { source: { kind: 'file', file } }),
  )
  return {
    'text of a scan, MB': megabytes,
    'scan of text, MB/s': {
      best: (1_000 * megabytes) / Math.min(...times),
      median: (1_000 * megabytes) / median(times),
    },
    'one pass of an expression, MB/s (floor)': (1_000 * megabytes) / 4 / median(floor),
    'scan of a text file through the unpacking room, MB/s': (1_000 * megabytes) / unpacked.ms,
    'event loop held by the file, ms of processor time': (await child.ask({ type: 'hold' })).cpu,
  }
}

const layers = 20
const datasets = 100
const columns = 10
const dataset = (layer, at) => ({ namespace: 'bench', name: `t${layer}_${at}` })

/** 20 layers of 1,000 columns; each dataset is made of five of the layer before, 100,000 column edges in all. */
function events() {
  let state = 12_345
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const made = []
  let edges = 0
  for (let layer = 1; layer < layers; layer += 1)
    for (let at = 0; at < datasets; at += 1) {
      const inputs = Array.from({ length: 5 }, (_, n) => dataset(layer - 1, (at + 17 * n + random(17)) % datasets))
      const fields = {}
      for (let column = 0; column < columns; column += 1) {
        const from = new Map()
        while (from.size < 5 + (column % 4 === 0 ? 1 : 0)) {
          const field = { ...inputs[random(5)], field: `c${random(columns)}` }
          from.set(JSON.stringify(field), { ...field, transformations: [{ type: 'DIRECT', subtype: 'IDENTITY' }] })
        }
        edges += from.size
        fields[`c${column}`] = { inputFields: [...from.values()] }
      }
      const facets = { columnLineage: { fields } }
      made.push(eventOf(`job-${layer}-${at}`, inputs, [{ ...dataset(layer, at), facets }]))
    }
  return { made, edges }
}

const eventOf = (name, inputs, outputs) => ({
  ...{ eventTime: '2026-01-01T00:00:00Z', producer: 'https://bench.example/p', job: { namespace: 'bench', name } },
  ...{ schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent', inputs, outputs },
})

async function lineage(child, call, tenantId) {
  const { made, edges } = events()
  const ingest = await timed(async () => {
    for (let at = 0; at < made.length; at += 100)
      await asked(call, 'POST', '/data-gov/lineage', made.slice(at, at + 100))
  })
  const graph = '/data-gov/lineage/graph?granularity=column'
  const node = (round) => `node=${encodeURIComponent(`bench|t1_${(round * 37) % datasets}|c${round % columns}`)}`
  const first = await timed(() => asked(call, 'GET', `${graph}&mode=impact&${node(0)}`))
  const { value: engine } = await child.ask({ type: 'closures', tenantId, rounds: 200 * rounds })
  const over = async (query) => {
    const times = []
    for (let round = -20; round < 60 * rounds; round += 1) {
      const { ms } = await timed(() => asked(call, 'GET', `${graph}&${query}&${node(round + 20)}`))
      if (round >= 0) times.push(ms)
    }
    return summary(times)
  }
  const whole = await over('mode=impact')
  const deep = await over('depth=5&max_nodes=500')
  const changed = []
  for (let round = 0; round < rounds; round += 1) {
    await asked(call, 'POST', '/data-gov/lineage', eventOf(`late-${round}`, [dataset(0, 0)], [dataset(1, 1)]))
    changed.push((await timed(() => asked(call, 'GET', `${graph}&mode=impact&${node(round)}`))).ms)
  }
  return {
    'column edges told': edges,
    'edges and nodes in memory': { edges: engine.edges, nodes: engine.nodes },
    'events received a second, in lists of 100': (1_000 * made.length) / ingest.ms,
    'lineage closure over 100,000 column edges, ms': summary(engine.times),
    'labels over the whole graph, ms': summary(engine.labels),
    'closure over HTTP, ms': whole,
    'depth 5 with its 500 nearest nodes over HTTP, ms': deep,
    'first question of all, which reads the graph, ms': first.ms,
    'question after an event, ms': summary(changed),
  }
}

const person = 'ann.able@people.example'
const tell = (call, event) =>
  asked(call, 'POST', '/data-gov/consents', {
    kind: 'event',
    event: {
      ...{ subject: { aliases: [{ kind: 'email', value: person }] }, event, purposes: ['bench'], method: 'web_form' },
      ...(event === 'given' ? { notice_key: 'bench' } : {}),
    },
  })
const publish = (call) =>
  asked(call, 'POST', '/data-gov/consents', {
    kind: 'notice',
    notice: {
      ...{ key: 'bench', title: 'Bench', controller: 'Bench', withdrawal_method: 'Account page' },
      purposes: [{ purpose: 'bench' }],
    },
  })
let asking = 0
const model = (call) => {
  asking += 1
  const messages = [{ role: 'user', content: `Hello ${asking}.` }]
  return call('POST', '/gateway/chat/completions', {
    ...{ model: 'mock-1', messages, metadata: { data_subject: person, purpose: 'bench' } },
  })
}

async function consent(child, call, tenantId) {
  const secrets = [{ id: 'main', value: 'not-a-real-key-0123456789' }]
  const provider = { name: 'mock', kind: 'openai_compatible', base_url: base, models: ['mock-*'], secrets }
  await asked(call, 'POST', '/gateway/providers', provider)
  await publish(call)
  await tell(call, 'given')
  const { value } = await child.ask({ type: 'decisions', tenantId, person, rounds: 20_000 })
  let allowed = 0
  for (let round = 0; round < 10 * rounds; round += 1) {
    await tell(call, 'given')
    if ((await model(call)).status !== 200) throw new Error('a call with consent was refused')
    await tell(call, 'withdrawn')
    const answers = await Promise.all(Array.from({ length: 10 }, () => model(call)))
    allowed += answers.filter(({ status }) => status !== 422).length
  }
  const { p50, p99, max } = summary(value)
  return {
    'consent decision in memory, µs': { p50: 1_000 * p50, p99: 1_000 * p99, max: 1_000 * max },
    'withdrawals, with ten calls after each': 10 * rounds,
    'calls allowed after the withdrawal was answered, same instance': allowed,
  }
}

/** Milliseconds from the answer of a withdrawal to the start of the last call that another instance still allowed. */
async function overInstances() {
  const database = await benchDatabase()
  if (database === null) return 'no PostgreSQL server answers: not measured'
  const env = { BENCH_DATABASE_URL: database.url, BENCH_KEY: randomBytes(32).toString('base64') }
  const one = await startChild('bench/servers/instance.ts', { env: { ...env, BENCH_UPSTREAM: base } })
  const two = await startChild('bench/servers/instance.ts', { env })
  const [here, there] = [callerOf(one, one.token), callerOf(two, one.token)]
  await publish(here)
  const times = []
  for (let round = 0; round < 4 * rounds; round += 1) {
    await tell(here, 'given')
    while ((await model(there)).status !== 200);
    await tell(here, 'withdrawn')
    const answered = performance.now()
    let last = answered
    for (;;) {
      const began = performance.now()
      const { status } = await model(there)
      if (status === 422) break
      if (status !== 200 || began - answered > 10_000) throw new Error(`the other instance answers ${status}`)
      last = began
    }
    times.push(last - answered)
  }
  await one.stop()
  await two.stop()
  await database.drop()
  return summary(times)
}

const child = await startChild('bench/servers/data-gov.ts')
const call = callerOf(child, child.token)
const { tid: tenantId } = JSON.parse(Buffer.from(child.token.split('.')[1], 'base64url').toString())
const scanned = await scans(child, call)
const consented = await consent(child, call, tenantId)
const traced = await lineage(child, call, tenantId)
await child.stop()
const elsewhere = await overInstances()
upstream.closeAllConnections()
upstream.close()
report('data-gov', {
  bars,
  rounds,
  ...scanned,
  ...traced,
  ...consented,
  'withdrawal on another instance, ms after the answer': elsewhere,
})
