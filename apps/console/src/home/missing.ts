import { ProblemError } from '@parapet/sdk'

/** The resource is not there, which for reports means that nothing was reported yet. */
export const isMissing = (error: unknown): boolean => error instanceof ProblemError && error.status === 404
