import { authErrors } from '../../kernel/http/errors.ts'
import { Answer, routesOf } from '../../kernel/route.ts'
import { changePassword, logout, me } from './account.ts'
import { bootstrap } from './bootstrap.ts'
import { errors } from './errors.ts'
import { acceptInvitation } from './invitations.ts'
import * as schema from './schemas/auth.ts'
import type { IamServices } from './services.ts'
import { login } from './sign-in/login.ts'
import { refresh } from './sign-in/refresh.ts'

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
    errors: [authErrors.badLogin, authErrors.lockedOut],
    handler: ({ services, body, request }) => login(services, { body, request }),
  }),
  route.post('/refresh', {
    permission: 'public',
    summary: 'Exchange a refresh token for new tokens',
    body: schema.Refresh,
    returns: [200, schema.TokenSet],
    audit: 'auth.refresh',
    rateClass: 'credential',
    ownTransactions: true,
    whileSuspended: true,
    errors: [authErrors.invalid, authErrors.expired, authErrors.refreshReuse],
    handler: ({ services, body, request }) => refresh(services, { token: body.refresh_token, request }),
  }),
  route.post('/logout', {
    permission: 'authenticated',
    summary: 'End this session, or all of one’s own',
    body: schema.Logout,
    returns: [200, schema.LoggedOut],
    audit: 'auth.logout',
    ownTransactions: true,
    whileSuspended: true,
    errors: [authErrors.stepUp],
    handler: ({ services, actor, request, body }) =>
      logout(services, { actor, request, everywhere: body.everywhere ?? false }),
  }),
  route.get('/me', {
    permission: 'authenticated',
    summary: 'Who one is and what one may do',
    returns: [200, schema.Me],
    ownTransactions: true,
    handler: ({ services, actor }) => me(services, actor),
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
  route.post('/invitations/accept', {
    permission: 'public',
    summary: 'Accept an invitation and set a password',
    body: schema.AcceptInvitation,
    returns: [200, schema.AcceptedInvitation],
    audit: 'auth.invitation_accept',
    rateClass: 'credential',
    ownTransactions: true,
    errors: [authErrors.invalid, authErrors.expired, errors.passwordRefused, errors.exceedsRights],
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
