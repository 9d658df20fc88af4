/**
 * Results of an evaluation from the measures of its questions: means, latencies, and the difference of two configurations
 * with its interval. Pure. Tested in results.test.ts.
 */
import { type Measures, measureNames, type Results } from '../declared/evaluation-schema.ts'
import { pairedBootstrap, percentile } from '../retrieval/measures.ts'

export interface Measured {
  readonly measures: Measures
  /** Of retrieval. */
  readonly ms: number
  readonly tokens: number
}

export const noMeasures: Measures = {
  ...{ ndcg: null, recall: null, mrr: null, context_precision: null },
  ...{ groundedness: null, citation_precision: null, citation_recall: null, refusal_correctness: null },
}

/** @param other of the same questions, in the same order; null without a candidate */
export function resultsOf(own: readonly Measured[], other: readonly Measured[] | null): Results {
  if (other === null) return { baseline: summaryOf(own), candidate: null, difference: null, verdict: null }
  const difference = eachMeasure((name) => differenceOf(own, other, name))
  const gain = difference.ndcg
  return {
    ...{ baseline: summaryOf(own), candidate: summaryOf(other), difference },
    verdict: gain !== null && gain.low > 0 ? 'better' : gain !== null && gain.high < 0 ? 'worse' : 'no_difference',
  }
}

type Name = keyof Measures

const eachMeasure = <T>(make: (name: Name) => T) =>
  Object.fromEntries(measureNames.map((name) => [name, make(name)])) as Record<Name, T>

function summaryOf(measured: readonly Measured[]): Results['baseline'] {
  const times = measured.map(({ ms }) => ms)
  return {
    ...eachMeasure((name) => meanOf(measured.flatMap(({ measures }) => measures[name] ?? []))),
    ...{ latency_p50_ms: percentile(times, 0.5), latency_p95_ms: percentile(times, 0.95) },
    total_tokens: measured.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

function differenceOf(own: readonly Measured[], other: readonly Measured[], name: Name) {
  const pairs = own.flatMap(({ measures }, at) => {
    const [before, after] = [measures[name], other[at]?.measures[name] ?? null]
    return before === null || after === null ? [] : [{ before, after }]
  })
  if (pairs.length === 0) return null
  return pairedBootstrap(
    pairs.map(({ before }) => before),
    pairs.map(({ after }) => after),
  )
}
