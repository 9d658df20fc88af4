/** Connections to identity providers as an administrator sets them up, and sign-ins over them. */
import { createHash } from 'node:crypto'
import type { TestAnswer, TestClient } from '../../../../../test/support/client.ts'
import { expectStatus, type TestTenant, type World } from '../../../../../test/support/world.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { type Claims, clientId, clientSecret, type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** Sets the TXT records of the test DNS. */
export function answerTxt(world: World, records: Readonly<Record<string, string>>): void {
  const iam = world.program.assembled.modules.servicesOf('iam') as IamServices
  const resolve = async (name: string) => {
    const value = records[name]
    if (value === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    // The DNS cuts long texts into pieces.
    return [['other'], [value.slice(0, 20), value.slice(20)]]
  }
  Object.assign(iam.txtRecords, { resolve })
}

/** Proves a connection's first domain and activates it. */
export async function activate(world: World, admin: TestClient, id: string): Promise<TestAnswer> {
  const at = `/iam/sso-connections/${id}`
  const { domains } = expectStatus(await admin.get(at), 200).body.data
  const [{ domain, txt_record }] = domains
  answerTxt(world, { [txt_record.name]: txt_record.value })
  expectStatus(await admin.patch(at, { verify_domain: domain }), 200)
  return admin.patch(at, { status: 'active' })
}

/** Where the browser is sent to sign in. */
export async function start(world: World, connectionId: string, more: Record<string, string> = {}): Promise<string> {
  const query = { code_challenge: challenge, ...more }
  const answer = await world.stranger.get(`/auth/sso/${connectionId}/start`, { query })
  return expectStatus(answer, 303).headers.location ?? ''
}

/** Exchanges the code of a completed sign-in; `more` is what else the body says. */
export function exchange(world: World, callback: TestAnswer, by = verifier, more: object = {}): Promise<TestAnswer> {
  const code = new URL(expectStatus(callback, 303).headers.location ?? '').searchParams.get('code')
  return world.stranger.post('/auth/sso/exchange', { code, code_verifier: by, ...more })
}

/** A provider of its own and a tenant's connection to it, still a draft. */
export interface OpenIdConnection {
  readonly op: OpenIdProvider
  readonly id: string
  /** The connection's address below the interface. */
  readonly at: string
  readonly callbackUri: string
  /** Sets the next person to sign in at the provider. */
  speak(sub: string, more?: Claims): void
  /** Takes a browser through the provider and back; returns the parameters it brings to the callback. */
  answered(url?: string): Promise<Record<string, string>>
  callback(query: Record<string, string>): Promise<TestAnswer>
}

export async function connectOpenId(
  world: World,
  { admin, slug }: TestTenant,
  mapping: { readonly group: string; readonly role: string; readonly mode: 'add' | 'authoritative' },
): Promise<OpenIdConnection> {
  const op = await startOpenIdProvider(world.program.app)
  const { group, role, mode } = mapping
  const body = {
    name: 'Company directory',
    type: 'oidc',
    domains: [`${slug}.example`],
    oidc: {
      issuer: op.issuer,
      client_id: clientId,
      client_secret: clientSecret,
      scopes: ['openid', 'email', 'profile', 'groups'],
    },
    jit: { enabled: true, default_role_ids: [await roleId(admin, 'viewer')] },
    group_mappings: [{ group, role_ids: [await roleId(admin, role)], mode }],
  }
  const { id, service_provider } = expectStatus(await admin.post('/iam/sso-connections', body), 201).body.data
  const callbackUri: string = service_provider.redirect_uri
  await op.register({ redirectUri: callbackUri, logoutUri: service_provider.backchannel_logout_uri })
  return {
    op,
    id,
    at: `/iam/sso-connections/${id}`,
    callbackUri,
    speak: (sub, more = {}) => {
      const claims = { email: `${sub}@${slug}.example`, email_verified: true, name: `The ${sub}`, groups: [], ...more }
      op.person = { sub, claims }
    },
    answered: async (url) =>
      Object.fromEntries((await op.browse(url ?? (await start(world, id)), callbackUri)).searchParams),
    callback: (query) => world.stranger.get(`/auth/sso/${id}/callback`, { query }),
  }
}

/** The id of a role by its name. */
export async function roleId(admin: TestClient, name: string): Promise<string> {
  const { data } = expectStatus(await admin.get('/iam/roles', { query: { limit: '200' } }), 200).body
  return data.find((role: { name: string }) => role.name === name).id
}
