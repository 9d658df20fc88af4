// From `node` to the first 200 of /readyz on the embedded database: on an empty folder, and again on what that left.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundle, emptyCluster, keepCluster, root } from '../scripts/build.mjs'
import { asShipped } from './child.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const folder = 'dist/bench/start'
await bundle({ server: 'apps/server/src/main.ts', ...emptyCluster }, folder)
// As after `npm run build`.
await keepCluster(folder)
const program = `const { run } = await import(${JSON.stringify(join(root, folder, 'server.mjs'))}); await run([])`

const seconds = { fresh: [], again: [], stop: [] }
const residentMib = { fresh: [], again: [] }
for (let round = 0; round < rounds; round += 1) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parapet-bench-start-'))
  for (const kind of ['fresh', 'again']) {
    const server = await start(dataDir)
    seconds[kind].push(server.seconds)
    if (server.residentMib !== null) residentMib[kind].push(server.residentMib)
    seconds.stop.push(await server.stop())
  }
  rmSync(dataDir, { recursive: true })
}

const summary = (values) => (values.length === 0 ? null : { best: Math.min(...values), median: median(values) })
report('start', {
  bars: { fresh_seconds: 8, again_seconds: 3, resident_mib: 350 },
  seconds: Object.fromEntries(Object.entries(seconds).map(([kind, values]) => [kind, summary(values)])),
  resident_mib_when_ready: Object.fromEntries(
    Object.entries(residentMib).map(([kind, values]) => [kind, summary(values)]),
  ),
})

async function start(dataDir) {
  const began = performance.now()
  const child = spawn(process.execPath, [...asShipped, '--input-type=module', '--eval', program], {
    cwd: root,
    env: { ...process.env, PARAPET_PORT: '0', PARAPET_DATA_DIR: dataDir, PARAPET_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const address = await addressIn(child, ended)
  const ready = await fetch(`${address}/readyz`)
  if (ready.status !== 200) throw new Error(`/readyz answered ${ready.status}: ${await ready.text()}`)
  return {
    seconds: (performance.now() - began) / 1000,
    residentMib: residentMibOf(child.pid),
    stop: async () => {
      const asked = performance.now()
      child.kill('SIGTERM')
      const code = await ended
      if (code !== 0) throw new Error(`The server ended with ${code}`)
      return (performance.now() - asked) / 1000
    },
  }
}

function addressIn(child, ended) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /listening on (http:\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
    ended.then((code) => reject(new Error(`The server ended with ${code} before it listened`)))
  })
}

/** Null where the system does not say. */
function residentMibOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return null
  }
}
