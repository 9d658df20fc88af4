// Cost of a call through the gateway, all steps on and durably recorded, beside a bare Fastify and undici proxy and beside
// `@portkey-ai/gateway` with nothing on, in front of the same local model, in turns. A proxy that does nothing but keep a
// durable record of each call stands beside them: no gateway that keeps one can cost less.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { resolve } from 'node:path'
import { chatBody } from './chat-body.mjs'
import { startChild } from './child.mjs'
import { benchDatabase } from './database.mjs'
import { load, percentile } from './load.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const calls = Number(process.env.BENCH_CALLS ?? 4_000)
const streams = 40

const model = await startChild('bench/servers/upstream.mjs')
const upstream = `http://127.0.0.1:${model.port}/v1`
const [database, floor] = [await benchDatabase(), await benchDatabase()]
const portkey = portkeyFolder()
const children = {
  bare: await startChild('bench/servers/proxy.mjs', { env: { BENCH_UPSTREAM: upstream } }),
  ...(portkey !== null && {
    portkey: await startChild('bench/servers/portkey.mjs', { env: { BENCH_PORTKEY: portkey } }),
  }),
  ...(floor !== null && {
    durable: await startChild('bench/servers/durable-proxy.mjs', {
      env: { BENCH_UPSTREAM: upstream, BENCH_DATABASE_URL: floor.url },
    }),
  }),
  embedded: await startChild('bench/servers/gateway.ts', { env: { BENCH_UPSTREAM: upstream } }),
  ...(database !== null && {
    postgres: await startChild('bench/servers/gateway.ts', {
      env: { BENCH_UPSTREAM: upstream, BENCH_DATABASE_URL: database.url },
    }),
  }),
}
const names = Object.keys(children)
const targets = {
  direct: { port: model.port, path: '/v1/chat/completions', headers: {}, model: 'mock-1' },
  ...Object.fromEntries(names.map((name) => [name, targetOf(name, children[name])])),
}

function targetOf(name, { port, token }) {
  if (name === 'bare' || name === 'durable') return { port, path: '/v1/chat/completions', headers: {}, model: 'mock-1' }
  if (name === 'portkey') {
    const headers = {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': upstream,
      authorization: 'Bearer not-a-real-key',
    }
    return { port, path: '/v1/chat/completions', headers, model: 'mock-1' }
  }
  const path = '/api/v1/gateway/openai/v1/chat/completions'
  return { port, path, headers: { authorization: `Bearer ${token}` }, model: 'mock-1' }
}

/** Installs the peer, as it comes, beside the build; null where the registry cannot be reached. */
function portkeyFolder() {
  const folder = resolve(process.env.BENCH_PORTKEY ?? 'dist/bench/portkey')
  mkdirSync(folder, { recursive: true })
  const dependencies = { '@portkey-ai/gateway': '1.15.2' }
  // Its streams answer 500 with later versions of these two.
  const overrides = { hono: '4.9.7', '@hono/node-server': '1.13.5' }
  writeFileSync(resolve(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }))
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder })
  if (status !== 0) console.error('The peer could not be installed: it is left out.')
  return status === 0 ? folder : null
}

const figures = Object.fromEntries(
  Object.keys(targets).map((name) => [name, { rate: [], cpu: [], alone: [], first: [] }]),
)
for (let round = -1; round < rounds; round += 1) {
  for (const [name, target] of Object.entries(targets)) {
    const child = children[name] ?? model
    const before = await child.usage()
    const busy = await load({ ...target, body: () => chatBody(target.model, false), connections: 32, total: calls })
    const after = await child.usage()
    const alone = await load({
      ...target,
      body: () => chatBody(target.model, false),
      connections: 1,
      total: calls / 10,
    })
    const first = []
    for (let i = 0; i < streams && name !== 'durable'; i += 1) first.push(await firstContent(target))
    // The first round warms the compiler and is not counted.
    if (round < 0) continue
    figures[name].rate.push(calls / busy.seconds)
    figures[name].cpu.push((after.cpu - before.cpu) / calls / 1_000)
    figures[name].alone.push(percentile(alone.latencies, 0.5))
    if (first.length > 0) figures[name].first.push(median(first))
  }
}
await Promise.all([model, ...Object.values(children)].map((child) => child.stop()))
await Promise.all([database?.drop(), floor?.drop()])

/** Milliseconds from sending a request to the first piece of the answer's text. */
function firstContent({ port, path, headers, model: asked }) {
  return new Promise((done, fail) => {
    const began = performance.now()
    const body = chatBody(asked, true)
    const call = request({
      port,
      host: '127.0.0.1',
      path,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    })
    call.on('error', fail)
    call.on('response', (answer) => {
      if (answer.statusCode !== 200) return fail(new Error(`status ${answer.statusCode}`))
      let text = ''
      let seen = null
      answer.on('data', (part) => {
        text += part
        if (seen === null && /"content":"[^"]/.test(text)) seen = performance.now() - began
      })
      answer.on('end', () => (seen === null ? fail(new Error(`no content: ${text}`)) : done(seen)))
    })
    call.end(body)
  })
}

const of = (name, figure) => median(figures[name]?.[figure] ?? [Number.NaN])
const times = (a, b) => of(a, 'rate') / of(b, 'rate')
report('gateway', {
  ...Object.fromEntries(
    Object.keys(targets).map((name) => [
      name,
      {
        calls_per_second: of(name, 'rate'),
        cpu_ms_per_call: { best: Math.min(...figures[name].cpu), median: of(name, 'cpu') },
        p50_ms_one_connection: of(name, 'alone'),
        first_content_ms: of(name, 'first'),
      },
    ]),
  ),
  bars: {
    'throughput of portkey, embedded (2)': times('embedded', 'portkey'),
    'throughput of portkey, postgres (3)': times('postgres', 'portkey'),
    'cpu ms a call, embedded (0.35)': Math.min(...figures.embedded.cpu),
    'cpu ms a call, postgres (0.23)': Math.min(...(figures.postgres?.cpu ?? [])),
    'added p50 ms at one connection, embedded (1.5)': of('embedded', 'alone') - of('direct', 'alone'),
    'added p50 ms at one connection, postgres (1.5)': of('postgres', 'alone') - of('direct', 'alone'),
    'first content later than the model by ms, embedded (2)': of('embedded', 'first') - of('direct', 'first'),
  },
})
