import type { Channel } from '../../base/finding.ts'

/**
 * Scores mean false-positive rates on harmless text: 0.5 is reached by 1 % of it, 0.9 by 0.1 %. Each pair is a rate and
 * the score that stands for it; between them the score is linear in the logit.
 */
export const scoreAtRate: readonly (readonly [rate: number, score: number])[] = [
  [0.5, 0.05],
  [0.2, 0.15],
  [0.1, 0.25],
  [0.03, 0.4],
  [0.01, 0.5],
  [0.005, 0.7],
  [0.001, 0.9],
  [0.0001, 0.98],
]

/** Most characters of a text in each length bucket; longer texts have more windows and so more chances to look bad. */
export const lengthBuckets: readonly number[] = [32, 200, 800, 3_000, 12_000, Number.POSITIVE_INFINITY]

export type Audience = 'addressed' | 'unaddressed'
export const audiences: readonly Audience[] = ['addressed', 'unaddressed']

/** Texts without an addressee (documents, tool results) are calibrated apart from people's messages to a model. */
export function audienceOf(channel: Channel): Audience {
  return channel === 'user' || channel === 'system' || channel === 'model_output' ? 'addressed' : 'unaddressed'
}

/** For an audience and a length bucket the logits that the rates of `scoreAtRate` stand at, rising. */
export type Calibration = Readonly<Record<Audience, readonly (readonly number[])[]>>

export function bucketOfLength(characters: number): number {
  return lengthBuckets.findIndex((most) => characters <= most)
}

/** Score 0..1 of a logit: monotone, continuous, 0 and 1 only in the limit. */
export function scoreOf(calibration: Calibration, audience: Audience, { logit, characters }: Judged): number {
  const knots = calibration[audience][bucketOfLength(characters)] ?? []
  const [first = 0] = knots
  const [, lowest = 0] = scoreAtRate[0] ?? []
  if (logit <= first) return lowest * Math.exp(Math.max(-60, logit - first))
  for (let i = 1; i < knots.length; i += 1) {
    const [from = 0, to = 0] = [knots[i - 1], knots[i]]
    if (logit > to) continue
    const [, low = 0] = scoreAtRate[i - 1] ?? []
    const [, high = 0] = scoreAtRate[i] ?? []
    return low + ((high - low) * (logit - from)) / (to - from)
  }
  const last = knots[knots.length - 1] ?? 0
  return 1 - 0.02 * Math.exp(-Math.min(60, logit - last))
}

export interface Judged {
  readonly logit: number
  /** Of the text as it came. */
  readonly characters: number
}
