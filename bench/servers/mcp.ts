/** The whole program with an agent and the MCP server at BENCH_UPSTREAM, on the database at BENCH_DATABASE_URL or its own. */
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { answerUsage } from '../usage.mjs'
import { password, startWholeProgram } from './whole-program.ts'

const { BENCH_UPSTREAM: url = '', BENCH_DATABASE_URL: database } = process.env
const { program, port, token, post } = await startWholeProgram({
  PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.1/32',
  ...(database !== undefined && { PARAPET_DATABASE_URL: database }),
})

/** A request by some other method or person. */
async function ask<T>(method: string, path: string, { body, as = token }: { body?: object; as?: string } = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: T }).data
}

/** Agents are approved by somebody else than their owner, whose credentials nobody gave them. */
async function secondPerson(): Promise<string> {
  const roles = await ask<{ id: string; name: string }[]>('GET', '/iam/roles')
  const email = 'second@bench.example'
  const role_ids = [roles.find(({ name }) => name === 'security_admin')?.id]
  const user = await post('/iam/users', { email, role_ids, delivery: 'invite' } as object)
  await post('/auth/invitations/accept', { token: user.invitation_url?.split('#')[1], password })
  await program.assembled.kernel.db.tenant({ tenantId: user.tenant_id as TenantId }, async (tx) => {
    await tx.execute(sql`update iam_user set credentials_set_by = null, credentials_set_at = null`)
    await program.assembled.kernel.auth.rightsChanged(tx, 'role:all')
  })
  return (await post('/auth/login', { email, password })).access_token ?? ''
}

const server = await post('/aegis/mcp-servers', { slug: 'bench', url, internal: true, default_action: 'allow' })
const tools = `/aegis/mcp-servers/${server.id}/tools`
const [tool] = await ask<{ id: string; candidate_sha256: string }[]>('GET', tools)
await ask('PATCH', `${tools}/${tool?.id}`, { body: { decision: 'approve', pin_sha256: tool?.candidate_sha256 } })
const me = await ask<{ user: { id: string } }>('GET', '/auth/me')
const approver = await secondPerson()
const agent = await post('/aegis/agents', {
  ...{
    name: 'Bench',
    slug: 'bench',
    owner_user_id: me.user.id,
    purpose: 'Is measured for a while',
    environment: 'prod',
  },
  ...{ data_classes: ['public'], autonomy_level: 1, untrusted_input: false },
  tools: [{ server_slug: 'bench', tool: 'echo', capability: 'read' }],
})
const move = (transition: string, as = token) =>
  ask('POST', `/aegis/agents/${agent.id}/transition`, { body: { transition }, ...(as === undefined ? {} : { as }) })
await move('submit')
await move('approve', approver)
await move('activate')
const { secret } = await post(`/aegis/agents/${agent.id}/credentials`, { kind: 'api_key', api_key: { name: 'bench' } })
answerUsage({ port, secret })
