/** The legs of single sign-on. Browsers and identity providers call them, so their forms are those of the standards. */
import Type from 'typebox'
import { apiErrors, authErrors } from '../../../../kernel/errors/errors.ts'
import { Answer, routesOf, StreamAnswer } from '../../../../kernel/module/route.ts'
import { TokenSet } from '../../schemas/auth.ts'
import * as schema from '../../schemas/sso.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { anyConnection } from '../lookup.ts'
import { logoutByProvider } from '../providers/back-channel.ts'
import { samlParty } from '../providers/providers.ts'
import { spMetadata } from '../saml/service-provider.ts'
import { discoverMethod } from '../sign-in/discover.ts'
import { exchangeCode } from '../sign-in/exchange.ts'
import { returnFromOidc, returnFromSaml, startSignIn } from '../sign-in/sign-in.ts'
import { ssoConnections } from '../tables.ts'

const route = routesOf<IamServices>()
const metadataType = 'application/samlmetadata+xml'

const common = { permission: 'public', rateClass: 'credential', ownTransactions: true, whileSuspended: true } as const

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text
}

/** A redirect that no cache keeps; the address it leads to works once. */
const goTo = (location: string) => new Answer({}, { location, headers: { 'cache-control': 'no-store' } })

export const ssoAuthRoutes = [
  route.get('/sso/discover', {
    ...common,
    summary: 'How somebody with this e-mail address signs in',
    description: 'Decided by the domain alone, whether or not anybody has the address.',
    query: schema.SsoDiscovery,
    returns: [200, schema.SsoMethod],
    handler: ({ kernel, query }) => discoverMethod(kernel, query.email),
  }),
  route.get('/sso/{connection_id}/start', {
    ...common,
    summary: 'Begin a sign-in at the identity provider',
    opensInBrowser: true,
    query: schema.SsoStart,
    returns: [303, schema.Nothing],
    errors: [apiErrors.notFound, authErrors.identityProviderFailed],
    handler: async ({ services, params, query, request }) =>
      goTo(
        await startSignIn(services, {
          connectionId: params.connection_id,
          codeChallenge: query.code_challenge,
          fresh: query.fresh === true,
          request,
        }),
      ),
  }),
  route.get('/sso/{connection_id}/callback', {
    ...common,
    summary: 'Return from an OpenID provider',
    opensInBrowser: true,
    query: schema.SsoCallback,
    returns: [303, schema.Nothing],
    errors: [apiErrors.notFound, authErrors.identityProviderFailed, authErrors.assertionRefused],
    handler: async ({ services, params, query, request }) =>
      goTo(await returnFromOidc(services, { connectionId: params.connection_id, query, request })),
  }),
  route.post('/sso/{connection_id}/callback', {
    ...common,
    summary: 'Return from a SAML identity provider',
    opensInBrowser: true,
    body: schema.SamlPost,
    form: true,
    open: true,
    // 256 KiB of XML in base64, percent-encoded at worst.
    bodyLimit: 2_097_152,
    returns: [303, schema.Nothing],
    errors: [apiErrors.notFound, apiErrors.tooLarge, authErrors.assertionRefused],
    handler: async ({ services, params, body, request }) =>
      goTo(
        await returnFromSaml(services, { connectionId: params.connection_id, response: body.SAMLResponse, request }),
      ),
  }),
  route.post('/sso/exchange', {
    ...common,
    summary: 'Exchange the code of a completed sign-in for tokens',
    description:
      'Where the tenant demands two factors of the person and the provider did not say that it saw two, AUTH-006 asks for ' +
      'one of the account (`mfa_code` or `passkey` beside the same code), or, once the grace is over, to enroll one.',
    body: schema.SsoExchange,
    open: true,
    returns: [200, TokenSet],
    audit: 'auth.login',
    errors: [
      apiErrors.validation,
      authErrors.invalid,
      authErrors.mfaRequired,
      authErrors.badLogin,
      authErrors.lockedOut,
      authErrors.addressNotAllowed,
    ],
    handler: ({ services, body, request }) => exchangeCode(services, { body, request }),
  }),
  route.post('/sso/{connection_id}/backchannel-logout', {
    ...common,
    summary: 'End sessions for an OpenID provider',
    body: schema.LogoutPost,
    form: true,
    open: true,
    returns: [200, schema.LoggedOutSessions],
    errors: [apiErrors.notFound],
    handler: async ({ services, params, body, request }) => {
      await logoutByProvider(services, { connectionId: params.connection_id, token: body.logout_token, request })
      return new Answer({ accepted: true }, { headers: { 'cache-control': 'no-store' } })
    },
  }),
  route.get('/sso/{connection_id}/metadata', {
    ...common,
    summary: 'SAML metadata of this service provider',
    returns: [200, Type.String({ contentMediaType: metadataType })],
    files: [metadataType],
    errors: [apiErrors.notFound],
    handler: async ({ services, params }) => {
      const { kernel } = services
      const { connection } = await anyConnection(kernel, params.connection_id)
      if (connection.type !== 'saml') throw apiErrors.notFound({ what: ssoConnections.noun })
      const xml = spMetadata(await samlParty(services, connection), `_${kernel.random.hex(16)}`)
      return new StreamAnswer(metadataType, inOnePiece(xml))
    },
  }),
]
