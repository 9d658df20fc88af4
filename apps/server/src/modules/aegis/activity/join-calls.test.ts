import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { agents } from '../agents/tables.ts'
import { activeAgent } from '../testing/agents-world.ts'
import { readRecord } from './gateway-records.ts'
import { ingest } from './ingest.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('aegis-joined')
})
afterAll(() => world?.close())

const patience = { timeout: 60_000, interval: 100 }

interface Item {
  readonly event_id: string
  readonly type: string
  readonly model: string | null
  readonly time: string
  readonly latency_ms: number | null
  readonly tokens_in: number | null
  readonly outcome: string
  readonly gateway_log_id: string | null
}
interface Seen {
  readonly conversation_id: string | null
  readonly counts: { readonly calls: number; readonly tokens_in: number; readonly denied: number }
  readonly items: readonly Item[]
}

/** All sessions of an agent with their items. */
async function seen(agentId: string): Promise<readonly Seen[]> {
  const list = expectStatus(await tenant.admin.get('/aegis/sessions', { query: { agent_id: agentId } }), 200).body.data
  return Promise.all(
    list.map(
      async ({ id }: { id: string }) => expectStatus(await tenant.admin.get(`/aegis/sessions/${id}`), 200).body.data,
    ),
  )
}
const gatewayItems = async (agentId: string) =>
  (await seen(agentId)).flatMap(({ items }) => items).filter(({ gateway_log_id }) => gateway_log_id !== null)

async function callGateway(client: TestClient, headers: Readonly<Record<string, string>> = {}) {
  const body = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }] }
  return client.post('/gateway/openai/v1/chat/completions', body, { headers })
}

interface SpanOf {
  readonly traceId: string
  readonly answerId?: string
  readonly conversation: string
  /** Unix milliseconds; now by default. */
  readonly start?: number
}

async function report(client: TestClient, { traceId, answerId, conversation, start }: SpanOf) {
  const at = BigInt(Math.round(start ?? world.kernel.clock.now())) * 1_000_000n
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'claimed',
    'gen_ai.conversation.id': conversation,
    ...(answerId === undefined ? {} : { 'gen_ai.response.id': answerId }),
  }
  const span = {
    ...{ traceId, spanId: randomBytes(8).toString('hex'), name: 'chat', kind: 3 },
    ...{ startTimeUnixNano: String(at), endTimeUnixNano: String(at + 200_000_000n) },
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
  }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
  const send = async () => expectStatus(await client.post('/aegis/activity', body), 200).body.data
  expect(await send()).toMatchObject({ accepted: 1 })
  return send
}

const newTrace = () => randomBytes(16).toString('hex')

test('a call that the gateway recorded and the agent reports later is one item of the agent’s conversation', async () => {
  const { id, client } = await activeAgent(world, tenant)
  const answer = expectStatus(await callGateway(client), 200)
  await expect.poll(() => gatewayItems(id), patience).toHaveLength(1)
  const again = await report(client, { traceId: newTrace(), answerId: answer.body.id, conversation: 'later' })
  const sessions = await seen(id)
  expect(sessions.map(({ conversation_id }) => conversation_id)).toEqual(['later'])
  const { counts, items = [] } = sessions[0] ?? {}
  expect(items).toEqual([expect.objectContaining({ type: 'llm.call', model: 'echo-1', outcome: 'succeeded' })])
  expect(items[0]?.gateway_log_id).not.toBeNull()
  expect(counts).toMatchObject({ calls: 1, tokens_in: items[0]?.tokens_in ?? -1 })
  // An exporter that repeats its batch changes nothing.
  expect(await again()).toMatchObject({ accepted: 0, duplicates: 1 })
  expect(await seen(id)).toEqual(sessions)
})

test('a call that the agent reports without an answer id is found by its trace', async () => {
  const { id, client } = await activeAgent(world, tenant)
  const traceId = newTrace()
  expectStatus(await callGateway(client, { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` }), 200)
  await expect.poll(() => gatewayItems(id), patience).toHaveLength(1)
  const [item] = await gatewayItems(id)
  const start = Date.parse(item?.time ?? '') - (item?.latency_ms ?? 0)
  await report(client, { traceId, conversation: 'traced', start })
  const sessions = await seen(id)
  expect(sessions.map(({ conversation_id, counts }) => [conversation_id, counts.calls])).toEqual([['traced', 1]])
})

test('a refused call that the agent reported before is one item too, and stays refused', async () => {
  const { id, client } = await activeAgent(world, tenant)
  const [traceId, start] = [newTrace(), world.kernel.clock.now()]
  await report(client, { traceId, conversation: 'before', start })
  const logId = world.kernel.random.uuid()
  const refused = readRecord({
    channel: 'gateway.request.blocked',
    time: new Date(start).toISOString(),
    data: {
      ...{ agent_id: id, log_id: logId, trace_id: traceId, provider: 'echo', model: 'echo-1', monitor: false },
      blocked_by: { step: 'injection', n: 6, error_code: 'GW-003' },
    },
  })
  await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
    await ingest(world.kernel, tx, {
      agent: await agents.need(tx, id),
      records: refused === null ? [] : [refused.record],
    })
  })
  const sessions = await seen(id)
  expect(sessions.map(({ conversation_id, counts }) => [conversation_id, counts.calls, counts.denied])).toEqual([
    ['before', 1, 1],
  ])
  expect(sessions[0]?.items).toEqual([
    expect.objectContaining({ model: 'echo-1', outcome: 'denied', error_type: 'GW-003', gateway_log_id: logId }),
  ])
})

test('calls of other answers stay two', async () => {
  const { id, client } = await activeAgent(world, tenant)
  expectStatus(await callGateway(client), 200)
  await expect.poll(() => gatewayItems(id), patience).toHaveLength(1)
  await report(client, { traceId: newTrace(), answerId: 'chatcmpl-elsewhere', conversation: 'other' })
  expect((await seen(id)).map(({ counts }) => counts.calls)).toEqual([1, 1])
})
