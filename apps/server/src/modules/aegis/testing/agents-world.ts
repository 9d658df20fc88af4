/** Agents for tests of the module. */
import type { TestAnswer, TestClient } from '../../../../test/support/client.ts'
import { ownCredentials } from '../../../../test/support/own-credentials.ts'
import { expectStatus, type TestTenant, type World } from '../../../../test/support/world.ts'

export async function ownId(client: TestClient): Promise<string> {
  return expectStatus(await client.get('/auth/me'), 200).body.data.user.id
}

/** A harmless agent: tier 1. */
export const harmless = {
  purpose: 'Answers questions about the handbook',
  environment: 'prod',
  data_classes: ['public'],
  autonomy_level: 1,
  untrusted_input: false,
}

let agents = 0

/** A draft whose owner is the tenant's administrator. */
export async function addAgent(tenant: Pick<TestTenant, 'admin'>, over: object = {}) {
  agents += 1
  const body = {
    name: `Agent ${agents}`,
    slug: `agent-${agents}`,
    owner_user_id: await ownId(tenant.admin),
    ...harmless,
  }
  return expectStatus(await tenant.admin.post('/aegis/agents', { ...body, ...over }), 201).body.data
}

export async function move(client: TestClient, id: string, ...transitions: readonly string[]) {
  for (const transition of transitions)
    expectStatus(await client.post(`/aegis/agents/${id}/transition`, { transition }), 200)
}

/** People who may approve what the administrator submits. */
export async function approvers(world: World, tenant: TestTenant): Promise<readonly [TestClient, TestClient]> {
  const people = [await tenant.as('security_admin'), await tenant.as('tenant_admin')] as const
  await ownCredentials(world, tenant.id)
  return people
}

/** An approved and active agent, with a client that calls with its key. */
export async function activeAgent(world: World, tenant: TestTenant, over: object = {}) {
  const [approver] = await approvers(world, tenant)
  const agent = await addAgent(tenant, over)
  await activatedBy({ admin: tenant.admin, approver }, agent)
  const credential = (await issueKey(tenant.admin, agent.id)).body.data
  return { id: agent.id as string, credential, client: world.stranger.with(credential.secret) }
}

/** Takes a draft through its review. Gives the last answer. */
export async function activatedBy(
  { admin, approver }: { readonly admin: TestClient; readonly approver: TestClient },
  { id }: { readonly id: string },
): Promise<TestAnswer> {
  await move(admin, id, 'submit')
  await move(approver, id, 'approve')
  return expectStatus(await admin.post(`/aegis/agents/${id}/transition`, { transition: 'activate' }), 200)
}

export async function issueKey(admin: TestClient, agentId: string): Promise<TestAnswer> {
  const body = { kind: 'api_key', api_key: { name: 'run time' } }
  return expectStatus(await admin.post(`/aegis/agents/${agentId}/credentials`, body), 201)
}
