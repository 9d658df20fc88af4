import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { Deleted } from '../../../kernel/schema/types.ts'
import { errors } from '../errors/errors.ts'
import * as schema from '../schemas/mfa.ts'
import type { IamServices } from '../services/iam-services.ts'
import { startTotp, verifyTotp } from './enroll-totp.ts'
import { removeOwnFactor, renewRecoveryCodes } from './factors.ts'
import { stepUp } from './step-up.ts'

const route = routesOf<IamServices>()

const enrolling =
  'By somebody signed in, or with the `challenge` of AUTH-006 by somebody who may not sign in without a second factor. ' +
  'A session of an account that has one already must be fresh.'
const enrollingErrors = [
  authErrors.missing,
  authErrors.invalid,
  authErrors.expired,
  authErrors.stepUp,
  authErrors.tenantSuspended,
  apiErrors.conflict,
]

export const mfaRoutes = [
  route.post('/mfa/totp', {
    permission: 'public',
    summary: 'Begin to add an authenticator app',
    description: enrolling,
    body: schema.StartTotp,
    returns: [200, schema.StartedTotp],
    audit: 'auth.mfa.start',
    rateClass: 'credential',
    ownTransactions: true,
    errors: enrollingErrors,
    handler: ({ services, body, request }) => startTotp(services, { body, request }),
  }),
  route.post('/mfa/totp/verify', {
    permission: 'public',
    summary: 'Show with one code that the app works',
    description: `${enrolling} Answers ten recovery codes, once; an app added before is replaced.`,
    body: schema.VerifyTotp,
    returns: [200, schema.ActivatedFactor],
    audit: 'auth.mfa.add',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [...enrollingErrors, authErrors.badLogin, apiErrors.notFound],
    handler: ({ services, body, request }) => verifyTotp(services, { body, request }),
  }),
  route.delete('/mfa/{factor_id}', {
    permission: 'authenticated',
    summary: 'Remove one of one’s second factors',
    returns: [200, Deleted],
    audit: 'auth.mfa.remove',
    ownTransactions: true,
    errors: [authErrors.stepUp, apiErrors.notFound, errors.inUse],
    handler: ({ services, actor, request, params }) =>
      removeOwnFactor(services, { actor, request, id: params.factor_id }),
  }),
  route.post('/mfa/recovery-codes', {
    permission: 'authenticated',
    summary: 'Make new recovery codes; the old ones are dead',
    returns: [200, schema.RecoveryCodes],
    audit: 'auth.mfa.recovery_codes',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [authErrors.stepUp, apiErrors.conflict],
    handler: ({ services, actor, request }) => renewRecoveryCodes(services, { actor, request }),
  }),
  route.post('/step-up', {
    permission: 'authenticated',
    summary: 'Prove again who one is',
    description:
      'An account with a second factor proves it by a code or a passkey, any other by its password (RFC 9470).',
    body: schema.StepUp,
    open: true,
    returns: [200, schema.FreshToken],
    audit: 'auth.step_up',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [authErrors.badLogin, authErrors.lockedOut, authErrors.stepUp],
    handler: ({ services, actor, request, body }) => stepUp(services, { actor, request, body }),
  }),
]
