/** Populations that the modules publish for checks: both counts agree, and each condition is seen in real rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFact } from '../../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { json, type Sql, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { checks } from './registry.ts'

let world: World
let tenant: TestTenant
let administrator: string
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('compliance-populations')
  await tenant.as('viewer')
  administrator = expectStatus(await tenant.admin.get('/auth/me'), 200).body.data.user.id
})
afterAll(() => world?.close())

interface Population {
  readonly total: number
  readonly recount: number
  readonly items: readonly Record<string, unknown>[]
}

const inTenant = <Row>(statement: Sql<Row>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.query(statement))
const read = async (name: string) => (await readFact(world, tenant.id, name)) as unknown as Population
const run = async (id: string) =>
  expectStatus(await tenant.admin.post('/compliance/evidence', { kind: 'check_run', check_id: id }), 201).body.data.run
const ago = (days: number) => new Date(world.kernel.clock.now() - days * 86_400_000).toISOString()

async function agent(slug: string, rest: { readonly tier: number; readonly tools?: readonly object[] }) {
  const id = world.kernel.random.uuid()
  const at = world.kernel.clock.iso()
  await inTenant(sql`
    insert into aegis_agent (id, created_at, updated_at, name, slug, owner_user_id, purpose, environment, models, tools,
      destinations, data_classes, autonomy_level, untrusted_input, expected_calls_per_day, tags, risk_score, computed_tier,
      risk_tier, status, has_drift)
    values (${id}, ${at}, ${at}, ${slug}, ${slug}, ${administrator}, 'Pays bills', 'prod', '[]', ${json(rest.tools ?? [])},
      '{}', '{internal}', 1, false, 1, '{}', 1, ${rest.tier}, ${rest.tier}, 'active', false)`)
  return id
}

async function guardrail(kind: string, action: string, target: object) {
  const id = world.kernel.random.uuid()
  const at = world.kernel.clock.iso()
  const slug = `rail-${id.slice(-8)}`
  await inTenant(sql`
    insert into aegis_guardrail (id, version, created_at, updated_at, name, slug, kind, priority, status, latest_version,
      live_version, rollout_percent, target, checks, action, action_config, on_error, tags)
    values (${id}, 1, ${at}, ${at}, ${slug}, ${slug}, ${kind}, 1, 'enforce', 1, 1, 100, ${json(target)}, '[]', ${action},
      '{}', 'deny', '{}')`)
  await inTenant(sql`
    insert into aegis_guardrail_version (id, guardrail_id, number, definition, created_by, created_at)
    values (${world.kernel.random.uuid()}, ${id}, 1, ${json({ target, action })}, ${administrator}, ${at})`)
}

test('every population that a check reads is counted the same by both statements', async () => {
  const names = new Set(checks.flatMap(({ reads }) => reads.map(({ fact }) => fact)))
  const found: string[] = []
  for (const name of names) {
    const { total, recount, items } = await read(name)
    if (recount === undefined) continue
    expect([name, recount, items.length]).toEqual([name, total, total])
    found.push(name)
  }
  expect(found.length).toBeGreaterThanOrEqual(18)
})

describe('people', () => {
  test('are listed with their factors and whether they administer', async () => {
    const before = await read('iam.people')
    expect(before.items.filter(({ administers }) => administers === true)).toHaveLength(1)
    expect(before.items.some(({ passkey }) => passkey === true)).toBe(false)
    await inTenant(sql`
      insert into iam_factor (id, user_id, kind, name, status, credential_id, public_key, created_at, updated_at)
      select gen_random_uuid(), ${administrator}::uuid, 'passkey', 'Key', 'active', ${administrator}, '\\x00'::bytea, now(),
        now()`)
    const { items } = await read('iam.people')
    expect(items.find(({ id }) => id === administrator)).toMatchObject({ passkey: true, second_factor: true })
    expect(await run('iam.admins_phishing_resistant')).toMatchObject({ outcome: 'pass', population: 1, recount: 1 })
    expect(await run('iam.mfa_enforced')).toMatchObject({ outcome: 'fail', population: 2, recount: 2, failed: 1 })
  })

  test('who left are held against the access that they still have', async () => {
    const [gone] = await inTenant(sql<{ id: string }>`
      select id from iam_user where email = ${`viewer@${tenant.slug}.example`}`)
    const id = gone?.id ?? ''
    await inTenant(sql`update iam_user set status = 'deactivated', updated_at = ${ago(3)} where id = ${id}`)
    await inTenant(sql`update iam_session set status = 'revoked' where user_id = ${id}`)
    expect(await run('iam.leavers_disabled')).toMatchObject({ outcome: 'pass', population: 1 })
    await inTenant(sql`
      insert into iam_api_key (id, name, owner_id, created_by, key_id, secret_hash, scopes, allowed_cidrs, expires_at,
        created_at, updated_at)
      values (gen_random_uuid(), 'left', ${id}, ${id}, ${id}, 'x', '{}', '{}', now() + interval '9 days', now(), now())`)
    expect(await run('iam.leavers_disabled')).toMatchObject({
      outcome: 'fail',
      failing: [{ id, reason: 'left and still has access: 0 sessions, 1 keys' }],
    })
  })
})

describe('agents', () => {
  const tool = (name: string, capability: string) => ({ server_slug: 'bank', tool: name, capability })

  test('are held against the guardrails that are enforced on them', async () => {
    const id = await agent('payer', { tier: 3, tools: [tool('pay', 'payment'), tool('read', 'read')] })
    const seen = async () => (await read('aegis.agent_controls')).items.find((one) => one.id === id)
    expect(await seen()).toMatchObject({ input_guarded: false, irreversible: 1, unapproved: ['bank/pay'] })
    await guardrail('input', 'deny', {})
    await guardrail('output', 'redact', { tiers: [3] })
    await guardrail('tool', 'hold', { tools: ['bank/read'] })
    expect(await seen()).toMatchObject({ input_guarded: true, output_guarded: true, unapproved: ['bank/pay'] })
    expect(await run('aegis.guardrails_bound')).toMatchObject({ outcome: 'pass', population: 1 })
    expect(await run('aegis.human_approval')).toMatchObject({ outcome: 'fail', failing: [{ id }] })
    await guardrail('tool', 'hold', { tools: ['bank/*'] })
    expect(await run('aegis.human_approval')).toMatchObject({ outcome: 'pass', population: 1, recount: 1 })
    expect(await run('aegis.agents_owned')).toMatchObject({ outcome: 'pass' })
  })

  test('are classified until they change in a material way', async () => {
    const id = await agent('changing', { tier: 1 })
    const isFailing = async () => {
      const { failing } = await run('aegis.agents_classified')
      return failing.find((one: { id: string }) => one.id === id)?.reason ?? null
    }
    expect(await isFailing()).toBe('was never classified')
    const body = {
      ...{ type: 'ai_act_classification', name: 'Changing', agent_id: id },
      answers: { role: 'provider', answers: { social_scoring: true } },
    }
    const made = expectStatus(await tenant.admin.post('/compliance/assessments', body), 201).body.data
    expect(made).toMatchObject({ status: 'completed', agent_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await isFailing()).toBeNull()
    await inTenant(
      sql`update aegis_agent set has_drift = true, updated_at = ${world.kernel.clock.iso()} where id = ${id}`,
    )
    expect(await isFailing()).toBeNull()
    await inTenant(sql`update aegis_agent set data_classes = '{restricted}' where id = ${id}`)
    expect(await isFailing()).toBe('has changed since it was classified')
  })
})

test('calls are counted in the log, by their events and in the audit log', async () => {
  const chat = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }] }
  expectStatus(await tenant.admin.post('/gateway/chat/completions', chat), 200)
  const counted = async () =>
    (await inTenant(sql<{ n: number }>`select coalesce(sum(requests), 0)::int as n from gateway_usage_cell`))[0]?.n
  await expect.poll(counted, { timeout: 30_000 }).toBe(1)
  const logEarlier = (auditId: SqlPart) =>
    inTenant(sql`
      insert into gateway_request select (jsonb_populate_record(one, jsonb_build_object(
        'id', gen_random_uuid(), 'audit_id', ${auditId}, 'created_at', one.created_at - interval '5 hours',
        'finished_at', one.finished_at - interval '5 hours'))).*
      from gateway_request one order by one.created_at desc limit 1`)
  await logEarlier(sql`one.audit_id`)
  await inTenant(sql`update gateway_usage_cell set hour = hour - interval '5 hours'`)
  expect(await readFact(world, tenant.id, 'gateway.call_log')).toMatchObject({ calls: 1, counted: 1, audited: 1 })
  expect(await run('gateway.traffic_logged')).toMatchObject({ outcome: 'pass', population: 1, recount: 1 })
  await logEarlier(sql`null::uuid`)
  expect(await run('gateway.traffic_logged')).toMatchObject({ outcome: 'error', population: 2, recount: 1 })
  await inTenant(sql`update gateway_usage_cell set requests = 2`)
  expect(await run('gateway.traffic_logged')).toMatchObject({ outcome: 'fail', failed: 1 })
})
