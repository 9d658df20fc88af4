/**
 * An OpenID provider as its client sees it: authorization code flow with PKCE, nonce and issuer checks, by openid-client.
 * Every call to the provider goes through the fetch it is given. It stores nothing. Tested in oidc.test.ts against a
 * certified provider whose answers are broken in turn.
 */
import { decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import type { ClaimNames } from '../../schemas/sso.ts'
import type { GuardedFetch } from '../egress-fetch.ts'
import type { AssertedIdentity } from '../identity.ts'
import { providerFailed, refused } from '../refusals.ts'
import { assertTokenHash, type Claims, identityOf, lacksProfile, mergedClaims } from './claims.ts'

export interface OidcClient {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly redirectUri: string
  readonly fetch: GuardedFetch
}

/** Secrets a flow keeps between its two legs. */
export interface OidcSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type OidcProvider = client.Configuration

const clockToleranceSeconds = 60
const timeoutSeconds = 20
/** Thirty days: as long as a session here lasts at most. */
const longestMemorySeconds = '2592000'

/** Reads the provider's metadata. @throws SsoRefusal by the provider */
export async function discover(party: OidcClient): Promise<OidcProvider> {
  try {
    return await client.discovery(
      new URL(party.issuer),
      party.clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      authentication(party.clientSecret),
      {
        [client.customFetch]: party.fetch,
        timeout: timeoutSeconds,
        // Plain http is the network guard's to judge: it lets it pass to addresses the operator named, and no others.
        execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
      },
    )
  } catch (error) {
    throw providerFailed('the metadata of the provider could not be read', error)
  }
}

/** By what the provider says it takes; `client_secret_basic` where it says nothing (OpenID Connect Discovery 1.0). */
function authentication(secret: string | null): client.ClientAuth {
  if (secret === null) return client.None()
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const choice = methods.includes('client_secret_basic') ? basic : post
    return choice(server, metadata, body, headers)
  }
}

export interface Asking {
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly acrValues: readonly string[]
  /** Whether the person has to prove anew who they are. */
  readonly fresh: boolean
  readonly secrets: OidcSecrets
}

/** The address the browser is sent to. @throws SsoRefusal by the provider */
export async function authorizationUrl(provider: OidcProvider, asking: Asking): Promise<string> {
  const { secrets } = asking
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: asking.redirectUri,
    scope: [...new Set(['openid', ...asking.scopes])].join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    // With any `max_age` the provider has to say when it last asked (OpenID Connect Core 1.0 section 3.1.2.1).
    ...(asking.fresh ? { max_age: '0', prompt: 'login' } : { max_age: longestMemorySeconds }),
    ...(asking.acrValues.length === 0 ? {} : { acr_values: asking.acrValues.join(' ') }),
  })
  if (url.protocol === 'https:' || url.protocol === 'http:') return url.href
  throw providerFailed('the authorization endpoint of the provider is not a web address')
}

export interface AuthorizationAnswer {
  /** The callback's whole address, as it was called. */
  readonly url: URL
  readonly secrets: OidcSecrets
  /** Unix seconds; an ID token from before the flow was not made for it. */
  readonly startedAt: number
  readonly claims: ClaimNames
  /** The connection's administrator vouches for addresses of which the provider says nothing. */
  readonly emailTrusted: boolean
  /** Unix milliseconds. */
  readonly now: number
}

/** Exchanges the code and checks what comes back. @throws SsoRefusal */
export async function identify(provider: OidcProvider, answer: AuthorizationAnswer): Promise<AssertedIdentity> {
  const { secrets } = answer
  try {
    const tokens = await client.authorizationCodeGrant(provider, answer.url, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined || tokens.id_token === undefined)
      throw refused('the provider answered without an ID token')
    if (claims.iat < answer.startedAt - clockToleranceSeconds) throw refused('the ID token is older than the sign-in')
    if (claims.iat > answer.now / 1000 + clockToleranceSeconds) throw refused('the ID token was issued in the future')
    const alg = decodeProtectedHeader(tokens.id_token).alg ?? ''
    assertTokenHash(claims, { accessToken: tokens.access_token, alg })
    return identityOf(
      await withProfile(provider, { claims, accessToken: tokens.access_token, names: answer.claims }),
      answer.claims,
      answer.emailTrusted,
    )
  } catch (error) {
    throw asRefusal(error)
  }
}

/** Claims of the ID token, completed by the userinfo endpoint, which is called only for missing ones. */
async function withProfile(
  provider: OidcProvider,
  known: { readonly claims: client.IDToken; readonly accessToken: string; readonly names: ClaimNames },
): Promise<Claims> {
  const asks = provider.serverMetadata().userinfo_endpoint !== undefined && lacksProfile(known.claims, known.names)
  if (!asks) return known.claims
  const profile = await client.fetchUserInfo(provider, known.accessToken, known.claims.sub)
  return mergedClaims(known.claims, profile, known.names)
}

/** Whether the provider failed or what it said was not right: the second may be an attack. */
function asRefusal(error: unknown): Error {
  if (error instanceof Error && error.name === 'SsoRefusal') return error
  if (error instanceof client.AuthorizationResponseError) return refused(`the provider refused: ${error.error}`, error)
  if (error instanceof client.ResponseBodyError) return refused(`the token endpoint refused: ${error.error}`, error)
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'EgressError') return providerFailed(cause.message, error)
  }
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  const message = error instanceof Error ? error.message : 'unknown'
  return refused(`the answer of the provider was refused: ${message}${code}`, error)
}
