import { authErrors } from '../../../kernel/errors/errors.ts'
import { errors } from '../declared/errors.ts'

/** Errors that can refuse any call of a model, in any dialect. */
export const callErrors = [
  authErrors.forbidden,
  errors.unknownTarget,
  errors.policyNotUsable,
  errors.promptInjection,
  errors.sensitiveData,
  errors.contentPolicy,
  errors.outputBlocked,
  errors.modelNotAllowed,
  errors.limitExceeded,
  errors.budgetExceeded,
  errors.killSwitch,
  errors.upstreamFailed,
  errors.upstreamTimeout,
  errors.upstreamInvalid,
  errors.streamBroken,
  errors.credentialRejected,
  errors.upstreamRateLimited,
  errors.upstreamRefused,
  errors.noHealthyTarget,
  errors.stepFailed,
  errors.auditUnavailable,
  errors.contextTooLong,
  errors.capability,
  errors.tooLargeToInspect,
  errors.loopDetected,
  errors.guardFailed,
] as const
