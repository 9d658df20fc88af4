import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import { errors } from '../../declared/errors.ts'
import type { StepName } from './step-names.ts'

export function failureProblem(step: StepName, cause: unknown): ProblemError {
  return errors.stepFailed({ step }).causedBy(cause)
}

/** A step that failed closed did not judge the call. */
export function isStepFailure({ code }: Pick<ProblemError, 'code'>): boolean {
  return code === errors.stepFailed.code
}
