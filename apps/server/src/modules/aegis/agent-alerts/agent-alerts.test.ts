import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { activeAgent } from '../testing/agents-world.ts'
import { tellOfOverdueReviews } from './overdue-reviews.ts'

let world: World
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('aegis-agent-alerts')
})
afterAll(() => world?.close())

interface Seen {
  readonly id: string
  readonly title: string
  readonly count: number
  readonly status: string
  readonly entities: readonly { readonly id: string }[]
  readonly evidence: readonly { readonly summary: string }[]
}

/** Alerts of a shipped rule about an agent, with their evidence. */
async function alertsOf(agentId: string, rule: string): Promise<readonly Seen[]> {
  const rules = expectStatus(await tenant.admin.get('/aegis/detection-rules', { query: { q: rule } }), 200).body.data
  const query = { rule_id: rules[0].id }
  const alerts = expectStatus(await tenant.admin.get('/aegis/alerts', { query }), 200).body.data
  const own = alerts.filter(({ entities }: Seen) => entities.some(({ id }) => id === agentId))
  return Promise.all(
    own.map(async ({ id }: Seen) => expectStatus(await tenant.admin.get(`/aegis/alerts/${id}`), 200).body.data),
  )
}

const at = () => world.kernel.clock.iso()

test('undeclared uses open one alert of their agent that names them, and declared ones none', async () => {
  const tools = [{ server_slug: 'mail', tool: 'read', capability: 'read' }]
  const { id, client } = await activeAgent(world, tenant, { tools })
  const send = async (event_id: string, tool: string) =>
    expectStatus(
      await client.post('/aegis/activity', {
        events: [{ event_id, time: at(), type: 'tool.call', server: 'mail', tool }],
      }),
      200,
    )
  const drift = () => alertsOf(id, 'Agent uses more')
  await send('d1', 'read')
  expect(await drift()).toEqual([])
  await send('d2', 'send')
  await send('d3', 'delete')
  // Known by now.
  await send('d4', 'send')
  const found = await drift()
  expect(found).toEqual([expect.objectContaining({ count: 2, status: 'new' })])
  expect(found[0]?.evidence.map(({ summary }) => summary).toSorted()).toEqual([
    'The tool mail/delete is not declared',
    'The tool mail/send is not declared',
  ])
})

test('a review that is overdue opens one alert, however often the job looks', async () => {
  const { id } = await activeAgent(world, tenant)
  const look = () => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tellOfOverdueReviews(world.kernel, tx))
  const overdue = () => alertsOf(id, 'Review of an agent')
  await look()
  expect(await overdue()).toEqual([])
  const yesterday = new Date(world.kernel.clock.now() - 86_400_000).toISOString()
  const dueAt = (time: string) =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update aegis_agent set next_review_at = ${time} where id = ${id}`),
    )
  await dueAt(yesterday)
  await look()
  await look()
  const [alert, ...others] = await overdue()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ count: 1, status: 'new', title: expect.stringMatching(/^Review of .* is overdue$/) })
  expect(alert?.evidence[0]?.summary).toBe(`The review was due at ${yesterday}`)
})
