/**
 * The gateway's Prometheus metrics. Promises label values from closed lists only: steps, kinds of providers, codes and
 * statuses, never a tenant, a model or a word of a caller. Tested in meters.test.ts.
 */

import type { Metrics } from '../../../kernel/observe/metrics.ts'
import type { AttemptTrace, WithAttempts } from '../attempts/call-attempts.ts'
import { errors } from '../declared/errors.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { stepNames } from '../pipeline/progress/step-names.ts'
import { faultRules, UpstreamFault } from '../providers/fault.ts'
import { clientClosedCode, stepsOf } from '../records/row.ts'
import { classifierFailures } from '../schemas/opinion.ts'
import { decisions, requestStatuses } from '../schemas/request.ts'
import { cacheStatuses } from '../words/cache-status.ts'
import { operations } from '../words/operations.ts'
import { providerKinds } from '../words/provider-kinds.ts'
import { endOf, targetOf } from './ended.ts'

export interface Meters {
  ended(state: CallParts, nowMs: number): void
}

// Seconds. The budgets of the steps are 50 µs to 10 ms; anything longer has gone wrong.
const ownBuckets = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5]
// Seconds. From a cached read to the longest a model thinks.
const waitBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

const providers = [...providerKinds, 'none'] as const
/** Of calls that could not be read, or go on from nothing. */
const otherCodes = ['API-001', 'API-002', 'API-005', 'API-006', 'API-013']
const codes = [...Object.values(errors).map(({ code }) => code), clientClosedCode, ...otherCodes]
const attemptEnds = ['answered', 'outrun', 'ended', 'killed', ...Object.keys(faultRules)]

export function createMeters(metrics: Metrics): Meters {
  const record = {
    steps: stepMeter(metrics),
    attempts: attemptMeter(metrics),
    calls: callMeter(metrics),
    opinions: opinionMeter(metrics),
  }
  return {
    ended: (state, nowMs) => {
      record.steps(state)
      record.attempts(state, nowMs)
      record.calls(state, nowMs)
      record.opinions(state)
    },
  }
}

function stepMeter(metrics: Metrics): (state: WithFindings & WithAttempts & WithProgress) => void {
  const durations = metrics.histogram({
    name: 'gateway_step_duration_seconds',
    help: 'Own time of each step of the pipeline',
    labels: { step: stepNames },
    buckets: ownBuckets,
  })
  const total = metrics
    .histogram({
      name: 'gateway_pipeline_duration_seconds',
      help: 'Own time of a call in all its steps, without the wait for the provider',
      buckets: ownBuckets,
    })
    .bind({})
  const failures = metrics.counter({
    name: 'gateway_step_failures_total',
    help: 'Steps that failed themselves, whether the call went on or not',
    labels: { step: stepNames },
  })
  const byStep = new Map<string, (seconds: number) => void>(stepNames.map((step) => [step, durations.bind({ step })]))
  return (state) => {
    let sum = 0
    for (const { name, ms, failed } of stepsOf(state)) {
      sum += ms
      byStep.get(name)?.(ms / 1000)
      if (failed) failures.add({ step: name })
    }
    total(sum / 1000)
  }
}

function attemptMeter(metrics: Metrics): (state: WithAttempts, nowMs: number) => void {
  const labels = { provider: providerKinds }
  const durations = metrics.histogram({
    name: 'gateway_upstream_duration_seconds',
    help: 'Questions to providers, from the question to the last of the answer',
    ...{ labels, buckets: waitBuckets },
  })
  const ends = metrics.counter({
    name: 'gateway_upstream_attempts_total',
    help: 'Questions to providers by how they ended',
    labels: { ...labels, end: attemptEnds },
  })
  return ({ attempts: { traces: asks } }, nowMs) => {
    for (const attempt of asks) {
      const provider = attempt.target.provider.kind
      durations.observe({ provider }, ((attempt.endedMs ?? nowMs) - attempt.startedMs) / 1000)
      ends.add({ provider, end: endWord(attempt) })
    }
  }
}

function endWord({ end }: AttemptTrace): string {
  if (end === null) return 'answered'
  return end instanceof UpstreamFault ? end.kind : end
}

function callMeter(metrics: Metrics): (state: CallParts, nowMs: number) => void {
  const calls = metrics.counter({
    name: 'gateway_calls_total',
    help: 'Calls by what became of them',
    labels: { operation: operations, provider: providers, status: requestStatuses, decision: decisions },
  })
  const durations = metrics.histogram({
    name: 'gateway_call_duration_seconds',
    help: 'Calls from their first to their last moment, the wait for the provider included',
    ...{ labels: { provider: providers }, buckets: waitBuckets },
  })
  const firstToken = metrics.histogram({
    name: 'gateway_time_to_first_token_seconds',
    help: 'Streams until the first content came from the provider',
    ...{ labels: { provider: providers }, buckets: waitBuckets },
  })
  const cache = metrics.counter({
    name: 'gateway_cache_total',
    help: 'Calls by what the answer cache did',
    labels: { status: cacheStatuses },
  })
  const refusals = refusalMeter(metrics)
  return (state, nowMs) => {
    const { status, decision, error } = endOf(state)
    const provider = targetOf(state)?.provider.kind ?? 'none'
    calls.add({ operation: state.facts.asked.operation, provider, status, decision })
    durations.observe({ provider }, (nowMs - state.facts.startedMs) / 1000)
    if (state.timings.ttftMs !== null) firstToken.observe({ provider }, state.timings.ttftMs / 1000)
    cache.add({ status: state.cached.status })
    if (error !== null) refusals(error)
  }
}

/** Whether outside classifiers answer, how long they take, and whether they are worth it. */
function opinionMeter(metrics: Metrics): (state: WithFindings) => void {
  const ends = metrics.counter({
    name: 'gateway_classifier_calls_total',
    help: 'Calls on which an outside classifier was to speak, by how that ended',
    labels: { end: ['answered', ...classifierFailures] },
  })
  const texts = metrics.counter({
    name: 'gateway_classifier_texts_total',
    help: 'Texts on which an outside classifier was to speak: sent to it, and given a higher score by it',
    labels: { texts: ['sent', 'raised'] },
  })
  const durations = metrics.histogram({
    name: 'gateway_classifier_duration_seconds',
    help: 'Wait of a call for an outside classifier',
    buckets: waitBuckets,
  })
  return ({ findings: { opinions } }) => {
    for (const { failure, asked, raised, ms } of opinions) {
      ends.add({ end: failure ?? 'answered' })
      texts.add({ texts: 'sent' }, asked)
      texts.add({ texts: 'raised' }, raised)
      durations.observe({}, ms / 1000)
    }
  }
}

/** Budgets and limits have a number of their own: these two matter to people who watch costs. */
function refusalMeter(metrics: Metrics): (code: string) => void {
  const byCode = metrics.counter({
    name: 'gateway_errors_total',
    help: 'Calls without an answer by code',
    labels: { code: codes },
  })
  const money = metrics.counter({
    name: 'gateway_budget_refusals_total',
    help: 'Calls refused by a limit of a policy or by a budget',
    labels: { by: ['limit', 'budget'] },
  })
  return (code) => {
    byCode.add({ code })
    if (code === errors.limitExceeded.code) money.add({ by: 'limit' })
    if (code === errors.budgetExceeded.code) money.add({ by: 'budget' })
  }
}
