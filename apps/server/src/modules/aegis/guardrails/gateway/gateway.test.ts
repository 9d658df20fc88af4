/** Guardrails on model calls, through the routes of both modules. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { addProvider, ask } from '../../../gateway/testing/support.ts'
import { openUpstream, say, type Upstream } from '../../../gateway/testing/upstream.ts'
import type { AegisServices } from '../../service.ts'
import { activeAgent } from '../../testing/agents-world.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
  tenant = await world.tenant('guarded-calls')
  await addProvider(tenant.admin, 'local', upstream)
})
beforeEach(() => upstream.reply(say('Hello.')))
afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const aegis = () => world.program.assembled.modules.servicesOf('aegis') as AegisServices

async function add(body: object, owner = tenant) {
  const { id } = expectStatus(await owner.admin.post('/aegis/guardrails', body), 201).body.data
  return id as string
}

const rollOut = async (id: string, body: object) =>
  expectStatus(await tenant.admin.post(`/aegis/guardrails/${id}/rollout`, body), 200).body.data

/** Watched first, as every guardrail is. */
async function enforced(body: object, percent = 100): Promise<string> {
  const id = await add(body)
  await rollOut(id, { mode: 'monitor' })
  await rollOut(id, { mode: 'enforce', percent })
  return id
}

const disable = (id: string) => rollOut(id, { mode: 'disable' })
const about = (word: string) => [{ type: 'cel', expression: `input.text.contains("${word}")` }]

async function triggered(id: string) {
  await aegis().guardrails.recorder.flush()
  return world.kernel.db.system('test', (tx) =>
    tx.query(sql<{ data: { enforced: boolean; count: number; action: string } }>`
      select data from event_log where tenant_id = ${tenant.id} and subject = ${id}
        and channel = 'aegis.guardrail.triggered' order by position`),
  )
}

test('a draft does nothing, a watching guardrail tells, an enforced one blocks', async () => {
  const id = await add({
    name: 'No Aurora',
    kind: 'input',
    checks: about('Aurora'),
    action: 'deny',
    message: 'Not about this project.',
  })
  expectStatus(await ask(tenant.admin, 'About Aurora.'), 200)
  await rollOut(id, { mode: 'monitor' })
  expectStatus(await ask(tenant.admin, 'About Aurora.'), 200)
  await rollOut(id, { mode: 'enforce' })
  const before = upstream.received.length
  const refused = await ask(tenant.admin, 'About Aurora.')
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toMatchObject([{ detail: 'Not about this project.' }])
  expect(upstream.received).toHaveLength(before)
  expectStatus(await ask(tenant.admin, 'About the weather.'), 200)
  await expect
    .poll(() => triggered(id), { timeout: 30_000 })
    .toMatchObject([
      { data: { enforced: false, count: 1, action: 'deny' } },
      { data: { enforced: true, count: 1, action: 'deny' } },
    ])
  const { totals } = expectStatus(await tenant.admin.get(`/aegis/guardrails/${id}/metrics`), 200).body.data
  expect(totals).toMatchObject([{ version: 1, evaluated: 3, matched: 2, would_block: 1, blocked: 1, errors: 0 }])
  expect(totals[0].p99_us).toBeGreaterThan(0)
  await disable(id)
  expectStatus(await ask(tenant.admin, 'About Aurora.'), 200)
})

test('a share of sessions is enforced, each session whole', async () => {
  const id = await enforced({ name: 'Half', kind: 'input', checks: about('Borealis'), action: 'deny' }, 50)
  const outcomes = new Map<string, Set<number>>()
  for (let round = 0; round < 2; round += 1)
    for (let n = 0; n < 12; n += 1) {
      upstream.reply(say('Hello.'))
      const answer = await ask(tenant.admin, `Borealis ${round}`, { metadata: { session_id: `session-${n}` } })
      outcomes.set(`${n}`, (outcomes.get(`${n}`) ?? new Set()).add(answer.status))
    }
  expect([...outcomes.values()].every((seen) => seen.size === 1)).toBe(true)
  expect(new Set([...outcomes.values()].flatMap((seen) => [...seen]))).toEqual(new Set([200, 422]))
  await disable(id)
})

test('an answer is redacted where a detector finds something', async () => {
  const checks = [{ type: 'detector', detector: 'pattern', pattern: 'Aurora' }]
  const id = await enforced({ name: 'project', kind: 'output', checks, action: 'redact' })
  upstream.reply(say('It is Aurora.'))
  const { data } = expectStatus(await ask(tenant.admin, 'Which project?'), 200).body
  expect(data.choices[0].message.content).toBe('It is [removed: project].')
  await disable(id)
})

test('a check that cannot be decided refuses the call unless the guardrail says otherwise', async () => {
  const checks = [{ type: 'cel', expression: 'args.absent == 1' }]
  const id = await enforced({ name: 'Broken', kind: 'input', checks, action: 'monitor' })
  expect((await ask(tenant.admin, 'Hello.')).status).toBe(422)
  expectStatus(await tenant.admin.patch(`/aegis/guardrails/${id}`, { on_error: 'allow' }), 200)
  expect((await ask(tenant.admin, 'Hello.')).status).toBe(422)
  await rollOut(id, { mode: 'enforce' })
  expectStatus(await ask(tenant.admin, 'Hello again.'), 200)
  await disable(id)
})

test('a guardrail takes an agent out of service', async () => {
  const agent = await activeAgent(world, tenant)
  const id = await enforced({
    ...{ name: 'Stop it', kind: 'input', checks: about('launch'), action: 'quarantine_agent' },
    target: { agent_ids: [agent.id] },
  })
  expect((await ask(agent.client, 'launch it')).status).toBe(422)
  const found = expectStatus(await tenant.admin.get(`/aegis/agents/${agent.id}`), 200).body.data
  expect(found).toMatchObject({ status: 'quarantined', status_reason: 'guardrail Stop it' })
  expect((await ask(agent.client, 'hello')).status).toBe(401)
  await disable(id)
})

test('guardrails are the tenant’s own', async () => {
  const other = await world.tenant('unguarded')
  expect(aegis().guardrails.has(other.id, 'input')).toBe(false)
  expect(aegis().guardrails.has(tenant.id, 'output')).toBe(false)
})
