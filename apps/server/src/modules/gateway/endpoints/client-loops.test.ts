/**
 * Agent loops over five turns, in the shapes sent by real programs, at test vendors that refuse the same input as the
 * real ones.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { agents, type Post } from '../testing/agent-clients.ts'
import { strictVendor } from '../testing/strict-vendors.ts'
import { addProvider } from '../testing/support.ts'
import { openUpstream, type Upstream } from '../testing/upstream.ts'

const kinds = ['openai', 'azure_openai', 'anthropic', 'google_gemini', 'aws_bedrock', 'mistral', 'openai_compatible']
const withoutVersion = new Set(['azure_openai', 'anthropic', 'google_gemini', 'aws_bedrock'])
const models: Readonly<Record<string, string>> = { google_gemini: 'gemini-3-pro', aws_bedrock: 'anthropic.claude-x' }
/** Longer than most vendors allow, with the same beginning. */
const longName = `mcp__${'server_'.repeat(10)}`
const tools = [`${longName}read`, `${longName}write`]

let world: World
let tenant: TestTenant
let address: string
const upstreams = new Map<string, Upstream>()

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('loops')
  address = await world.address()
  for (const kind of kinds) {
    const upstream = await openUpstream()
    upstreams.set(kind, upstream)
    const url = withoutVersion.has(kind) ? upstream.url.replace(/\/v1$/, '') : upstream.url
    await addProvider(tenant.admin, kind.replaceAll('_', '-'), upstream, {
      kind,
      base_url: url,
      models: ['*'],
      ...(kind === 'aws_bedrock' ? { settings: { region: 'us-east-1' } } : {}),
      ...(kind === 'aws_bedrock'
        ? { secrets: [{ id: 'main', value: `${['AKIA', 'EXAMPLEEXAMPLE12'].join('')}:${'s'.repeat(40)}` }] }
        : {}),
    })
  }
})
afterAll(async () => {
  await world?.close()
  for (const upstream of upstreams.values()) await upstream.close()
})

const post: Post = async (path, body, headers = {}) => {
  const response = await fetch(`${address}/api/v1/gateway${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.admin.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return text
}

describe.each(kinds)('with a model of the kind %s', (kind) => {
  test.each(Object.entries(agents))('%s comes to the end of its loop', async (_, agent) => {
    const refusals: string[] = []
    upstreams.get(kind)?.reply(strictVendor(kind, refusals))
    const turns = await agent(post, `${kind.replaceAll('_', '-')}/${models[kind] ?? 'model-1'}`, tools)
    expect(refusals).toEqual([])
    expect(turns.map(({ names }) => names)).toEqual([tools, ...Array(3).fill([tools[0]]), []])
    expect(turns.at(-1)?.text).toBe('done')
  })
})

test('every loop is in the log', async () => {
  const { body } = expectStatus(await tenant.admin.get('/gateway/requests', { query: { limit: '200' } }), 200)
  expect(body.data.every(({ status }: { status: string }) => status === 'completed')).toBe(true)
})
