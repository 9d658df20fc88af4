/** Dry runs of guardrails on samples and on recorded calls. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { activeAgent } from '../../testing/agents-world.ts'
import { labelsOf } from './labels.ts'
import { replayedRates } from './rates.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('dry-runs')
})
afterAll(() => world?.close())

const evaluate = (body: object) => tenant.admin.post('/aegis/guardrails/evaluate', body)
const report = async (body: object) => expectStatus(await evaluate(body), 200).body.data
const cel = (expression: string) => [{ type: 'cel', expression }]
const draft = (over: object = {}) => ({ kind: 'tool', action: 'deny', checks: cel('args.sum > 4'), ...over })

test('samples are judged, and compared with what their author expects', async () => {
  const samples = [
    { tool: 'wire', server: 'bank', args: { sum: 5 }, expected: 'match' },
    { tool: 'wire', server: 'bank', args: { sum: 4 }, expected: 'match' },
    { tool: 'wire', server: 'bank', args: { sum: 9 }, expected: 'no_match' },
    { tool: 'read', args: {}, id: 'broken' },
  ]
  const found = await report({ guardrail: draft(), samples })
  expect(found).toMatchObject({
    ...{ source: 'samples', status: 'complete', next_cursor: null },
    counts: { items: 4, evaluated: 4, matched: 2, errors: 1, undecided: 0 },
    decisions: { deny: 3, none: 1 },
    confusion: { true_positive: 1, false_negative: 1, false_positive: 1, true_negative: 0, unlabeled: 1 },
    diff: { only_draft: 2, neither: 2 },
    tools: [{ name: 'bank/wire', matched: 2, items: 3 }],
  })
  expect(found.examples.map(({ id }: { id: string }) => id)).toEqual(['0', '2'])
})

test('samples of one session are its history', async () => {
  const checks = [{ type: 'sequence', first: 'mail/read', next: 'bank/*', within_steps: 3 }]
  const step = (server: string, tool: string, session: string) => ({ server, tool, session })
  const samples = [step('mail', 'read', 'a'), step('bank', 'wire', 'a'), step('bank', 'wire', 'b')]
  const { examples } = await report({ guardrail: draft({ kind: 'flow', checks }), samples })
  expect(examples).toMatchObject([{ id: '1', session: 'a' }])
})

test('a version is compared with the one that runs', async () => {
  const { id } = expectStatus(await tenant.admin.post('/aegis/guardrails', { ...draft(), name: 'Running' }), 201).body
    .data
  expectStatus(await tenant.admin.post(`/aegis/guardrails/${id}/rollout`, { mode: 'monitor' }), 200)
  const samples = [1, 5, 20].map((sum) => ({ tool: 'wire', args: { sum } }))
  const next = draft({ checks: cel('args.sum > 10 || args.sum < 2') })
  expect(await report({ guardrail: next, guardrail_id: id, samples })).toMatchObject({
    diff: { only_draft: 1, only_running: 1, both: 1, neither: 0 },
  })
  expect(await report({ guardrail_ids: [id], samples })).toMatchObject({ diff: { both: 2, neither: 1 } })
})

test('recorded calls are tried with the resolutions of their alerts, page by page', async () => {
  const agent = await activeAgent(world, tenant)
  const at = (second: number) => new Date(Date.now() - 3_600_000 + second * 1_000).toISOString()
  const events = Array.from({ length: 6 }, (_, n) => ({
    ...{ event_id: `e${n}`, type: 'tool.call', server: 'bank', time: at(n), conversation_id: n < 3 ? 'one' : 'two' },
    tool: n % 3 === 2 ? 'wire' : 'balance',
  }))
  expectStatus(await agent.client.post('/aegis/activity', { events }), 200)
  const window = { from: at(-10), to: at(60) }
  const found = await report({ guardrail: draft({ checks: cel('tool.name == "wire"') }), window })
  expect(found).toMatchObject({
    ...{ source: 'recorded', status: 'complete' },
    counts: { items: 6, matched: 2, undecided: 0 },
    agents: [{ name: agent.id, matched: 2, items: 6 }],
  })
  const sequence = { type: 'sequence', first: 'bank/balance', next: 'bank/wire', within_steps: 1 }
  expect((await report({ guardrail: draft({ kind: 'flow', checks: [sequence] }), window })).counts.matched).toBe(2)
  expect((await report({ guardrail: draft(), window })).counts).toMatchObject({ matched: 0, undecided: 6 })
  const cursor = Buffer.from(JSON.stringify([at(3), agent.id, 'e3'])).toString('base64url')
  const rest = await report({ guardrail: draft({ checks: cel('true') }), window, cursor })
  expect(rest.counts.items).toBe(2)
  expect((await evaluate({ guardrail: draft(), window, cursor: 'abc' })).body.error_code).toBe('API-003')
  const audited = await world.kernel.db.read(
    tenant.id,
    sql<{ target: string }>`select target from audit_entry where action = 'aegis.guardrail.evaluate'`,
  )
  expect(audited.length).toBeGreaterThan(3)
})

test('a question that is not one is refused with its place', async () => {
  const both = await evaluate({
    guardrail: draft(),
    samples: [{ tool: 'x' }],
    window: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  })
  expect([both.status, both.body.errors[0].pointer]).toEqual([400, '/samples'])
  const broken = await evaluate({ guardrail: draft({ checks: cel('nothing') }), samples: [{ tool: 'x' }] })
  expect([broken.body.error_code, broken.body.errors[0].pointer]).toEqual([
    'AEGIS-004',
    '/guardrail/checks/0/expression',
  ])
})

test('a call is an attack where a confirmed alert names its session, or its agent at that time', () => {
  const alert = (resolution: string, keys: string[], from = 0, to = 10) => ({
    ...{
      resolution,
      entity_keys: keys,
      first_seen: new Date(from).toISOString(),
      last_seen: new Date(to).toISOString(),
    },
  })
  const labels = labelsOf([
    alert('true_positive', ['session:s1']),
    alert('false_positive', ['agent:a1', 'session:s1']),
    alert('true_positive', ['agent:a1'], 50, 60),
  ])
  const of = (sessionId: string, agentId: string, atMs: number) => labels.of({ sessionId, agentId, atMs })
  expect([of('s1', 'x', 5), of('s2', 'a1', 5), of('s2', 'a1', 55), of('s2', 'a1', 30), of('s2', 'a2', 5)]).toEqual([
    ...[true, false, true, null, null],
  ])
})

test('rates are replayed by the times of the calls', () => {
  const rates = replayedRates()
  const check = { type: 'rate_limit', per: 'agent', limit: 2, window_seconds: 10 } as const
  const at = (atMs: number) => rates({ key: 'k', check, cost: 1, atMs })
  expect([at(0), at(1_000), at(2_000), at(10_500), at(10_600)]).toEqual([false, false, true, false, true])
})
