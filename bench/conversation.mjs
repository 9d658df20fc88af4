// Cost of a call in the loop of a coding agent, which sends its whole history again each time: at turn 1, 10 and 30, some
// 150 kB then. Beside a bare proxy, a call of one message, and the same turn of a conversation of which nothing was seen
// before, which is what every turn costs a gateway that remembers nothing. All in turns, so that other work on the machine
// meets all of them alike.
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { root } from '../scripts/build.mjs'
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const loops = Number(process.env.BENCH_ROUNDS ?? 8)
const measured = [1, 10, 30]
/** Characters of a tool result: half a source file. */
const resultLength = 4_600

const model = await startChild('bench/servers/upstream.mjs')
const upstream = `http://127.0.0.1:${model.port}/v1`
const bare = await startChild('bench/servers/proxy.mjs', { env: { BENCH_UPSTREAM: upstream } })
const gateway = await startChild('bench/servers/gateway.ts', { env: { BENCH_UPSTREAM: upstream } })
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const targets = {
  bare: { port: bare.port, path: '/v1/chat/completions', headers: {} },
  gateway: {
    port: gateway.port,
    path: '/api/v1/gateway/openai/v1/chat/completions',
    headers: { authorization: `Bearer ${gateway.token}` },
  },
}

const source = readdirSync(join(root, 'apps/server/src/kernel'), { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .sort()
  .map((name) => readFileSync(join(root, 'apps/server/src/kernel', name), 'utf8'))
  .join('\n')
const sourceAt = (n) => source.slice((n * resultLength) % (source.length - resultLength)).slice(0, resultLength)

/** The history of a loop at its nth turn; `mark` stands in each of its texts and makes them new. */
function historyAt(turn, mark, shared = '') {
  const tools = ['read_file', 'write_file', 'list_files', 'search', 'run_command', 'fetch_page'].map((name, index) => ({
    type: 'function',
    function: {
      name,
      description: `${shared}${name.replaceAll('_', ' ')}. ${sourceAt(900 + index).slice(0, 900)}`,
      parameters: { type: 'object', properties: { path: { type: 'string' }, text: { type: 'string' } } },
    },
  }))
  const messages = [
    { role: 'system', content: `${shared}You are a coding agent. ${sourceAt(800)}` },
    { role: 'user', content: `${mark} Make the tests of this project pass, then write down what you changed.` },
  ]
  for (let n = 1; n <= turn; n += 1) {
    const id = `call_${n}`
    messages.push(
      {
        role: 'assistant',
        content: `${mark} I read the next file, number ${n}.`,
        tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: `{"path":"src/${n}.ts"}` } }],
      },
      { role: 'tool', tool_call_id: id, content: `${mark}\n${sourceAt(n)}` },
    )
  }
  return JSON.stringify({ model: 'mock-1', messages, tools })
}

let calls = 0
const oneMessage = () => {
  calls += 1
  return JSON.stringify({
    model: 'mock-1',
    messages: [{ role: 'user', content: `Note ${calls}: write a short answer about the plan for the next week.` }],
  })
}

/** Milliseconds from sending to the last byte of the answer. */
function ask({ port, path, headers }, body) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json' },
      },
      (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`status ${answer.statusCode}`))
        answer.resume().on('end', () => resolve(performance.now() - began))
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

const figures = {}
const note = (name, ms, cpu) => {
  figures[name] ??= { ms: [], cpu: [] }
  figures[name].ms.push(ms)
  figures[name].cpu.push(cpu)
}

async function measure(name, target, child, body) {
  const before = await child.usage()
  const ms = await ask(target, body)
  const after = await child.usage()
  return { name, ms, cpu: (after.cpu - before.cpu) / 1_000 }
}

const characters = {}
// The first loops warm the compiler and are not counted.
for (let loop = -2; loop < loops; loop += 1) {
  const results = []
  for (let turn = 1; turn <= measured.at(-1); turn += 1) {
    const body = historyAt(turn, `run ${loop}`)
    if (!measured.includes(turn)) {
      await ask(targets.gateway, body)
      continue
    }
    characters[turn] = body.length
    const unseen = historyAt(turn, `new ${loop} ${turn}`, `new ${loop} ${turn} `)
    const one = oneMessage()
    results.push(
      await measure(`bare ${turn}`, targets.bare, bare, body),
      await measure(`loop ${turn}`, targets.gateway, gateway, body),
      await measure(`unseen ${turn}`, targets.gateway, gateway, unseen),
      await measure('bare one', targets.bare, bare, one),
      await measure('loop one', targets.gateway, gateway, one),
    )
  }
  if (loop >= 0) for (const { name, ms, cpu } of results) note(name, ms, cpu)
}
await Promise.all([model, bare, gateway].map((child) => child.stop()))
agent.destroy()

const ms = (name) => median(figures[name].ms)
const cpu = (name) => median(figures[name].cpu)
const added = (name, turn) => ms(`${name} ${turn}`) - ms(`bare ${turn}`)
report('conversation', {
  one_message: { bare_ms: ms('bare one'), ms: ms('loop one'), added_ms: added('loop', 'one'), cpu_ms: cpu('loop one') },
  turns: measured.map((turn) => ({
    turn,
    characters: characters[turn],
    bare_ms: ms(`bare ${turn}`),
    loop: { ms: ms(`loop ${turn}`), added_ms: added('loop', turn), cpu_ms: cpu(`loop ${turn}`) },
    unseen: { ms: ms(`unseen ${turn}`), added_ms: added('unseen', turn), cpu_ms: cpu(`unseen ${turn}`) },
    'added by a turn of the loop, times that of a turn of which nothing was seen':
      added('loop', turn) / added('unseen', turn),
  })),
  bars: {
    'added at turn 30, times that of one message (2)': added('loop', 30) / added('loop', 'one'),
  },
})
