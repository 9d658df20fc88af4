/** Runs the detectors over labeled rows and keeps what the figures need: scores and counts, never texts. */

import type { Channel } from '../src/base/finding.ts'
import type { Detector } from '../src/detector.ts'
import type { Thresholds } from '../src/injection/policy.ts'
import { channelOfKind } from './channel-of-kind.ts'
import { type InjectionReport, injectionReport, type ScoredRow } from './injection-report.ts'
import { createTextPool, type LatencyReport, measureLatency } from './latency.ts'
import { packageType } from './pii-types.ts'
import type { EvalRow, InjectionRow, SpanRow } from './rows.ts'
import { type SpanReport, spanReport } from './span-report.ts'
import { createSpanTally, tallyRow } from './span-tally.ts'

export interface EvaluationOptions {
  readonly detector: Detector
  /** `auto` takes it from the kind of a row. */
  readonly channel: Channel | 'auto'
  readonly thresholds: Thresholds
}

export interface EvaluationReport {
  /** Version of the model and rules. */
  readonly pack: string
  readonly injection?: InjectionReport
  readonly pii?: SpanReport
  readonly secrets?: SpanReport
  /** Milliseconds by detector and size. */
  readonly latency?: LatencyReport
}

export interface Evaluation {
  add(row: EvalRow): void
  /** With a clock (milliseconds) latency is measured as well. */
  report(now?: () => number): EvaluationReport
}

/** An evaluation without rows. */
export function createEvaluation({ detector, channel, thresholds }: EvaluationOptions): Evaluation {
  const scored: ScoredRow[] = []
  const tallies = { pii: createSpanTally(), secrets: createSpanTally() }
  const rows = { pii: 0, secrets: 0 }
  const pool = createTextPool()

  const addSpans = ({ engine, text, kind, spans }: SpanRow): void => {
    rows[engine] += 1
    if (spans.length === 0) pool.add(text)
    const found = engine === 'pii' ? detector.findPii(text) : detector.findSecrets(text)
    const labels = spans.map((span) => (engine === 'pii' ? { ...span, type: packageType(span.type) } : span))
    tallyRow(tallies[engine], { kind, labels, found }, { anyType: engine === 'secrets' })
  }
  const addPrompt = ({ text, isAttack, kind, source }: InjectionRow): void => {
    if (!isAttack) pool.add(text)
    const from = channel === 'auto' ? channelOfKind(kind) : channel
    scored.push({ score: detector.scanPrompt(text, { channel: from }).score, isAttack, kind, source })
  }
  const add = (row: EvalRow): void => {
    if (row.engine === 'injection') addPrompt(row)
    else addSpans(row)
  }
  return {
    add,
    report: (now) => ({
      pack: detector.pack,
      ...(scored.length > 0 && { injection: injectionReport(scored, thresholds) }),
      ...(rows.pii > 0 && { pii: spanReport(tallies.pii, rows.pii) }),
      ...(rows.secrets > 0 && { secrets: spanReport(tallies.secrets, rows.secrets) }),
      ...(now !== undefined && pool.text() !== '' && { latency: latencyOf(detector, pool.text(), now) }),
    }),
  }
}

function latencyOf(detector: Detector, text: string, now: () => number): LatencyReport {
  const tasks = [
    { name: 'injection', run: (slice: string) => detector.scanPrompt(slice) },
    { name: 'pii', run: (slice: string) => detector.findPii(slice) },
    { name: 'secrets', run: (slice: string) => detector.findSecrets(slice) },
  ]
  const together = { name: 'together', run: (slice: string) => tasks.map(({ run }) => run(slice)) }
  return measureLatency(text, [...tasks, together], now)
}
