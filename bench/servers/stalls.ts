/**
 * The whole program in front of the upstream at BENCH_UPSTREAM with two tenants, of which one sends what is much work. Asked
 * over IPC for the longest that its event loop was held since it was last asked (`hold`).
 */
import { answerUsage } from '../usage.mjs'
import { answerHold } from './loop-hold.ts'
import { password, startWholeProgram } from './whole-program.ts'

const { port, token, post } = await startWholeProgram({
  PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.1/32',
  PARAPET_GATEWAY_BODY_BYTES: '26214400',
})
const provider = {
  name: 'mock',
  kind: 'openai_compatible',
  base_url: process.env.BENCH_UPSTREAM,
  models: ['mock-1'],
  secrets: [{ id: 'main', value: 'not-a-real-key-0123456789' }],
}

async function send(as: string, method: string, path: string, body?: object): Promise<Record<string, string>> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(as !== '' && { authorization: `Bearer ${as}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: Record<string, string> }).data
}

/** Everything is looked at, however large, and nothing is refused for what is found in it. */
async function watched(): Promise<void> {
  const document = { mode: 'monitor', normalization: { max_inspect_bytes: 10_485_760 } }
  const policy = await post('/gateway/policies', { name: 'watch', document, bindings: [{ kind: 'tenant' }] })
  await post(`/gateway/policies/${policy.id}/publish`, { version: 1 } as object)
  const all = (await send(token, 'GET', '/gateway/policies')) as unknown as readonly Record<string, string>[]
  const baseline = all.find(({ name }) => name === 'baseline')
  if (baseline === undefined) throw new Error('there is no baseline')
  const { latest_version: version } = await send(token, 'PATCH', `/gateway/policies/${baseline.id}`, {
    from_template: 'baseline',
    document,
  })
  await post(`/gateway/policies/${baseline.id}/publish`, { version } as object)
}

async function neighbor(): Promise<string> {
  const admin_email = 'neighbor@bench.example'
  const made = await post('/iam/tenants', { name: 'Neighbor', slug: 'neighbor', admin_email, settings: {} })
  const invitation = String(made.invitation_url).split('#')[1]
  await send('', 'POST', '/auth/invitations/accept', { token: invitation, password })
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant-id': String(made.id) },
    body: JSON.stringify({ email: admin_email, password }),
  })
  const { data } = (await answer.json()) as { data: { access_token: string } }
  await send(data.access_token, 'POST', '/gateway/providers', provider)
  return data.access_token
}

await post('/gateway/providers', provider)
await watched()
const other = await neighbor()

answerHold()
answerUsage({ port, token, other })
