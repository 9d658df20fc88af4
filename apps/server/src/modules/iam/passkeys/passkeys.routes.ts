import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { TokenSet } from '../schemas/auth.ts'
import { ActivatedFactor } from '../schemas/mfa.ts'
import * as schema from '../schemas/passkeys.ts'
import type { IamServices } from '../services/iam-services.ts'
import { invitationOptions } from './invited.ts'
import { registerPasskey, registrationOptions } from './register.ts'
import { authenticationOptions, passkeyLogin } from './sign-in.ts'

const route = routesOf<IamServices>()

const registering =
  'By somebody signed in, freshly, or with the `challenge` of AUTH-006 by somebody who may not sign in without a second ' +
  'factor. The JSON forms are those of WebAuthn Level 3.'
const registeringErrors = [
  authErrors.missing,
  authErrors.invalid,
  authErrors.expired,
  authErrors.stepUp,
  authErrors.tenantSuspended,
  apiErrors.conflict,
]

export const passkeyRoutes = [
  route.post('/passkeys/registration-options', {
    permission: 'public',
    summary: 'Begin to add a passkey',
    description: registering,
    body: schema.RegistrationOptionsAsk,
    returns: [200, schema.RegistrationOptions],
    rateClass: 'credential',
    ownTransactions: true,
    errors: registeringErrors,
    handler: ({ services, body, request }) => {
      const { invitation_token: invitation, ...asked } = body
      if (invitation === undefined) return registrationOptions(services, { body: asked, request })
      if (asked.enrollment_token === undefined) return invitationOptions(services, invitation)
      const detail = 'Options are for an invitation or for an account, and not for both.'
      throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/invitation_token' }])
    },
  }),
  route.post('/passkeys', {
    permission: 'public',
    summary: 'Add a passkey',
    description: `${registering} The first factor of an account comes with ten recovery codes, shown once.`,
    body: schema.RegisterPasskey,
    open: true,
    returns: [200, ActivatedFactor],
    audit: 'auth.mfa.add',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [...registeringErrors, authErrors.assertionRefused],
    handler: ({ services, body, request }) => registerPasskey(services, { body, request }),
  }),
  route.post('/passkeys/authentication-options', {
    permission: 'public',
    summary: 'Begin to sign in with a passkey',
    body: schema.AuthenticationOptionsAsk,
    returns: [200, schema.AuthenticationOptions],
    rateClass: 'credential',
    ownTransactions: true,
    errors: [authErrors.invalid],
    handler: ({ services, body }) => authenticationOptions(services, body),
  }),
  route.post('/passkeys/login', {
    permission: 'public',
    summary: 'Sign in with a passkey',
    description: 'Counts as two factors. Waits and locks that guessing at passwords brings do not apply.',
    body: schema.PasskeyLogin,
    open: true,
    returns: [200, TokenSet],
    audit: 'auth.login',
    rateClass: 'credential',
    ownTransactions: true,
    whileSuspended: true,
    errors: [authErrors.assertionRefused, authErrors.ssoRequired, authErrors.addressNotAllowed],
    handler: async ({ services, body, request }) => {
      const { tokens, cookie } = await passkeyLogin(services, { body, request })
      return new Answer(tokens, { headers: { 'set-cookie': cookie } })
    },
  }),
]
