// Risk through the API: the exact engine against independently computed values, simulations, imports of the threat library,
// and how long the server does not answer meanwhile. The engines alone are in quant.mjs.
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.mjs'
import { median, report } from './report.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const data = '../shared/data'
const { port, token, ask, stop } = await startChild('bench/servers/risk.ts')

async function call(method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
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

const summary = (values) => ({ best: Math.min(...values), median: median(values) })
const pert = (low, mode, high) => ({ type: 'pert', low, mode, high })
const constant = (value) => ({ type: 'constant', value })
const lossOfB = { type: 'lognormal_interval', p05: 20_000, p95: 500_000 }
const models = {
  A: { loss_event_frequency: pert(0.5, 2, 5), loss_magnitude: pert(10_000, 50_000, 300_000) },
  B: { loss_event_frequency: constant(2), loss_magnitude: lossOfB },
  C: { loss_event_frequency: constant(0.1), loss_magnitude: lossOfB },
  D: { loss_event_frequency: constant(3), loss_magnitude: { type: 'exponential', mean: 100_000 } },
  F: {
    contact_frequency: pert(10, 24, 60),
    probability_of_action: pert(0.1, 0.25, 0.5),
    threat_capability: pert(0.2, 0.5, 0.9),
    resistance_strength: pert(0.4, 0.6, 0.95),
    primary_loss: pert(5_000, 20_000, 100_000),
    secondary_loss_event_frequency: pert(0.05, 0.2, 0.5),
    secondary_loss_magnitude: pert(10_000, 100_000, 1_000_000),
  },
}

const { user } = await call('GET', '/auth/me')
const risk = await call('POST', '/risk/register', {
  ...{ title: 'Bench', category: 'security', owner_id: user.id, inherent: { likelihood: 3, impact: 3 } },
})
const analyze = (name, more) =>
  call('POST', '/risk/fair/analyses', {
    ...{ risk_id: risk.id, purpose: 'what_if', currency: 'USD', model: { nodes: models[name] } },
    ...more,
  })

/** Largest relative difference of any value of a case. */
function apart(exact, oracle) {
  const at = (p) => exact.quantiles.find((one) => one.p === p).value
  const tail = (level) => exact.tails.find((one) => one.level === level)
  const values = {
    ...{ mean: exact.mean, sd: exact.sd, p0: exact.no_loss, p50: at(0.5), p75: at(0.75), p90: at(0.9) },
    ...{ var95: tail(0.95).var, var99: tail(0.99).var, tvar95: tail(0.95).tvar },
  }
  const known = Object.entries(values).filter(([name]) => oracle[name] > 0)
  return Math.max(...known.map(([name, value]) => Math.abs(value / oracle[name] - 1)))
}

async function exactEngine() {
  const file = `${data}/quant/oracles.json`
  const oracles = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).aggregate_exact : null
  const result = {}
  for (const name of Object.keys(models)) {
    const times = []
    let worst = null
    for (let round = 0; round < rounds; round += 1) {
      const { ms, value } = await timed(() => analyze(name, { dry_run: true }))
      times.push(ms)
      if (oracles !== null) worst = Math.max(worst ?? 0, apart(value.result.exact, oracles[name]))
    }
    result[name] = {
      milliseconds: summary(times),
      largest_difference: worst ?? 'the oracles are missing: not compared',
    }
  }
  return result
}

async function simulated(name, id) {
  const times = []
  const digests = new Set()
  for (let round = 0; round < rounds; round += 1) {
    const body = { kind: 'scenario', analysis_ids: [id], iterations: 1_000_000, seed: '42' }
    const { ms, value } = await timed(async () => {
      const made = await call('POST', '/risk/simulations', body)
      for (;;) {
        const now = await call('GET', `/risk/simulations/${made.id}`)
        if (now.status === 'completed') return now
        if (now.status === 'failed') throw new Error(now.failure)
        await sleep(5)
      }
    })
    times.push(ms)
    digests.add(value.losses_sha256)
  }
  return { [`${name}, 10^6 years with job, ms`]: summary(times), equal_losses: digests.size === 1 }
}

async function cancelled(id) {
  const body = { kind: 'scenario', analysis_ids: [id], iterations: 10_000_000, seed: '42' }
  const made = await call('POST', '/risk/simulations', body)
  while ((await call('GET', `/risk/simulations/${made.id}`)).progress === 0) await sleep(5)
  const { ms } = await timed(async () => {
    await call('POST', `/risk/simulations/${made.id}/cancel`)
    while ((await call('GET', `/risk/simulations/${made.id}`)).result === null) await sleep(5)
  })
  return ms
}

/**
 * The longest gap between two answers of a route that touches nothing, while something runs, and the longest that the event
 * loop was held: by the clock, and in processor time, which other work on the machine does not lengthen.
 */
async function longestWait(run) {
  await ask({ type: 'hold' })
  let over = false
  let longest = 0
  const look = (async () => {
    while (!over) longest = Math.max(longest, (await timed(() => fetch(`http://127.0.0.1:${port}/healthz`))).ms)
  })()
  const value = await run()
  over = true
  await look
  const { wall, cpu } = await ask({ type: 'hold' })
  return { value, waits: { longest_wait_ms: longest, hold_ms: cpu, hold_wall_ms: wall } }
}

async function imported(format, file) {
  const path = `${data}/${file}`
  if (!existsSync(path)) return 'the data are missing: not measured'
  const content = readFileSync(path, 'utf8')
  const load = () => timed(() => call('POST', '/risk/threats/import', { format, content }))
  const { value: first, waits } = await longestWait(load)
  const { ms: again, value: second } = await load()
  const { created } = first.value
  return {
    created,
    first_ms: first.ms,
    again_ms: again,
    changed_again: second.created + second.updated,
    ...waits,
  }
}

const exact = await exactEngine()
const [a, f] = [await analyze('A'), await analyze('F')]
const simulations = { ...(await simulated('A', a.id)), ...(await simulated('F', f.id)) }
report('risk', {
  bars: {
    'largest difference of the exact engine': 0.0002,
    'ATT&CK import, ms': 3_000,
    'changed by importing again': 0,
    'event loop held, ms of processor time': 20,
    'cancel to result, ms': 100,
  },
  exact,
  simulations,
  cancel_to_result_ms: await cancelled(a.id),
  attack: await imported('stix', 'attack/enterprise-attack-18.1-compact.json'),
  atlas: await imported('atlas', 'atlas/atlas-5.6.0-compact.json'),
})
await stop()
