/**
 * Runs an experiment: steady state, faults, recovery. It is the only one that renews the lease of the rules, every two
 * seconds, so that its death ends the faults on every instance within five. Another worker that takes the job over aborts
 * the experiment instead of going on. Tested in experiments.test.ts.
 */
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { hold, write } from '../../../kernel/resource/resource.ts'
import { type NewEntry, writeJournal } from '../chaos/journal.ts'
import { announceRules, announceStop, stopTopic } from '../chaos/news.ts'
import type { ExperimentRow } from '../declared/experiment-schema.ts'
import { experimentResource, experiments } from '../declared/experiment-tables.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'
import { experimentJob } from './create-experiment.ts'
import { createEnding } from './end.ts'
import { experimentStarted, toldOf } from './events.ts'
import { readLevers } from './lever.ts'
import { othersGuard, watchOthers } from './others.ts'
import { type ProbeResult, runProbes } from './probes.ts'
import { type SyntheticTraffic, startTraffic, syntheticPrefix } from './synthetic.ts'
import { createWatch, type Watch } from './watch.ts'

const lookEveryMs = 1_000
const renewEveryLooks = 2
/** Looks for the steady state after the faults; then the experiment ends without it. */
const mostRecoveryLooks = 120
/** Looks in a row that must be good before a service counts as recovered. */
const goodLooks = 2

export const experimentRuns: JobDeclaration<ResilienceServices> = {
  kind: experimentJob,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 10_000,
  everyMs: null,
  run: runExperiment,
}

interface Run {
  readonly context: JobContext<ResilienceServices>
  readonly id: string
  readonly watch: Watch
  /** Resolves after a second, or at once when the experiment is stopped. */
  readonly pause: () => Promise<void>
}

async function runExperiment(context: JobContext<ResilienceServices>): Promise<void> {
  const { kernel, signal } = context
  const id = String(context.payload.experiment_id)
  let wake = (): void => undefined
  const stops = [
    kernel.live.on(stopTopic, (key, _data, tenantId) => {
      if (key === id || key === 'platform' || (key === 'tenant' && tenantId === context.tenantId)) wake()
    }),
  ]
  const pause = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        timer.stop()
        signal.removeEventListener('abort', abort)
        resolve()
      }
      const abort = (): void => {
        timer.stop()
        reject(signal.reason)
      }
      const timer = kernel.clock.after(lookEveryMs, end)
      wake = end
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    })
  try {
    await conduct({ context, id, watch: createWatch(), pause })
  } finally {
    for (const stop of stops) stop()
  }
}

async function conduct(run: Run): Promise<void> {
  const { context, id, watch } = run
  const row = await begin(run)
  if (row === null) return
  const ending = createEnding(context, { id, watch })
  if (row.status !== 'checking') return ending.aborted(row, 'lost contact', null)
  const before = await look(run, row, { phase: 'checking' })
  const missing = before.find(({ within }) => !within)
  if (missing !== undefined) return ending.failed(row, `steady state not there: ${missing.name}`)
  const cause = await inject(run)
  const { recoveredMs, endedMs } = await recover(run, row, cause)
  await ending.done({ row, cause, recoveredMs, endedMs })
}

/** Takes up the experiment; null where nothing is to be done any more. */
async function begin({ context, id }: Run): Promise<ExperimentRow | null> {
  const { kernel, transaction } = context
  return transaction(async (tx) => {
    const known = await experiments.get(tx, id)
    if (known === null || ['completed', 'failed', 'aborted', 'pending_approval'].includes(known.status)) return null
    if (known.status !== 'ready' || known.stop_wanted)
      return known.status === 'ready' ? { ...known, status: 'injecting' } : known
    const held = await hold(tx, experimentResource, { id, precondition: anyVersion })
    const row = await write(kernel, tx, held, { status: 'checking', started_at: kernel.clock.iso() })
    await writeJournal(kernel, tx, id, [{ kind: 'checking', data: { node: kernel.node } }])
    await tx.emit(experimentStarted, id, toldOf(row))
    return row
  })
}

interface Looking {
  readonly phase: string
  /** The guard over other tenants, while faults are injected. */
  readonly others?: () => Promise<ProbeResult>
}

async function look(
  { context, id }: Run,
  row: ExperimentRow,
  { phase, others }: Looking,
): Promise<readonly ProbeResult[]> {
  const { kernel, services, tenantId } = context
  const probed = await runProbes(services, tenantId, [...row.probes, ...row.guards])
  const results = others === undefined ? probed : [...probed, await others()]
  const entries = results.map(
    ({ name, value, within, fault }): NewEntry => ({
      kind: 'probe',
      data: { phase, name, value, within, ...(fault === null ? {} : { fault }) },
    }),
  )
  await kernel.db.tenant({ tenantId }, (tx) => writeJournal(kernel, tx, id, entries))
  return results
}

/** Injects until the time is over, enough is hit, or something stops it. Gives the cause of an abort, or null. */
async function inject(run: Run): Promise<string | null> {
  const { context, id } = run
  const { kernel, services, tenantId } = context
  const others = await watchOthers({ gateway: services.gateway, clock: kernel.clock }, tenantId)
  const before = await stateOf(run)
  if (before.cause !== null) return before.cause
  const begun = await context.transaction(async (tx) => {
    const held = await hold(tx, experimentResource, { id, precondition: anyVersion })
    if (held.row.stop_wanted) return null
    const injected = await write(kernel, tx, held, { status: 'injecting', injected_at: kernel.clock.iso() })
    await announceRules(tx, rulesOf(injected))
    return injected
  })
  if (begun === null) return 'person'
  if (begun.scope === 'live') return watchFaults(run, begun, { others, traffic: null })
  const traffic = await startTraffic(context, begun)
  try {
    return await watchFaults(run, begun, { others, traffic })
  } finally {
    const data = await traffic.stop()
    await kernel.db.tenant({ tenantId }, (tx) => writeJournal(kernel, tx, id, [{ kind: 'synthetic_calls', data }]))
  }
}

interface Beside {
  readonly others: () => Promise<ProbeResult>
  readonly traffic: SyntheticTraffic | null
}

/** Looks every second until the faults are to end. Gives the cause of an abort, or null. */
async function watchFaults(run: Run, row: ExperimentRow, { others, traffic }: Beside): Promise<string | null> {
  const { context, watch, pause } = run
  const { kernel } = context
  const guards = new Set([othersGuard, ...row.guards.map(({ name }) => name)])
  const untilMs = kernel.clock.monotonic() + row.ttl_seconds * 1000
  for (let looks = 1; ; looks += 1) {
    await traffic?.look()
    await pause()
    const now = await stateOf(run)
    if (now.cause !== null) return now.cause
    if (now.isFinished || now.affected >= row.blast_radius.max_affected_calls) return null
    const results = await look(run, row, { phase: 'injecting', others })
    const cause = watch.see(results, kernel.clock.now(), (name) => guards.has(name))
    if (cause !== null) return cause
    if (kernel.clock.monotonic() >= untilMs) return null
    if (looks % renewEveryLooks === 0) await context.transaction((tx) => announceRules(tx, rulesOf(row)))
  }
}

const rulesOf = ({ id, tenant_id: tenantId, faults, blast_radius, seed, scope }: ExperimentRow) => ({
  ...{ experimentId: id, tenantId, faults, seed, percentage: blast_radius.percentage },
  requestPrefix: scope === 'synthetic' ? syntheticPrefix(id) : null,
})

interface State {
  readonly cause: string | null
  readonly isFinished: boolean
  readonly affected: number
}

async function stateOf({ context, id }: Run): Promise<State> {
  const { kernel, tenantId } = context
  const row = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => experiments.get(tx, id))
  const lever = await readLevers(kernel, tenantId)
  const cause = row?.abort_cause ?? (lever.tenant || lever.platform ? 'lever' : null)
  return { cause, isFinished: row?.stop_wanted ?? true, affected: row?.affected_calls ?? 0 }
}

/** Ends the faults everywhere and waits for the steady state. */
async function recover(run: Run, row: ExperimentRow, cause: string | null) {
  const { context, id, pause } = run
  const { kernel, transaction } = context
  const endedMs = kernel.clock.now()
  await transaction(async (tx) => {
    const held = await hold(tx, experimentResource, { id, precondition: anyVersion })
    await write(kernel, tx, held, { status: 'recovering', stop_wanted: true, abort_cause: cause ?? undefined })
    await announceStop(tx, id)
    await writeJournal(kernel, tx, id, [{ kind: 'stopped', data: { cause } }])
  })
  if (row.probes.length === 0) return { endedMs, recoveredMs: null }
  let goodSinceMs: number | null = null
  let good = 0
  for (let looks = 0; looks < mostRecoveryLooks; looks += 1) {
    const results = await look(run, { ...row, guards: [] }, { phase: 'recovering' })
    const isGood = results.every(({ within }) => within)
    goodSinceMs = isGood ? (goodSinceMs ?? kernel.clock.now()) : null
    good = isGood ? good + 1 : 0
    if (good >= goodLooks) return { endedMs, recoveredMs: goodSinceMs }
    await pause()
  }
  return { endedMs, recoveredMs: null }
}
