/**
 * A certified OpenID provider (oidc-provider) on 127.0.0.1, whose people sign in without being asked, and whose answers
 * can be broken one check at a time: its keys are known, so what it says can be changed and signed again.
 */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type Claims = Record<string, unknown>

export interface Tampering {
  /** Of the ID token. */
  readonly claims?: (claims: Claims) => Claims
  readonly header?: (header: Claims) => Claims
  /** Signs instead of the provider. */
  readonly key?: KeyObject
  /** Of the token endpoint's answer. */
  readonly tokens?: (answer: Claims) => Claims
  readonly discovery?: (metadata: Claims) => Claims
  readonly userinfo?: (claims: Claims) => Claims
}

interface Registration {
  readonly redirectUri: string
  readonly logoutUri: string
}

export interface OpenIdProvider {
  readonly issuer: string
  /** The next person to sign in; `amr` and `acr` are sent as given. */
  person: { sub: string; claims: Claims; amr?: string[]; acr?: string }
  tampering: Tampering
  /** Registers the one client; from here on the provider answers. */
  register(client: Registration): Promise<void>
  /** Follows redirects as a browser would, up to the address below `stop`. */
  browse(url: string, stop: string): Promise<URL>
  /** Ends the provider's session of the last browser, which tells the client. */
  signOut(): Promise<void>
  signed(claims: Claims, header?: Claims, key?: KeyObject): string
  /** Publishes a new signing key in place of the old one, which is answered. */
  replaceKey(): Promise<KeyObject>
  close(): Promise<void>
}

export const clientId = 'parapet'
export const clientSecret = 'a-secret-that-is-long-enough-for-anything'

export async function startOpenIdProvider(app: FastifyInstance): Promise<OpenIdProvider> {
  const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  let privateKey = newKey()
  let kid = 'op-1'
  let registered: Registration | null = null
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let jar = new Map<string, string>()

  const signed: OpenIdProvider['signed'] = (claims, header = {}, key = privateKey) => {
    const parts = [{ alg: 'RS256', kid, ...header }, claims]
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }

  const op: OpenIdProvider = {
    issuer,
    person: { sub: 'nobody', claims: {} },
    tampering: {},
    signed,
    replaceKey: async () => {
      const old = privateKey
      privateKey = newKey()
      kid = `${kid}+`
      if (registered !== null) await op.register(registered)
      return old
    },
    register: async (client) => {
      registered = client
      // The package has no types of its own.
      const name = 'oidc-provider'
      const { default: Provider } = await import(name)
      const jwk = { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }
      const provider = new Provider(issuer, configuration(op, { jwk, client, app }))
      const handle = provider.callback()
      answer = (request, response) => {
        if (request.url?.startsWith('/interaction/')) return void finishLogin(provider, op, { request, response })
        breakAnswer(request.url ?? '', response, op)
        return void handle(request, response)
      }
    },
    browse: async (url, stop) => {
      jar = new Map()
      return follow(url, { stop, jar })
    },
    signOut: async () => {
      const page = await visit(`${issuer}/session/end`, jar)
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
      await visit(`${issuer}/session/end/confirm`, jar, new URLSearchParams({ xsrf, logout: 'yes' }))
    },
    close: () => closed(server),
  }
  return op
}

function configuration(
  op: OpenIdProvider,
  parts: { jwk: object; client: { redirectUri: string; logoutUri: string }; app: FastifyInstance },
) {
  return {
    jwks: { keys: [parts.jwk] },
    cookies: { keys: ['for tests only'] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [parts.client.redirectUri],
        backchannel_logout_uri: parts.client.logoutUri,
        backchannel_logout_session_required: true,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_ctx: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
      acr: null,
      amr: null,
    },
    acrValues: ['urn:low', 'urn:high'],
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...op.person.claims }) }),
    // biome-ignore lint/suspicious/noExplicitAny: the package has no types of its own.
    loadExistingGrant: async (ctx: { oidc: Record<string, any> }) => {
      const { client, session, provider } = ctx.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
    // Its own guard refuses addresses of this machine; the one client is this program, called without a socket.
    fetch: async (url: string, { method, headers, body }: { method: string; headers: object; body: unknown }) => {
      const { pathname } = new URL(url)
      const asked = Object.fromEntries(new Headers(headers as Record<string, string>).entries())
      const got = await parts.app.inject({
        method: method as 'POST',
        url: pathname,
        headers: asked,
        payload: String(body),
      })
      return new Response(got.payload, { status: got.statusCode })
    },
  }
}

async function finishLogin(
  provider: { interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void> },
  { person }: OpenIdProvider,
  at: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { sub, amr, acr } = person
  await provider.interactionFinished(at.request, at.response, { login: { accountId: sub, amr, acr } })
}

/** Changes an answer on its way out. */
function breakAnswer(path: string, response: ServerResponse, op: OpenIdProvider): void {
  const change = changeOf(path, op)
  if (change === null) return
  const end = response.end.bind(response) as (body: string) => ServerResponse
  response.end = ((body: unknown) => {
    const text = String(body)
    const changed = text.startsWith('{') ? JSON.stringify(change(JSON.parse(text))) : text
    if (!response.headersSent) response.setHeader('content-length', Buffer.byteLength(changed))
    return end(changed)
  }) as typeof response.end
}

function changeOf(path: string, { tampering, signed, person }: OpenIdProvider): ((answer: Claims) => Claims) | null {
  if (path.startsWith('/.well-known/')) return tampering.discovery ?? null
  if (path.startsWith('/me')) return tampering.userinfo ?? null
  if (!path.startsWith('/token')) return null
  const { header, key, tokens } = tampering
  // The provider reports the sign-in method only where it is requested by name.
  const strength = { ...(person.amr && { amr: person.amr }), ...(person.acr && { acr: person.acr }) }
  const claims = (said: Claims): Claims => tampering.claims?.({ ...said, ...strength }) ?? { ...said, ...strength }
  return (answer) => {
    const [head = '', body = ''] = String(answer.id_token ?? '').split('.')
    const read = (part: string): Claims => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
    const made =
      answer.id_token === undefined
        ? answer
        : { ...answer, id_token: signed(claims(read(body)), header?.(read(head)) ?? read(head), key) }
    return tokens?.(made) ?? made
  }
}

async function visit(url: string, jar: Map<string, string>, form?: URLSearchParams): Promise<Response> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { cookie },
    ...(form === undefined ? {} : { method: 'POST', body: form }),
  })
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
  return answer
}

async function follow(url: string, { stop, jar }: { stop: string; jar: Map<string, string> }): Promise<URL> {
  let at = url
  for (let hops = 0; hops < 10; hops += 1) {
    if (at.startsWith(stop)) return new URL(at)
    const answer = await visit(at, jar)
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`)
    at = new URL(next, at).href
  }
  throw new Error(`too many redirects from ${url}`)
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** A key that is not the provider's. */
export function strangersKey(): KeyObject {
  return createPrivateKey(
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  )
}

/** The PKCE pair of the client that starts a sign-in. */
export function proofKey(verifier = 'v'.repeat(43)): { readonly verifier: string; readonly challenge: string } {
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
