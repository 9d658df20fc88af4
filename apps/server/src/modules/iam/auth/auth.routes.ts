import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { bootstrap } from '../bootstrap/bootstrap.ts'
import { errors } from '../errors/errors.ts'
import { deviceOf } from '../guessing/device.ts'
import { acceptInvitation } from '../invitations/invitations.ts'
import { forgotPassword } from '../reset/forgot.ts'
import { resetPassword } from '../reset/reset.ts'
import * as schema from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { isConsole, noCookie, refreshByCookie } from '../sign-in/console-cookie.ts'
import { login } from '../sign-in/login.ts'
import { refresh } from '../sign-in/refresh.ts'
import { unlessSsoEnforced } from '../sso/sign-in/enforced.ts'
import { changePassword, logout, me } from './account.ts'
import { changeMe, confirmEmail } from './profile.ts'

const route = routesOf<IamServices>()

export const authRoutes = [
  route.post('/login', {
    permission: 'public',
    summary: 'Sign in with e-mail and password',
    body: schema.Login,
    returns: [200, schema.TokenSet],
    audit: 'auth.login',
    rateClass: 'credential',
    ownTransactions: true,
    whileSuspended: true,
    description:
      'An account with a second factor also needs `mfa_code`: six digits of an authenticator app or sixteen of a recovery ' +
      'code. Without it, and where a second factor is demanded and there is none, the answer is AUTH-006 with a member ' +
      '`mfa`: `methods`, `challenge`, `enrollment_required`, `expires_in`. The challenge enrolls the first factor where ' +
      'one is required, and otherwise tells the authentication options which passkeys to ask for.',
    errors: [
      authErrors.badLogin,
      authErrors.mfaRequired,
      authErrors.lockedOut,
      authErrors.ssoRequired,
      authErrors.addressNotAllowed,
    ],
    handler: async ({ services, body, request }) => {
      const device = deviceOf(services.kernel, request, body.email)
      const tokens = await unlessSsoEnforced(services, { body, request }, () =>
        login(services, { body, request, device }),
      )
      return new Answer(tokens, { headers: { 'set-cookie': device.cookie } })
    },
  }),
  route.post('/refresh', {
    permission: 'public',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'With the header `X-Parapet-Console: 1` the new refresh token is set as a cookie that no script and no other site ' +
      'reaches, `refresh_token` of the answer is empty, and the body may leave its own out: the cookie is asked then.',
    body: schema.Refresh,
    returns: [200, schema.TokenSet],
    audit: 'auth.refresh',
    rateClass: 'credential',
    ownTransactions: true,
    whileSuspended: true,
    errors: [authErrors.invalid, authErrors.expired, authErrors.refreshReuse, authErrors.addressNotAllowed],
    handler: ({ services, body, request }) =>
      isConsole(request)
        ? refreshByCookie(services, { body, request })
        : refresh(services, { token: body.refresh_token ?? '', request }),
  }),
  route.post('/logout', {
    permission: 'authenticated',
    rateClass: 'stop',
    summary: 'End this session, or all of one’s own',
    body: schema.Logout,
    returns: [200, schema.LoggedOut],
    audit: 'auth.logout',
    ownTransactions: true,
    whileSuspended: true,
    errors: [authErrors.stepUp],
    handler: async ({ services, actor, request, body }) => {
      const ended = await logout(services, { actor, request, everywhere: body.everywhere ?? false })
      return new Answer(ended, isConsole(request) ? { headers: { 'set-cookie': noCookie } } : {})
    },
  }),
  route.get('/me', {
    permission: 'authenticated',
    summary: 'Who one is and what one may do',
    returns: [200, schema.Me],
    ownTransactions: true,
    handler: ({ services, actor }) => me(services, actor),
  }),
  route.patch('/me', {
    permission: 'authenticated',
    summary: 'Change one’s own name, language, time zone or e-mail address',
    description:
      'A new address needs fresh authentication and counts from the moment the link sent to it is used; the old one is told.',
    body: schema.PatchMe,
    returns: [200, schema.Me],
    audit: 'auth.profile_change',
    ownTransactions: true,
    errors: [authErrors.stepUp, apiErrors.conflict, errors.managedByDirectory],
    handler: async ({ services, actor, request, body }) => {
      await changeMe(services, { actor, request, body })
      return me(services, actor)
    },
  }),
  route.post('/email/confirm', {
    permission: 'public',
    summary: 'Prove a new e-mail address with the link that was sent to it',
    body: schema.ConfirmEmail,
    returns: [200, schema.ConfirmedEmail],
    audit: 'auth.email_change',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [authErrors.invalid, authErrors.expired, errors.emailInUse],
    handler: ({ services, body, request }) => confirmEmail(services, { body, request }),
  }),
  route.post('/password', {
    permission: 'authenticated',
    summary: 'Change one’s password',
    body: schema.ChangePassword,
    returns: [200, schema.PasswordChanged],
    audit: 'auth.password_change',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [authErrors.badLogin, authErrors.lockedOut, authErrors.stepUp, errors.passwordRefused],
    handler: ({ services, actor, request, body }) => changePassword(services, { actor, request, body }),
  }),
  route.post('/password/forgot', {
    permission: 'public',
    summary: 'Ask for a link that sets a new password',
    description: 'Answers the same for every address; a letter goes to those that have an account with a password.',
    body: schema.ForgotPassword,
    returns: [200, schema.ForgottenPassword],
    audit: 'auth.password_forgotten',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [authErrors.lockedOut],
    handler: ({ services, body, request }) => forgotPassword(services, { body, request }),
  }),
  route.post('/password/reset', {
    permission: 'public',
    summary: 'Set a new password with a link from a letter',
    description:
      'Ends all sessions, unlocks an account that guessing has locked, and leaves second factors as they are.',
    body: schema.ResetPassword,
    returns: [200, schema.PasswordChanged],
    audit: 'auth.password_reset',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [authErrors.invalid, authErrors.expired, errors.passwordRefused],
    handler: ({ services, body, request }) => resetPassword(services, { body, request }),
  }),
  route.post('/invitations/accept', {
    permission: 'public',
    summary: 'Accept an invitation and set a password or a passkey',
    description:
      'A passkey (`credential`) answers the options that `POST /auth/passkeys/registration-options` gives for the ' +
      '`invitation_token`; the account then has no password and ten recovery codes.',
    body: schema.AcceptInvitation,
    returns: [200, schema.AcceptedInvitation],
    audit: 'auth.invitation_accept',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [
      apiErrors.validation,
      apiErrors.conflict,
      authErrors.invalid,
      authErrors.expired,
      authErrors.assertionRefused,
      errors.passwordRefused,
      errors.exceedsRights,
    ],
    handler: ({ services, body, request }) => acceptInvitation(services, { body, request }),
  }),
  route.post('/bootstrap', {
    permission: 'public',
    summary: 'Make the first tenant and its administrator',
    description: 'Works once, with the setup token that the first start printed.',
    body: schema.Bootstrap,
    returns: [201, schema.Bootstrapped],
    audit: 'auth.bootstrap',
    rateClass: 'credential',
    ownTransactions: true,
    beforeSetup: true,
    errors: [authErrors.invalid, authErrors.expired, authErrors.alreadySetUp, errors.passwordRefused],
    handler: async ({ services, body, request }) => {
      const made = await bootstrap(services, { body, request })
      return new Answer(made, { location: `/api/v1/iam/tenants/${made.tenant.id}` })
    },
  }),
]
