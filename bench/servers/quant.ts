/** Exact and simulated annual loss in one process, beside NumPy doing the same law where python3 has it, in turns. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import {
  createCorrelatedSimulation,
  createSimulation,
  exactAnnualLoss,
  planOf,
  type SimulationSettings,
  summarize,
} from '../../packages/quant/src/index.ts'
import { modelA, modelF, pert } from '../../packages/quant/test/oracle-cases.ts'
import { answerUsage } from '../usage.mjs'

const years = 1_000_000
const settings = (model: typeof modelA): SimulationSettings => ({
  plans: [planOf(model)],
  iterations: years,
  seed: '42',
})

if (!isMainThread) {
  const simulation = createSimulation(workerData)
  parentPort?.on('message', ([from, to]: readonly [number, number]) => {
    const losses = simulation.run(from, to)
    parentPort?.postMessage(losses, [losses.buffer])
  })
  parentPort?.postMessage('ready')
} else await measure()

function milliseconds(run: () => unknown): number {
  const began = process.hrtime.bigint()
  run()
  return Number(process.hrtime.bigint() - began) / 1e6
}

function sha256(parts: readonly Float64Array[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
  return hash.digest('hex')
}

/** Simulated years and statistics, tables in the cache after the first round. */
function simulated(model: typeof modelA): () => unknown {
  return () => {
    const simulation = createSimulation(settings(model))
    return summarize(simulation.run(0, simulation.blocks))
  }
}

function correlated(): () => unknown {
  const plans = Array.from({ length: 20 }, (_, i) =>
    planOf({
      nodes: { loss_event_frequency: pert(0.5, 2, 5 + 0.1 * i), loss_magnitude: pert(1e4, 5e4, 3e5 + 1e3 * i) },
    }),
  )
  const variables = plans.map((_, scenario) => ({ scenario, pointer: '/nodes/loss_event_frequency' }))
  const spearman = plans.map((_, i) => plans.map((__, j) => (i === j ? 1 : 0.3)))
  return () => {
    const simulation = createCorrelatedSimulation({ plans, variables, spearman, iterations: 100_000, seed: '42' })
    return summarize(simulation.run(0, simulation.blocks))
  }
}

/** Seconds of NumPy for the laws A and F with statistics; null where python3 or NumPy is missing. */
function numpy(): { readonly A: number; readonly F: number } | null {
  const script = fileURLToPath(new URL('../../bench/servers/quant-numpy.py', import.meta.url))
  const { status, stdout } = spawnSync('python3', [script, String(years)], { encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : null
}

function startWorkers(): Promise<readonly Worker[]> {
  const started = [0, 1].map(
    () =>
      new Promise<Worker>((resolve, reject) => {
        const worker = new Worker(new URL(import.meta.url), { workerData: settings(modelA) })
        worker.once('error', reject)
        worker.once('message', () => resolve(worker))
      }),
  )
  return Promise.all(started)
}

async function twoWorkers(workers: readonly Worker[], blocks: number): Promise<readonly Float64Array[]> {
  const middle = Math.ceil(blocks / 2)
  const ranges = [
    [0, middle],
    [middle, blocks],
  ]
  return Promise.all(
    workers.map(
      (worker, i) =>
        new Promise<Float64Array>((resolve) => {
          worker.once('message', resolve)
          worker.postMessage(ranges[i])
        }),
    ),
  )
}

async function measure(): Promise<void> {
  const times: Record<string, number[]> = {}
  const note = (name: string, took: number): void => {
    times[name] ??= []
    times[name].push(took)
  }
  const jobs: Readonly<Record<string, () => unknown>> = {
    'A, 10^6 years': simulated(modelA),
    'F, 10^6 years': simulated(modelF),
    'exact A': () => exactAnnualLoss([planOf(modelA)]).tailMean(0.95),
    'exact F': () => exactAnnualLoss([planOf(modelF)]).tailMean(0.95),
    '20 correlated risks, 10^5 years': correlated(),
  }
  const first = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, milliseconds(job)]))
  const workers = await startWorkers()
  const simulation = createSimulation(settings(modelA))
  const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
  const hashes = new Set<string>()
  for (let round = -1; round < rounds; round += 1) {
    const peer = numpy()
    for (const [name, job] of Object.entries(jobs)) {
      const took = milliseconds(job)
      if (round >= 0) note(name, took)
    }
    const began = process.hrtime.bigint()
    const parts = await twoWorkers(workers, simulation.blocks)
    if (round >= 0) note('A, two workers, years only', Number(process.hrtime.bigint() - began) / 1e6)
    hashes.add(sha256(parts))
    if (round >= 0 && peer !== null) {
      note('NumPy A', peer.A * 1e3)
      note('NumPy F', peer.F * 1e3)
    }
  }
  hashes.add(sha256([simulation.run(0, simulation.blocks)]))
  hashes.add(sha256([simulation.run(0, 100), simulation.run(100, simulation.blocks)]))
  if (hashes.size !== 1) throw new Error('Workers and a stopped run do not give the same losses.')
  await Promise.all(workers.map((worker) => worker.terminate()))
  answerUsage({ times, first })
}
