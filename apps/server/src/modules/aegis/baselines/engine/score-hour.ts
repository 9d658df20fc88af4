/**
 * Scores one hour of an agent with all detectors and learns from it. Pure: equal input gives equal findings. The hours of
 * an agent come one after another, those without activity too. Tested in ../simulation/simulation.test.ts.
 */
import { judgeDrift } from './drift.ts'
import { addTotals, type Feature, features, type HourValues, scaled } from './features.ts'
import type { Finding } from './finding.ts'
import { judgeLevel } from './level.ts'
import { type FirstUse, judgeNovelty } from './novelty.ts'
import type { PeerBucket } from './peers.ts'
import { judgeSequences } from './sequence.ts'
import type { BaselineState, Bucket } from './state.ts'
import { judgeToolMix } from './tool-mix.ts'

export interface HourInput {
  /** Hours since 1970, UTC. */
  readonly hour: number
  readonly values: HourValues
  /** Calls by tool. */
  readonly tools: Readonly<Record<string, number>>
  readonly sequences: readonly (readonly string[])[]
  readonly firstUses: readonly FirstUse[]
  /** The same bucket of the agent's peers; default none. */
  readonly peers?: PeerBucket | undefined
}

export interface HourResult {
  readonly state: BaselineState
  readonly bucket: Bucket
  readonly findings: readonly Finding[]
}

/** Hours in which a detector does not fire again for the same feature: an ongoing deviation is one anomaly. */
const quietHours = 24

/** @param bucket the seasonal bucket of the hour */
export function scoreHour(state: BaselineState, bucket: Bucket, input: HourInput): HourResult {
  const { hour, values, peers = {} } = input
  const level = judgeLevel({ state, bucket, peers, hour, values })
  const sequence = judgeSequences(state, input)
  const novelty = judgeNovelty(state, { hour, uses: input.firstUses })
  const learned: BaselineState = {
    ...state,
    previous: { hour, z: level.z },
    today: withHour(state, input),
    chain: sequence.chain,
    windows: sequence.windows,
  }
  const day = hour % 24 === 23 ? endDay(learned, hour + 1) : { state: learned, findings: [] }
  const found = [level.finding, sequence.finding, ...novelty, ...day.findings].filter((each) => each !== null)
  const { findings, fired } = onceADay(state.fired, hour, found)
  return {
    state: { ...day.state, totals: addTotals(state.totals, values), fired },
    bucket: level.bucket,
    findings,
  }
}

function withHour(state: BaselineState, { hour, values, tools }: HourInput): NonNullable<BaselineState['today']> {
  const day = Math.floor(hour / 24)
  const today = state.today?.day === day ? state.today : { day, values: {}, tools: {}, calls: 0 }
  const hourly: Partial<Record<Feature, readonly number[]>> = { ...today.values }
  for (const feature of features) {
    const value = scaled(feature, values, state.totals)
    if (value !== null) hourly[feature] = [...(hourly[feature] ?? []), value.y]
  }
  return { day, values: hourly, tools: summed(today.tools, tools), calls: today.calls + values.calls }
}

/** Tools of a day that are counted separately. */
const mostTools = 200

function summed(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) {
  const sum = new Map(Object.entries(one))
  for (const [name, count] of Object.entries(other))
    if (sum.has(name) || sum.size < mostTools) sum.set(name, (sum.get(name) ?? 0) + count)
  return Object.fromEntries(sum)
}

function endDay(state: BaselineState, hour: number) {
  const drift = judgeDrift(state, hour)
  const mix = judgeToolMix(state, hour)
  const dayCalls = [...state.dayCalls, state.today?.calls ?? 0].slice(-7)
  return {
    state: { ...state, days: drift.days, charts: drift.charts, toolDays: mix.toolDays, dayCalls, today: null },
    findings: [...drift.findings, ...(mix.finding === null ? [] : [mix.finding])],
  }
}

function onceADay(fired: BaselineState['fired'], hour: number, found: readonly Finding[]) {
  const recent = new Map(Object.entries(fired).filter(([, at]) => hour - at < quietHours))
  const findings = found.filter(({ detector, feature }) => {
    const key = `${detector}:${detector === 'level' ? '' : feature}`
    const isNew = !recent.has(key)
    if (isNew) recent.set(key, hour)
    return isNew
  })
  return { findings, fired: Object.fromEntries(recent) }
}
