import type { Channel } from '../src/base/finding.ts'
import {
  type Audience,
  audienceOf,
  audiences,
  bucketOfLength,
  type Calibration,
  lengthBuckets,
  scoreAtRate,
} from '../src/injection/model/calibration.ts'
import type { Row } from './rows/row.ts'

export interface Scored {
  readonly row: Row
  readonly channel: Channel
  readonly logit: number
}

/** Rows a table is fitted on at least; with fewer, neighbors of the length bucket are added, of the same audience. */
const least = 300

/**
 * For each audience and length the logits that harmless texts exceed at the rates of `scoreAtRate`. Only given sources
 * count, because their texts were scored by models that had seen nothing of them; generated and written ones never are.
 * For long English documents those of `unseen` packages stand: the finished model judged them, and those of the
 * folds know less. Sources count alike whatever their size, and the far tail is an exponential fitted to the highest 2 %,
 * because a rate of 0.1 % has a handful of rows behind it.
 */
export function calibrate(scored: readonly Scored[], unseen: readonly Scored[]): Calibration {
  const given = scored.filter(({ row }) => row.label === 0 && !/^(?:gen|hard|written)-/.test(row.source))
  const harmless = [...given.filter(({ row }) => !isLongDocument(row)), ...unseen]
  const tables = (audience: Audience): number[][] =>
    lengthBuckets.map((longest, bucket) => {
      const isManual = audience === 'unaddressed' && longest > manyPlaces
      return tableOf(nearby(harmless, audience, bucket), isManual ? caution : asItIs)
    })
  const [addressed, unaddressed] = audiences.map(tables)
  return { addressed: addressed ?? [], unaddressed: unaddressed ?? [] }
}

const isLongDocument = ({ kind, lang, text }: Row): boolean =>
  lang === 'en' && text.length > longFrom && (kind === 'code' || kind.endsWith('document'))

/** Longest documents for which a rate is taken as it is. */
const manyPlaces = 3_000
/**
 * Of every rate that longer documents are held to. Few manuals stand behind their tables, and what one of them looks like all
 * its pages do: of 300 independent texts 0.7 % may lie over a threshold for it to be under 1.5 % of all, 19 times in 20 (normal approximation).
 */
const caution = (rate: number): number => rate * (rate < rare ? 0.2 : 0.7)
/** Rates below which texts are blocked: none of a thousand manuals should be, where one of them would be at 0.7. */
const rare = 0.005
const asItIs = (rate: number): number => rate

/** Shortest of the unseen texts. */
const longFrom = 800

function nearby(harmless: readonly Scored[], audience: Audience, bucket: number): readonly Scored[] {
  const own = harmless.filter(({ channel }) => audienceOf(channel) === audience)
  for (let reach = 0; reach < lengthBuckets.length; reach += 1) {
    const close = own.filter(({ row }) => Math.abs(bucketOfLength(row.text.length) - bucket) <= reach)
    if (close.length >= least) return close
  }
  return own
}

/** Words of an interface, of a site that teaches prompting above all, would set the threshold alone at full weight. */
const shares: Readonly<Record<string, number>> = { 'prompts-chat-ui': 0.1, docusaurus: 0.2 }
const shareOf = (source: string): number => shares[source] ?? 1

interface Weighted {
  readonly logit: number
  readonly weight: number
}

function tableOf(rows: readonly Scored[], held: (rate: number) => number): number[] {
  const counts = new Map<string, number>()
  for (const { row } of rows) counts.set(row.source, (counts.get(row.source) ?? 0) + 1)
  const weighted = rows
    .map(({ row, logit }) => ({ logit, weight: shareOf(row.source) / Math.sqrt(counts.get(row.source) ?? 1) }))
    .sort((a, b) => b.logit - a.logit)
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  const tail = tailOf(weighted, total)
  const knots = scoreAtRate.map(([rate]) => {
    return held(rate) >= tail.rate ? quantile(weighted, held(rate) * total) : tail.at(held(rate))
  })
  return rising(knots)
}

/** Logit that rows of `weight` altogether lie above. */
function quantile(sorted: readonly Weighted[], weight: number): number {
  let sum = 0
  for (const { logit, weight: own } of sorted) {
    sum += own
    if (sum >= weight) return logit
  }
  return sorted[sorted.length - 1]?.logit ?? 0
}

/** Exponential beyond the 5 % quantile: mean excess of the rows above it. */
function tailOf(sorted: readonly Weighted[], total: number): { rate: number; at: (rate: number) => number } {
  const rate = 0.02
  const from = quantile(sorted, rate * total)
  const above = sorted.filter(({ logit }) => logit > from)
  const weight = above.reduce((sum, { weight: own }) => sum + own, 0)
  const excess = above.reduce((sum, { logit, weight: own }) => sum + (logit - from) * own, 0) / (weight || 1)
  return { rate, at: (wanted) => from + Math.max(excess, 0.05) * Math.log(rate / wanted) }
}

const step = 1e-3

function rising(knots: readonly number[]): number[] {
  let last = Number.NEGATIVE_INFINITY
  return knots.map((knot) => {
    last = Math.max(Math.fround(knot), last + step)
    return last
  })
}
