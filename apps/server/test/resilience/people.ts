/** Tenants of a server process, with the two people that an experiment takes. */
import { expect } from 'vitest'
import type { Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { expectCall, type HttpCall, signIn } from '../support/http.ts'
import { operatorEmail, type RunningServer } from '../support/server-process.ts'
import { password } from '../support/world.ts'

/** Long enough for a busy machine; a test that passes does not wait for it. */
export const patience = { timeout: 90_000, interval: 100 }

export interface Tenant {
  readonly id: string
  readonly slug: string
  /** Of its administrator. */
  readonly token: string
  /** An API key for the gateway. */
  readonly key: string
}

/** Makes a tenant with a provider and a key. */
export async function makeTenant(server: RunningServer, slug: string, upstream: Upstream): Promise<Tenant> {
  const operator = await signIn(server.address, operatorEmail)
  const email = `admin@${slug}.example`
  const made = await post(server, '/iam/tenants', { name: slug, slug, admin_email: email }, operator)
  await accept(server, made.invitation_url)
  const token = await signIn(server.address, email, made.id)
  const secrets = [{ id: 'main', value: 'sk-test-0123456789abcdef' }]
  const provider = { name: 'local', kind: 'openai_compatible', base_url: upstream.url, models: ['test-*'], secrets }
  await post(server, '/gateway/providers', provider, token)
  const { secret: key } = await post(server, '/iam/api-keys', { name: 'chaos', scopes: ['gateway:write'] }, token)
  return { id: made.id, slug, token, key }
}

/** Starts an experiment that another administrator than its author approves; resolves when the faults are in force. */
export async function startExperiment(
  server: RunningServer,
  tenant: Tenant,
  { faults, ...experiment }: { readonly faults: readonly object[] } & Readonly<Record<string, unknown>>,
): Promise<string> {
  const { token } = tenant
  const author = await secondAdministrator(server, tenant)
  const scenario = await post(server, '/resilience/scenarios', { name: `Faults ${tenant.slug}`, faults }, author)
  const path = `/resilience/scenarios/${scenario.id}`
  await send(server, path, { method: 'PATCH', token, body: { status: 'approved' }, status: 200 })
  const body = { scenario_id: scenario.id, mode: 'automated', ...experiment }
  const { id } = await post(server, '/resilience/chaos/experiments', body, author)
  const actions = `/resilience/chaos/experiments/${id}/actions`
  await send(server, actions, { method: 'POST', token, body: { action: 'approve' }, status: 200 })
  await expect.poll(async () => kindsOf(await readExperiment(server, tenant, id)), patience).toContain('armed')
  return id
}

async function secondAdministrator(server: RunningServer, { slug, id, token }: Tenant): Promise<string> {
  const { data: roles } = await expectCall(server.address, '/iam/roles', { token, status: 200 })
  const role = roles.find(({ name }: { readonly name: string }) => name === 'tenant_admin')
  const email = `author@${slug}.example`
  const user = await post(server, '/iam/users', { email, role_ids: [role.id], delivery: 'invite' }, token)
  await accept(server, user.invitation_url)
  return signIn(server.address, email, id)
}

async function accept(server: RunningServer, invitationUrl: string): Promise<void> {
  const body = { token: invitationUrl.split('#')[1] ?? '', password }
  await send(server, '/auth/invitations/accept', { method: 'POST', body, status: 200 })
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
type Answer = any

async function send(server: RunningServer, path: string, call: HttpCall & { status: number }): Promise<Answer> {
  return (await expectCall(server.address, path, call)).data
}

const post = (server: RunningServer, path: string, body: object, token: string): Promise<Answer> =>
  send(server, path, { method: 'POST', body, token, status: 201 })

/** An experiment with its whole journal. */
export async function readExperiment(server: RunningServer, { token }: Tenant, id: string): Promise<Answer> {
  const journal = []
  for (;;) {
    const since = journal.at(-1)?.seq ?? 0
    const page = await send(server, `/resilience/chaos/experiments/${id}?since_seq=${since}`, { token, status: 200 })
    journal.push(...page.journal)
    if (page.journal.length === 0) return { ...page, journal }
  }
}

export const kindsOf = ({ journal }: Answer): readonly string[] => journal.map(({ kind }: { kind: string }) => kind)

/** Requests that the experiment hit, as its journal says. */
export const hitRequests = ({ journal }: Answer): ReadonlySet<string> =>
  new Set(
    journal
      .filter(({ kind }: { kind: string }) => kind === 'fault')
      .map(({ data }: { data: { request_id: string } }) => data.request_id),
  )
