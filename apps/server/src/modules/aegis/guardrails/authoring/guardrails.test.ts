/** Guardrails from their draft to their archive, and the fate of each version. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { AegisServices } from '../../service.ts'
import { callOf } from '../testing/contexts.ts'
import { autoRollback } from './auto-rollback.ts'
import { removeOldMetrics } from './metrics.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('guardrails')
})
afterAll(() => world?.close())

const guardrails = () => (world.program.assembled.modules.servicesOf('aegis') as AegisServices).guardrails
const cel = (expression: string) => [{ type: 'cel', expression }]

let made = 0
async function add(over: object = {}) {
  made += 1
  const body = { name: `Rail ${made}`, kind: 'tool', action: 'deny', checks: cel('args.sum > 4'), ...over }
  return expectStatus(await tenant.admin.post('/aegis/guardrails', body), 201).body.data
}

const path = (id: string) => `/aegis/guardrails/${id}`
const rollOut = (id: string, body: object) => tenant.admin.post(`${path(id)}/rollout`, body)
const rolled = async (id: string, body: object) => expectStatus(await rollOut(id, body), 200).body.data
const read = async (id: string, query = {}) => expectStatus(await tenant.admin.get(path(id), { query }), 200).body.data
const judge = (sum: number) => guardrails().judge(callOf({ tenantId: tenant.id, args: { sum } }))

test('a draft is checked completely, and says what it reads', async () => {
  const draft = await add({ tags: ['ASI01'], name: 'Größte Summe' })
  expect(draft).toMatchObject({
    ...{ slug: 'gro-te-summe', status: 'draft', latest_version: 1, live_version: null, on_error: 'deny', target: {} },
    analysis: { expressions: 1, cost_class: 'low', fields: ['args'], unused_fields: expect.arrayContaining(['agent']) },
  })
  const twin = await tenant.admin.post('/aegis/guardrails', { ...draftBody, slug: 'gro-te-summe' })
  expect([twin.status, twin.body.error_code]).toEqual([409, 'AEGIS-003'])
})

const draftBody = { name: 'Draft', kind: 'tool', action: 'deny', checks: cel('true') }

test.each([
  ['an expression that cannot be read', { checks: cel('agent.tier >') }, 'AEGIS-004', '/checks/0/expression', /line/],
  ['an unknown field', { checks: cel('agent.color == 1') }, 'AEGIS-004', '/checks/0/expression', /character 6/],
  [
    'an unsafe pattern',
    { checks: [{ type: 'detector', detector: 'pattern', pattern: '(a)\\1' }] },
    'AEGIS-017',
    '/checks/0/pattern',
    /pattern/,
  ],
  [
    'a schema of the network',
    { checks: [{ type: 'json_schema', schema: { $ref: 'https://example.com/s' } }] },
    'AEGIS-006',
    '/checks/0/schema/$ref',
    /itself/,
  ],
  [
    'a schema in a circle',
    { checks: [{ type: 'json_schema', schema: { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' } }] },
    'AEGIS-017',
    '/checks/0/schema/$ref',
    /itself/,
  ],
  ['a redaction of nothing', { action: 'redact' }, 'API-001', '/action', /detector/],
  ['an unknown tag', { tags: ['ASI99'] }, 'API-001', '/tags/0', /ASI99/],
  [
    'an agent that there is not',
    { target: { agent_ids: ['0190c5b0-0000-7000-8000-000000000001'] } },
    'API-001',
    '/target/agent_ids/0',
    /no agent/,
  ],
])('refused and not stored: %s', async (_name, over, code, pointer, detail) => {
  const before = (await tenant.admin.get('/aegis/guardrails')).body.meta.total
  const answer = await tenant.admin.post('/aegis/guardrails', { ...draftBody, ...over })
  expect([answer.body.error_code, answer.body.errors?.[0]?.pointer]).toEqual([code, pointer])
  expect(answer.body.errors[0].detail).toMatch(detail)
  expect((await tenant.admin.get('/aegis/guardrails')).body.meta.total).toBe(before)
})

test('each change of the definition is a version, which runs when it is rolled out', async () => {
  const { id } = await add({ message: 'first' })
  const early = await rollOut(id, { mode: 'enforce' })
  expect([early.status, early.body.error_code]).toEqual([409, 'AEGIS-002'])
  await rolled(id, { mode: 'monitor' })
  expect(await judge(5)).toMatchObject({ decision: 'none', hits: [{ enforced: false }] })
  await rolled(id, { mode: 'enforce' })
  expect(await judge(5)).toMatchObject({ decision: 'deny', reason: 'first' })
  const renamed = expectStatus(await tenant.admin.patch(path(id), { name: 'Other name' }), 200).body.data
  expect(renamed.latest_version).toBe(1)
  const changed = expectStatus(
    await tenant.admin.patch(path(id), { message: 'second', checks: cel('args.sum > 9') }),
    200,
  )
  expect(changed.body.data).toMatchObject({ latest_version: 2, live_version: 1 })
  expect(await judge(5)).toMatchObject({ decision: 'deny', reason: 'first' })
  const shown = await read(id, { include: 'versions,diff' })
  expect(shown.versions.map(({ number }: { number: number }) => number)).toEqual([2, 1])
  expect(shown.diff.map(({ member }: { member: string }) => member)).toEqual(['checks', 'message'])
  expect(await read(id, { version: '1' })).toMatchObject({ message: 'first' })
  expect((await tenant.admin.get(path(id), { query: { version: '9' } })).status).toBe(404)

  // Half of the sessions have the next version, the others keep the one before.
  expect(await rolled(id, { mode: 'enforce', percent: 50 })).toMatchObject({
    live_version: 2,
    base_version: 1,
    rollout_percent: 50,
  })
  const reasons = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const session = { id: `s${n}`, labels: [], calls: 0, denied: 0, startedMs: 0 }
      return (await guardrails().judge(callOf({ tenantId: tenant.id, args: { sum: 10 }, session }))).reason
    }),
  )
  expect(new Set(reasons)).toEqual(new Set(['first', 'second']))
  expect(await rolled(id, { mode: 'rollback' })).toMatchObject({
    live_version: 1,
    base_version: null,
    rollout_percent: 100,
  })
  expect(await judge(5)).toMatchObject({ decision: 'deny', reason: 'first' })
  const used = await tenant.admin.delete(path(id))
  expect([used.status, used.body.error_code]).toEqual([409, 'AEGIS-014'])
  await rolled(id, { mode: 'disable' })
  expect(await judge(5)).toMatchObject({ decision: 'none', hits: [] })
  expect(expectStatus(await tenant.admin.delete(path(id)), 200).body.data).toEqual({ id, deleted: false })
  expect(await read(id)).toMatchObject({ status: 'archived' })
  expect((await tenant.admin.patch(path(id), { name: 'x' })).body.error_code).toBe('AEGIS-002')
})

test('a draft is deleted with its versions', async () => {
  const { id } = await add()
  expect(expectStatus(await tenant.admin.delete(path(id)), 200).body.data).toEqual({ id, deleted: true })
  expect((await tenant.admin.get(path(id))).status).toBe(404)
})

test('a version that blocks too much is taken back by itself', async () => {
  const { id } = await add({ checks: cel('args.sum >= 0'), message: 'too much' })
  await rolled(id, { mode: 'monitor' })
  await rolled(id, { mode: 'enforce', auto_rollback: { max_denial_ratio: 0.5, min_evaluations: 10 } })
  const run = () => autoRollback.run({ tenantId: tenant.id, kernel: world.kernel } as never)
  for (let n = 0; n < 9; n += 1) await judge(1)
  await guardrails().recorder.flush()
  await run()
  expect(await read(id)).toMatchObject({ status: 'enforce' })
  await judge(1)
  await guardrails().recorder.flush()
  await run()
  expect(await read(id)).toMatchObject({ status: 'monitor', auto_rollback: null })
  const lastRollout = async () => {
    const [last] = await world.kernel.db.system('test', (tx) =>
      tx.query(sql<{ data: object }>`
        select data from event_log where tenant_id = ${tenant.id} and subject = ${id}
          and channel = 'aegis.guardrail.rolled_out' order by position desc limit 1`),
    )
    return last?.data
  }
  await expect
    .poll(lastRollout, { timeout: 30_000 })
    .toMatchObject({ automatic: true, mode: 'monitor', reason: expect.stringContaining('10 of 10') })
  const { totals, series } = expectStatus(
    await tenant.admin.get(`${path(id)}/metrics`, { query: { bucket: 'minute' } }),
    200,
  ).body.data
  expect(totals).toMatchObject([{ version: 1, evaluated: 10, matched: 10, blocked: 10 }])
  expect(series.length).toBeGreaterThan(0)
  await rolled(id, { mode: 'disable' })
  await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(sql`update aegis_guardrail_metric set minute = minute - interval '91 days' where guardrail_id = ${id}`),
  )
  await removeOldMetrics.run({ tenantId: tenant.id, kernel: world.kernel } as never)
  expect(expectStatus(await tenant.admin.get(`${path(id)}/metrics`), 200).body.data.totals).toEqual([])
})

test('a version that takes too long is taken back, and the one before is enforced again', async () => {
  const { id } = await add({ checks: cel('args.sum > 4'), message: 'first' })
  await rolled(id, { mode: 'monitor' })
  await rolled(id, { mode: 'enforce' })
  expectStatus(await tenant.admin.patch(path(id), { message: 'second' }), 200)
  const auto_rollback = { max_p99_us: 5_000, min_evaluations: 100 }
  expect(await rolled(id, { mode: 'enforce', percent: 50, auto_rollback })).toMatchObject({ base_version: 1 })
  const evaluated = (times: number, us: number) => {
    for (let n = 0; n < times; n += 1)
      guardrails().recorder.observe(tenant.id, {
        ...{ guardrailId: id, version: 2, action: 'deny', matched: false, enforced: false, failed: false, us },
      })
    return guardrails().recorder.flush()
  }
  const run = () => autoRollback.run({ tenantId: tenant.id, kernel: world.kernel } as never)
  // One slow evaluation of a hundred is not the p99.
  await evaluated(99, 100)
  await evaluated(1, 60_000)
  await run()
  expect(await read(id)).toMatchObject({ live_version: 2, rollout_percent: 50 })
  await evaluated(5, 60_000)
  await run()
  expect(await read(id)).toMatchObject({
    ...{ status: 'enforce', live_version: 1, base_version: null, rollout_percent: 100, auto_rollback: null },
  })
  expect(await judge(5)).toMatchObject({ decision: 'deny', reason: 'first' })
  await rolled(id, { mode: 'disable' })
})

test('a rate is counted over the calls of an agent', async () => {
  const check = { type: 'rate_limit', per: 'agent', limit: 2, window_seconds: 60 }
  const { id } = await add({ checks: [check] })
  await rolled(id, { mode: 'monitor' })
  await rolled(id, { mode: 'enforce' })
  const decisions = [await judge(1), await judge(1), await judge(1)].map(({ decision }) => decision)
  expect(decisions).toEqual(['none', 'none', 'deny'])
  await rolled(id, { mode: 'disable' })
})

test('the list is filtered by kind, state, tag and name', async () => {
  const { id } = await add({ kind: 'flow', checks: [{ type: 'flow', template: 'lethal_trifecta' }], tags: ['MCP06'] })
  const found = async (query: Record<string, string>) =>
    expectStatus(await tenant.admin.get('/aegis/guardrails', { query }), 200).body.data.map(
      (one: { id: string }) => one.id,
    )
  expect(await found({ kind: 'flow' })).toEqual([id])
  expect(await found({ tag: 'MCP06', status: 'draft' })).toEqual([id])
  expect(await found({ q: 'größte' })).toHaveLength(1)
})
