/** Judges one item of a dry run by the guardrails that are tried, and by those that run. */

import { type Asked, type Evaluation, evaluateGuardrails } from '../engine/evaluate.ts'
import type { Running } from '../engine/live-set.ts'
import type { Candidates } from './candidates.ts'
import type { Item } from './item.ts'
import { replayedRates } from './rates.ts'
import type { Judged } from './report.ts'

/** Variables of expressions that a record does not have. */
const unrecorded = ['args', 'input', 'result']

export function createJudge({ stage, tried, running }: Candidates, monotonic: () => number): (item: Item) => Judged {
  const [rates, ratesOfRunning] = [replayedRates(), replayedRates()]
  const bare = new Set(tried[stage].filter(readsContents).map(({ id }) => id))
  const decidable = { ...tried, [stage]: tried[stage].filter(({ id }) => !bare.has(id)) }
  return (item) => {
    const asked: Asked[] = []
    const set = item.isBare ? decidable : tried
    const evaluation = now(
      evaluateGuardrails(set, item.context, { rates, monotonic, observe: (one) => asked.push(one) }),
    )
    const before = now(evaluateGuardrails(running, item.context, { rates: ratesOfRunning, monotonic }))
    return {
      ...{ item, evaluation, evaluated: asked.length, failed: asked.some(({ failed }) => failed) },
      undecided: item.isBare && bare.size > 0,
      running: before.hits.some(({ failed }) => !failed),
    }
  }
}

function readsContents({ definition: { checks }, analysis }: Running): boolean {
  return (
    checks.some(({ type }) => type === 'json_schema' || type === 'detector') ||
    analysis.fields.some((name) => unrecorded.includes(name))
  )
}

/** Rates are replayed here, so that no evaluation waits for anything. */
function now(evaluation: Evaluation | Promise<Evaluation>): Evaluation {
  if (evaluation instanceof Promise) throw new TypeError('A dry run does not wait')
  return evaluation
}
