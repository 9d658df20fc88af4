/** Observed against declared use: reports, acceptance, and the people allowed to accept. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { activeAgent, approvers, move } from '../testing/agents-world.ts'
import { tellOverdueReviews } from './telling/overdue.ts'

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('agent-drift')
})
afterAll(() => world?.close())

let sent = 0

/** An active agent that was seen with a tool, a model, a destination and a data class which it does not declare. */
async function drifting() {
  const agent = await activeAgent(world, tenant)
  sent += 1
  const time = world.kernel.clock.iso()
  const base = { time, conversation_id: `drift-${sent}` }
  const events = [
    { ...base, event_id: `t${sent}`, type: 'tool.call', server: 'mail', tool: 'send', labels: ['private:internal'] },
    { ...base, event_id: `m${sent}`, type: 'llm.call', provider: 'openai', model: 'gpt-x' },
    { ...base, event_id: `d${sent}`, type: 'egress', destination: 'api.example.com' },
    { ...base, event_id: `w${sent}`, type: 'tool.call', server: 'odd', tool: 'any*thing' },
  ]
  expectStatus(await agent.client.post('/aegis/activity', { events }), 200)
  return agent
}

const path = (id: string) => `/aegis/agents/${id}`
const seen = async (id: string) => expectStatus(await tenant.admin.get(path(id)), 200).body.data
const accept = (id: string, accept_drift: readonly object[], client: TestClient = tenant.admin) =>
  client.patch(path(id), { accept_drift })
const alertsOf = async (rule: string, id: string) =>
  world.kernel.db.read(
    tenant.id,
    sql<{ title: string; count: number; evidence: readonly { summary: string }[] }>`
      select alert.title, alert.count, alert.evidence from aegis_alert alert
      join aegis_detection_rule rule on rule.id = alert.rule_id
      where rule.pack_key = ${rule} and ${`agent:${id}`} = any(alert.entity_keys)`,
  )

const mail = { kind: 'tool', name: 'mail/send', capability: 'external_send' }
const others = [
  { kind: 'model', name: 'openai/gpt-x' },
  { kind: 'destination', name: 'example.com' },
  { kind: 'data_class', name: 'internal' },
]

test('drift opens one alert that names it, and grows with it', async () => {
  const agent = await drifting()
  const [alert, ...more] = await alertsOf('agent_drift', agent.id)
  expect(more).toEqual([])
  expect(alert?.evidence.map(({ summary }) => summary)).toEqual(
    expect.arrayContaining(['Undeclared tool: mail/send', 'Undeclared destination: example.com']),
  )
  expect(alert?.count).toBe(5)
  const event = { event_id: 'again', time: world.kernel.clock.iso(), type: 'tool.call', server: 'mail' }
  for (const [n, tool] of ['send', 'delete'].entries())
    expectStatus(
      await agent.client.post('/aegis/activity', { events: [{ ...event, event_id: `more-${n}-${sent}`, tool }] }),
      200,
    )
  // The one that was known is not told again.
  expect((await alertsOf('agent_drift', agent.id)).map(({ count }) => count)).toEqual([6])
})

test('accepted drift is declared once another person has approved it', async () => {
  const [approver] = await approvers(world, tenant)
  const { id } = await drifting()
  expect((await seen(id)).has_drift).toBe(true)
  const asked = expectStatus(await accept(id, [mail, ...others]), 200).body.data
  expect(asked).toMatchObject({ status: 'active', tools: [], has_drift: true })
  expect(asked.review.declaration).toMatchObject({
    tools: [{ server_slug: 'mail', tool: 'send', capability: 'external_send' }],
    models: [{ provider: 'openai', model: 'gpt-x' }],
    destinations: ['example.com'],
    data_classes: ['public', 'internal'],
  })
  expect(asked.review.risk_score).toBeGreaterThan(asked.risk_score)
  const own = await tenant.admin.post(`${path(id)}/transition`, { transition: 'approve' })
  expect([own.status, own.body.error_code]).toEqual([403, 'AEGIS-009'])
  await move(approver, id, 'approve')
  const after = await seen(id)
  const drift = after.observed.filter(({ declared }: { declared: boolean }) => !declared)
  expect(drift.map(({ name }: { name: string }) => name)).toEqual(['odd/any*thing'])
  expect(after).toMatchObject({ has_drift: true, review: null })
  const again = await accept(id, [mail])
  expect([again.status, again.body.errors[0].pointer]).toEqual([400, '/accept_drift/0/name'])
})

test.each([
  ['a tool that was not seen', { ...mail, name: 'mail/delete' }, '/accept_drift/1/name'],
  ['a name with a wildcard', { kind: 'tool', name: 'odd/any*thing', capability: 'read' }, '/accept_drift/1/name'],
  ['a tool of which nothing is known', { kind: 'tool', name: 'mail/send' }, '/accept_drift/1/capability'],
  [
    'a model with a capability',
    { kind: 'model', name: 'openai/gpt-x', capability: 'read' },
    '/accept_drift/1/capability',
  ],
])('refused with its place, and nothing is changed: %s', async (_name, use, pointer) => {
  const { id } = await drifting()
  const refused = await accept(id, [others[1] ?? {}, use])
  expect([refused.status, refused.body.error_code, refused.body.errors[0].pointer]).toEqual([400, 'API-001', pointer])
  expect(await seen(id)).toMatchObject({ review: null, destinations: [] })
})

test('a review that is overdue is told once, and again when the next one is', async () => {
  const [approver] = await approvers(world, tenant)
  const { id } = await activeAgent(world, tenant)
  const overdue = () =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update aegis_agent set next_review_at = now() - interval '1 hour' where id = ${id}`),
    )
  const run = () => tellOverdueReviews.run({ tenantId: tenant.id, kernel: world.kernel } as never)
  const counts = async () => (await alertsOf('agent_review_overdue', id)).map(({ count }) => count)
  await run()
  expect(await counts()).toEqual([])
  await overdue()
  await run()
  await run()
  expect(await counts()).toEqual([1])
  await move(tenant.admin, id, 'submit')
  await move(approver, id, 'approve')
  await run()
  expect(await counts()).toEqual([1])
  // Due after it was told of.
  await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.execute(sql`
      update aegis_agent set review_told_at = now() - interval '2 days', next_review_at = now() - interval '1 day'
      where id = ${id}`),
  )
  await run()
  expect(await counts()).toEqual([2])
})
