/**
 * Runs of the discrete-event simulation. Promises that the results of a run depend on the seed and its number alone, so
 * that any division among threads gives the same bits. Pure. Tested in simulate.test.ts.
 */
import {
  createOutageSimulator,
  createOutageStatistics,
  type OutageRecorder,
  type OutageStatistics,
  RandomStream,
  type RecoveryObjective,
  type ServiceOutages,
  seedKey,
} from '@parapet/quant'
import type { ModelParts } from '../declared/model-schema.ts'
import { type CriticalShare, createPathCounter, type PathCounter } from './critical-path.ts'
import { hour, planOfModel } from './plan.ts'

export interface SimulationInputs {
  readonly parts: ModelParts
  /** Services that fail, by key, at a time in minutes; null for all causes by chance. */
  readonly failing: Readonly<Record<string, number>>
  readonly horizonHours: number
  readonly seed: string
}

/** Runs of a block: what a thread does at a time. */
export const blockRuns = 500

export interface BlockResult {
  readonly states: readonly ServiceOutages[]
  readonly events: number
  /** Of the first block: how often each service decided the end of another's outage, and the outages of the first run. */
  readonly paths: readonly CriticalShare[] | null
  readonly timeline: readonly TimelineOutage[] | null
}

export interface TimelineOutage {
  readonly service: string
  readonly start_minutes: number
  readonly end_minutes: number
  readonly finished: boolean
}

const longestTimeline = 200

/** Runs `[from, to)`. */
export function simulateRuns(inputs: SimulationInputs, from: number, to: number): BlockResult {
  const { keys, model } = planOfModel(inputs.parts, { failsAt: new Map(Object.entries(inputs.failing)) })
  const simulator = createOutageSimulator(model)
  const statistics = createOutageStatistics(objectivesOf(inputs.parts))
  const paths = from === 0 ? createPathCounter(model, keys) : null
  const timeline: TimelineOutage[] = []
  const key = seedKey(inputs.seed)
  const stream = new RandomStream()
  const uniform = () => stream.uniform()
  const horizon = inputs.horizonHours * hour
  let events = 0
  for (let run = from; run < to; run += 1) {
    stream.seek(key, run, 0)
    const recorder = recorderOf(statistics, { paths, keys, timeline: run === 0 ? timeline : null })
    events += simulator.run(uniform, horizon, recorder)
    paths?.endRun()
  }
  const isFirst = from === 0
  return {
    states: statistics.state(),
    events,
    paths: paths?.shares() ?? null,
    timeline: isFirst ? timeline.slice(0, longestTimeline) : null,
  }
}

export function objectivesOf({ services }: ModelParts): readonly RecoveryObjective[] {
  return services.map(({ objectives = {} }) => ({
    rto: objectives.rto_minutes ?? null,
    rpo: objectives.rpo_minutes ?? null,
    level: objectives.level ?? 0.95,
  }))
}

interface Watching {
  readonly paths: PathCounter | null
  readonly keys: readonly string[]
  readonly timeline: TimelineOutage[] | null
}

function recorderOf({ recorder }: OutageStatistics, { paths, keys, timeline }: Watching): OutageRecorder {
  if (paths === null && timeline === null) return recorder
  return {
    ...recorder,
    outage: (service, start, end, finished) => {
      recorder.outage(service, start, end, finished)
      if (finished) paths?.add(service, start, end)
      if (timeline !== null && timeline.length < longestTimeline)
        timeline.push({ service: keys[service] ?? '', start_minutes: start, end_minutes: end, finished })
    },
  }
}
