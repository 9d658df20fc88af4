import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { FailureStep } from '../policy/document.ts'
import type { StepRecord } from '../schemas/request.ts'
import type { CallState } from './call-state.ts'

export const stepNames = [
  'admission',
  'kill_switch',
  'policy_resolution',
  'rate_and_budget',
  'normalization',
  'injection_detection',
  'sensitive_data',
  'content_policy',
  'cache_lookup',
  'routing',
  'upstream_call',
  'output_inspection',
  'restoration',
  'audit_and_accounting',
] as const
export type StepName = (typeof stepNames)[number]

/** What a step decided; `block` carries the problem the caller gets. */
export type StepOutcome =
  | {
      readonly decision: 'allow' | 'flag' | 'redact'
      /** A part of the step failed, and its policy lets the call go on without. */
      readonly failed?: true
    }
  | { readonly decision: 'block'; readonly error: ProblemError; readonly byPolicy: boolean }

export interface Step {
  readonly n: number
  readonly name: StepName
  /** p99 of the step's own work in milliseconds, for calls up to 8 KB. */
  readonly budgetMs: number
  /**
   * After this long a step that waits has failed, in milliseconds: of a store, a thread, a model. Ten times the budget and
   * never below 250 ms when left out; null where the wait has bounds of its own.
   */
  readonly limitMs?: number | null | ((state: CallState) => number)
  /** What happens when the step itself fails. */
  readonly onFailure: 'closed' | 'open' | FailureStep
  run(state: CallState): StepOutcome | Promise<StepOutcome>
}

/** The last step, which its own record tells of as far as it can. */
export const recordingStep = { n: 14, name: 'audit_and_accounting', budgetMs: 5 } as const

type Recorded = Pick<StepRecord, 'n' | 'name'> & Pick<Step, 'budgetMs'>
type Did = Pick<StepRecord, 'decision' | 'ms' | 'failed' | 'findings'>

/** What a step did. Made here only: of records of several shapes every reader pays for each. */
export function stepRecord({ n, name, budgetMs }: Recorded, { decision, ms, failed, findings }: Did): StepRecord {
  return { n, name, decision, ms, budget_ms: budgetMs, failed, findings }
}

/** The record of a step that went on after it was made. */
export function stepGoneOn(record: StepRecord, more: Partial<Did>): StepRecord {
  const { n, name, budget_ms: budgetMs } = record
  const { decision = record.decision, ms = record.ms, failed = record.failed, findings = record.findings } = more
  return stepRecord({ n, name, budgetMs }, { decision, ms, failed, findings })
}

export const allow: StepOutcome = { decision: 'allow' }

/** A block by a rule of the policy; in monitor mode it is recorded and let through. */
export function blockByPolicy(error: ProblemError): StepOutcome {
  return { decision: 'block', error, byPolicy: true }
}

/** A block no policy mode lifts. */
export function block(error: ProblemError): StepOutcome {
  return { decision: 'block', error, byPolicy: false }
}
