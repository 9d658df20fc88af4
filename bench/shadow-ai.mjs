// A Squid log of 2,000 MiB (a log may have 2 GiB) through the API: lines a second from the first byte sent to the stored counts, the memory the server
// takes for it, and the longest wait of another request meanwhile; beside `awk`, which counts the same hosts in the same
// lines and stores nothing. The longest hold of the server's event loop is in its own processor time: three threads and
// this client share the machine, so that a neighbor also waits for a core. `BENCH_SHADOW_MIB` chooses another size.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { report } from './report.mjs'

const mib = 1_048_576
const size = Number(process.env.BENCH_SHADOW_MIB ?? 2_000)
const ai = ['chatgpt.com', 'api.openai.com', 'claude.ai', 'gemini.google.com', 'copilot.microsoft.com', 'poe.com']
const now = Math.floor(Date.now() / 1_000)

let seed = 42
const random = (bound) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * bound)
}

/** One line in twenty is of an AI service; 2,000 users over seven days. */
function line() {
  const host = random(20) === 0 ? ai[random(ai.length)] : `www${random(3_000)}.site${random(500)}.example`
  const user = `user${random(2_000)}`
  return `${now - random(604_800)}.${String(random(1_000)).padStart(3, '0')} ${String(random(9_999)).padStart(6)} 10.0.${random(256)}.${random(256)} TCP_TUNNEL/200 ${random(90_000)} CONNECT ${host}:443 ${user} HIER_DIRECT/203.0.113.${random(256)} -\n`
}

function pieces() {
  const all = []
  let text = ''
  for (let bytes = 0; bytes < 32 * mib; ) {
    const next = line()
    text += next
    bytes += next.length
    if (text.length < mib) continue
    all.push(Buffer.from(text))
    text = ''
  }
  return all
}

const pool = pieces()
const linesOf = (piece) => piece.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0)
const counts = pool.map(linesOf)

/** The pool again and again, with a first line of its own so that no two logs are the same. */
function* log(megabytes, mark) {
  yield Buffer.from(`${now}.000 1 10.0.0.1 TCP_TUNNEL/200 1 CONNECT mark-${mark}.example:443 - HIER_NONE/- -\n`)
  for (let at = 0; at < megabytes; at += 1) yield pool[at % pool.length]
}

const linesIn = (megabytes) => {
  let lines = 1
  for (let at = 0; at < megabytes; at += 1) lines += counts[at % counts.length]
  return lines
}

async function write(stream, content) {
  for (const piece of content) if (!stream.write(piece)) await once(stream, 'drain')
  stream.end()
}

const child = await startChild('bench/servers/shadow-ai.ts')
const headers = { authorization: `Bearer ${child.token}` }

function memory() {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024
  return { peak: of('VmHWM'), resident: of('VmRSS') }
}

async function ingest(megabytes, mark) {
  const call = request({
    ...{ method: 'POST', port: child.port, path: '/api/v1/aegis/shadow-ai/ingestions?format=squid' },
    headers: { ...headers, 'content-type': 'text/plain', 'transfer-encoding': 'chunked' },
  })
  const answered = once(call, 'response')
  await write(call, log(megabytes, mark))
  const [response] = await answered
  let text = ''
  for await (const part of response) text += part
  if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${text}`)
  return JSON.parse(text).data
}

async function awk(megabytes) {
  const program =
    '{ split($7, t, ":"); if (t[1] in ai) n[t[1] " " $8 " " int($1 / 86400)]++ } END { print NR, length(n) }'
  const names = ai.map((name) => `ai["${name}"] = 1`).join('; ')
  const peer = spawn('awk', [`BEGIN { ${names} } ${program}`], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(peer, 'exit')
  const began = performance.now()
  peer.stdout.resume()
  await write(peer.stdin, log(megabytes, 'awk'))
  await ended
  return (performance.now() - began) / 1_000
}

/** The longest that another request waited. */
async function neighbor(isOver) {
  const waits = []
  while (!isOver()) {
    const began = performance.now()
    const answer = await fetch(`http://127.0.0.1:${child.port}/livez`, { headers })
    await answer.text()
    waits.push(performance.now() - began)
    await sleep(5)
  }
  return waits.toSorted((a, b) => a - b)
}

// Loading and compiling for the first log does not depend on its size.
for (let n = 0; n < 3; n += 1) await ingest(16, `warm-${n}`)
const before = memory()
let over = false
const waiting = neighbor(() => over)
await child.ask({ type: 'hold' })
const cpuBefore = (await child.usage()).cpu
const began = performance.now()
const ingestion = await ingest(size, 'measured')
const seconds = (performance.now() - began) / 1_000
over = true
const hold = await child.ask({ type: 'hold' })
const cpu = ((await child.usage()).cpu - cpuBefore) / 1e6
const waits = await waiting
const after = memory()
await child.stop()
const lines = linesIn(size)
if (ingestion.lines_parsed !== lines) throw new Error(`${ingestion.lines_parsed} lines of ${lines}`)
const peer = await awk(size)
report('shadow-ai', {
  bars: { 'lines a second': 200_000, 'extra memory, MiB': 256, 'longest hold of the event loop, ms': 20 },
  mebibytes: size,
  lines,
  matched: ingestion.matched,
  seconds: Math.round(seconds * 10) / 10,
  cpu_seconds: Math.round(cpu * 10) / 10,
  lines_per_second: Math.round(lines / seconds),
  lines_per_second_of_awk: Math.round(lines / peer),
  extra_memory_mib: Math.round((Math.max(after.peak, before.peak) - before.resident) / mib),
  longest_hold_ms: Math.round(hold.cpu * 10) / 10,
  longest_hold_wall_ms: Math.round(hold.wall * 10) / 10,
  neighbor_ms: {
    p50: Math.round(waits[Math.floor(waits.length / 2)] * 10) / 10,
    p99: Math.round(waits[Math.floor(waits.length * 0.99)] * 10) / 10,
    max: Math.round(waits.at(-1) * 10) / 10,
  },
})
