import type { ProblemError } from '../../../../kernel/errors/problem.ts'

/** Decision of a step; `block` carries the problem the caller gets. */
export type StepOutcome =
  | {
      readonly decision: 'allow' | 'flag' | 'redact'
      /** A part of the step failed, and its policy lets the call go on without. */
      readonly failed?: true
    }
  | { readonly decision: 'block'; readonly error: ProblemError; readonly byPolicy: boolean }

export const allow: StepOutcome = { decision: 'allow' }

/** A block by a rule of the policy; in monitor mode it is recorded and let through. */
export function blockByPolicy(error: ProblemError): StepOutcome {
  return { decision: 'block', error, byPolicy: true }
}

/** A block no policy mode lifts. */
export function block(error: ProblemError): StepOutcome {
  return { decision: 'block', error, byPolicy: false }
}
