import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { addServer, approveAll, callingAgent, legacySession, modernAsk } from '../testing/mcp-world.ts'
import { openMcpUpstream, type TestUpstream, textResult } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let client: TestClient
const upstreams: TestUpstream[] = []

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('mcp-bridge')
  client = (await callingAgent(world, tenant)).client
})
afterAll(async () => {
  await Promise.all(upstreams.map((each) => each.close()))
  await world?.close()
})

async function placed(era: 'legacy' | 'modern') {
  const mcp = await openMcpUpstream(era)
  upstreams.push(mcp)
  mcp.instructions = 'For numbers.'
  const server = await addServer(tenant.admin, mcp)
  await approveAll(tenant.admin, server.id)
  return { mcp, client, slug: server.slug as string }
}

test('a client with sessions calls a server without', async () => {
  const at = await placed('modern')
  const { opened, ask } = await legacySession(at)
  expect(opened.body.result).toMatchObject({
    protocolVersion: '2025-11-25',
    instructions: 'For numbers.',
    serverInfo: { name: 'modern-upstream' },
  })
  const { tools } = expectStatus(await ask('tools/list'), 200).body.result
  expect(tools).toHaveLength(2)
  const { result } = expectStatus(await ask('tools/call', { name: 'echo', arguments: { text: 'x' } }), 200).body
  expect(result).toEqual({ content: [{ type: 'text', text: 'ran with {"text":"x"}' }] })
  const [call] = at.mcp.calls()
  expect(call.params._meta['io.modelcontextprotocol/clientInfo']).toEqual({ name: 'test', version: '1' })
  expect(at.mcp.received.at(-1)?.headers).toMatchObject({
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
    'mcp-protocol-version': '2026-07-28',
  })
  expectStatus(await ask('ping'), 200)
})

test('a client without sessions calls a server with, in one session for its conversation, opened again when it is lost', async () => {
  const at = await placed('legacy')
  const call = (session: string) =>
    modernAsk(at, 'tools/call', { name: 'echo', arguments: {} }, { 'x-parapet-session': session })
  const found = expectStatus(await modernAsk(at, 'server/discover'), 200).body.result
  expect(found).toMatchObject({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    instructions: 'For numbers.',
  })
  const { result } = expectStatus(await call('a'), 200).body
  expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' })
  expectStatus(await call('a'), 200)
  expectStatus(await call('b'), 200)
  const sessions = at.mcp.received
    .filter(({ message }) => message?.method === 'tools/call')
    .map(({ headers }) => headers['mcp-session-id'])
  expect(sessions[0]).toBe(sessions[1])
  expect(sessions[2]).not.toBe(sessions[0])
  expect(JSON.stringify(at.mcp.calls())).not.toContain('io.modelcontextprotocol')
  let lost = true
  at.mcp.before = (_request, response, message) => {
    if (message?.method !== 'tools/call' || !lost) return false
    lost = false
    response.writeHead(404).end()
    return true
  }
  expect(expectStatus(await call('a'), 200).body.error.data.error_code).toBe('AEGIS-011')
  expect(expectStatus(await call('a'), 200).body.result.content).toHaveLength(1)
})

test('all servers answer behind one address, each tool under the name of its server', async () => {
  const [one, two] = [await placed('legacy'), await placed('modern')]
  two.mcp.runs.echo = () => textResult('two')
  const all = { client, slug: '_all' }
  const list = expectStatus(await modernAsk(all, 'tools/list'), 200).body.result.tools.map(
    ({ name }: { name: string }) => name,
  )
  expect(list).toEqual(expect.arrayContaining([`${one.slug}__echo`, `${two.slug}__echo`]))
  expect(new Set(list).size).toBe(list.length)
  const { ask } = await legacySession(all)
  const first = expectStatus(await ask('tools/call', { name: `${one.slug}__echo`, arguments: { a: 1 } }), 200).body
    .result
  expect(first.content[0].text).toBe('ran with {"a":1}')
  const second = expectStatus(await modernAsk(all, 'tools/call', { name: `${two.slug}__echo`, arguments: {} }), 200)
    .body.result
  expect(second.content[0].text).toBe('two')
  expect(expectStatus(await ask('tools/call', { name: 'echo', arguments: {} }), 200).body.error.code).toBe(-32014)
  expect(expectStatus(await ask('resources/list'), 200).body.error.code).toBe(-32601)
})
