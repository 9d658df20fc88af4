/** Scoring with many open events in one process, beside the least that could read the same evidence, in turns. */
import { createHash } from 'node:crypto'
import { DEFAULT_DECAY_CONFIG } from '../../apps/server/src/modules/trust/engine/config-defaults.ts'
import type { SignalEvent } from '../../apps/server/src/modules/trust/engine/events-penalty.ts'
import type { SignalInput } from '../../apps/server/src/modules/trust/engine/evidence.ts'
import { nextActions } from '../../apps/server/src/modules/trust/engine/explain/actions.ts'
import { attribute, priorSide, sideOf } from '../../apps/server/src/modules/trust/engine/explain/attribution.ts'
import { forecastGrades } from '../../apps/server/src/modules/trust/engine/explain/forecast.ts'
import { retainEvidence } from '../../apps/server/src/modules/trust/engine/retention.ts'
import { composeScore, type ScoreInput } from '../../apps/server/src/modules/trust/engine/score.ts'
import { SIGNAL_IDS, SIGNALS } from '../../apps/server/src/modules/trust/engine/signals.ts'
import { takeSnapshot } from '../../apps/server/src/modules/trust/engine/snapshot.ts'
import { downsample } from '../../apps/server/src/modules/trust/history/downsample.ts'
import { answerUsage } from '../usage.mjs'

const rounds = Number(process.env.BENCH_ROUNDS ?? 300)
const warmUp = Math.ceil(rounds / 10)
const hour = 3_600_000
const now = Date.UTC(2026, 2, 1, 12)
const iso = (hoursAgo: number): string => new Date(now - hoursAgo * hour).toISOString()
const severities = ['low', 'medium', 'high', 'critical'] as const

function evidence(share: number): ScoreInput {
  const events = (id: string): readonly SignalEvent[] =>
    Array.from({ length: 5_000 }, (_, i) => ({
      id: `${id}-${i}`,
      severity: severities[i % 4] ?? 'low',
      at: iso(800 + i / 10),
      ...(i % 10 < share * 10 ? { closed_at: iso((i % 700) + 1) } : {}),
    }))
  const signals = SIGNAL_IDS.map((id, i): SignalInput => {
    const observed_at = iso(i * 7)
    if (SIGNALS[id].class === 'event') return { id, observed_at: iso(0), events: events(id) }
    return i % 2 === 0 ? { id, observed_at, good: 800 + i, n: 1_000 } : { id, observed_at, value: 60 + i, n: null }
  })
  return { at: iso(0), config: DEFAULT_DECAY_CONFIG, signals, caps: [{ id: 'kill_switch_active', active: false }] }
}

const penalties = { low: 0.5, medium: 2, high: 5, critical: 10 } as const

/** One pass over the same events with the built-in functions, and one over the signals; no check, no rounding. */
function floor(input: ScoreInput): number {
  let sum = 0
  for (const { events, value, good, n } of input.signals) {
    sum += value ?? ((good ?? 0) * 100) / (n ?? 1)
    for (const { severity, closed_at } of events ?? []) {
      const age = closed_at ? (now - Date.parse(closed_at)) / (24 * hour) : 0
      sum += penalties[severity] * 2 ** (-age / 7)
    }
  }
  return sum
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const open = evidence(0)
const half = evidence(0.5)
const score = composeScore(half)
const side = sideOf(score, 50)
const year = Array.from({ length: 8_760 }, (_, i) => {
  const value = 5_000 + Math.round(2_000 * Math.sin(i / 50)) + ((i * 7_919) % 500)
  return { time: i * hour, value, min: value, max: value }
})

const tasks: Readonly<Record<string, () => unknown>> = {
  'score, 10,000 open events': () => composeScore(open),
  'floor, 10,000 open events': () => floor(open),
  'score, half of 10,000 closed': () => composeScore(half),
  'floor, half of 10,000 closed': () => floor(half),
  'run: retain, score, hash': () => takeSnapshot({ ...half, ...retainEvidence(half, half) }, sha256),
  'floor of a run: JSON and SHA-256': () => sha256(JSON.stringify(half)),
  'contributions against the prior': () => attribute(side, priorSide(DEFAULT_DECAY_CONFIG), DEFAULT_DECAY_CONFIG),
  'forecast of 400 days': () => forecastGrades({ at: half.at, score, config: half.config }),
  'next actions': () => nextActions(half, side),
  'a year of hours to 500 points': () => downsample(year, 500),
}

const times: Record<string, number[]> = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]))
for (let round = -warmUp; round < rounds; round++) {
  for (const [name, run] of Object.entries(tasks)) {
    const began = process.hrtime.bigint()
    run()
    if (round >= 0) times[name]?.push(Number(process.hrtime.bigint() - began) / 1e6)
  }
}

answerUsage({ times, signals: SIGNAL_IDS.length })
