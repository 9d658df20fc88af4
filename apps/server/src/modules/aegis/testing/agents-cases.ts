import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import type { TestClient } from '../../../../test/support/client.ts'
import { accept, expectStatus, password, type TestTenant } from '../../../../test/support/world.ts'
import { activatedBy, addAgent, issueKey } from './agents-world.ts'

const submitters = new WeakMap<TestClient, Promise<TestClient>>()

/** A person whose credentials are of another one than the approver's: invited by the second administrator. */
function submitter(tenant: TestTenant): Promise<TestClient> {
  const known = submitters.get(tenant.admin) ?? invite(tenant)
  submitters.set(tenant.admin, known)
  return known
}

async function invite({ as, slug, id }: TestTenant): Promise<TestClient> {
  const inviter = await as('tenant_admin')
  const roles = expectStatus(await inviter.get('/iam/roles'), 200).body.data
  const role_ids = roles
    .filter(({ name }: { name: string }) => name === 'ai_engineer')
    .map((role: { id: string }) => role.id)
  const email = `submitter@${slug}.example`
  const user = { email, role_ids, delivery: 'invite' }
  const { invitation_url } = expectStatus(await inviter.post('/iam/users', user), 201).body.data
  const stranger = inviter.with('')
  await accept(stranger, invitation_url)
  const signedIn = await stranger.post('/auth/login', { email, password }, { headers: { 'x-tenant-id': id } })
  return stranger.with(expectStatus(signedIn, 200).body.data.access_token)
}

async function newestAgent({ admin }: TestTenant): Promise<string> {
  return expectStatus(await admin.get('/aegis/agents'), 200).body.data[0].id
}

const event = (n: number) => ({
  ...{ event_id: `sample-${n}`, type: 'tool.call', tool: 'sample', conversation_id: `sample-${n}` },
  time: new Date().toISOString(),
})

let sent = 0

const found: ModuleCases['found'] = {
  // Active, so that credentials can be issued to it.
  agent_id: async (tenant) => {
    const approver = await tenant.as('security_admin')
    return activatedBy({ admin: await submitter(tenant), approver }, await addAgent(tenant))
  },
  credential_id: async (tenant) => issueKey(tenant.admin, await newestAgent(tenant)),
  agent_session_id: async (tenant) => {
    const { secret } = (await issueKey(tenant.admin, await newestAgent(tenant))).body.data
    sent += 1
    expectStatus(await tenant.admin.with(secret).post('/aegis/activity', { events: [event(sent)] }), 200)
    return tenant.admin.get('/aegis/sessions')
  },
}

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/aegis/agents/{agent_id}/transition': () => ({ transition: 'submit' }),
  'POST /api/v1/aegis/agents/{agent_id}/credentials': (n) => ({ kind: 'api_key', api_key: { name: `Sample ${n}` } }),
}

const files: ModuleCases['files'] = {
  'POST /api/v1/aegis/activity': (n) => Buffer.from(JSON.stringify({ events: [event(n)] })),
}

const memberKinds = { owner_user_id: 'user_id', sponsor_user_id: 'user_id' }

const idPlaces: ModuleCases['idPlaces'] = {
  'GET /api/v1/aegis/agents query/owner_user_id': { kind: 'admin_id', with: (id) => ({ owner_user_id: id }) },
  'GET /api/v1/aegis/anomalies query/agent_id': { kind: 'agent_id', with: (id) => ({ agent_id: id }), shows: false },
}

/** The value of a claim, as the issuer writes it. */
const noIds = ['POST /api/v1/aegis/agents/{agent_id}/credentials body/match/value']

/** Its callers are agents. */
const unreached = ['POST /api/v1/aegis/activity']

/** Filled an hour after the activity. */
const emptyTables = ['aegis_baseline', 'aegis_baseline_bucket', 'aegis_anomaly']

/** Samples of agents and their activity. */
export const cases: ModuleCases = { bodies, files, found, idPlaces, noIds, memberKinds, unreached, emptyTables }
