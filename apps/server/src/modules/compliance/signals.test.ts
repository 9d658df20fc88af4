import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFact } from '../../../test/support/facts.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { TrustSignal } from '../../kernel/trust-signals.ts'
import { complianceSignals } from './signals.ts'
import { dailyJob, expiryJob } from './upkeep.ts'

const dayMs = 86_400_000

let world: World
let tenant: TestTenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('compliance-signals')
})
afterAll(() => world?.close())

const reportAt = (at = world.kernel.clock.iso()) =>
  world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) => complianceSignals(tx, at))
async function signal(id: string, at?: string): Promise<TrustSignal | undefined> {
  return (await reportAt(at)).signals.find((one) => one.id === id)
}
const run = (kind: string) => world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.enqueue({ kind, payload: {} }))
const execute = (statement: ReturnType<typeof sql>) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.execute(statement))

describe('the signals', () => {
  test('say nothing of controls before anything was assessed, and the daily assessment raises little by itself', async () => {
    expect(await signal('control_effectiveness')).toMatchObject({ value: null, n: null })
    await run(dailyJob.kind)
    await expect.poll(async () => (await signal('control_effectiveness'))?.n, { timeout: 20_000 }).toBe(82)
    const { value } = (await signal('control_effectiveness')) ?? { value: 100 }
    expect(value).toBeLessThan(30)
  })

  test('take missing evidence for evidence that is not fresh, and time never raises them', async () => {
    const now = await signal('evidence_freshness')
    expect(now?.value).toBeLessThan(50)
    const later = await signal('evidence_freshness', new Date(world.kernel.clock.now() + 400 * dayMs).toISOString())
    expect(later?.value).toBeLessThanOrEqual(now?.value ?? 0)
  })

  test('have each failing check as an event, and a critical one of a week as a cap', async () => {
    expectStatus(
      await tenant.admin.post('/compliance/evidence', { kind: 'check_run', check_id: 'iam.admins_phishing_resistant' }),
      201,
    )
    const pressure = await signal('nonconformity_pressure')
    expect(pressure?.events).toContainEqual(
      expect.objectContaining({ id: 'iam.admins_phishing_resistant', severity: 'critical' }),
    )
    const capAt = async (days: number) =>
      (await reportAt(new Date(world.kernel.clock.now() + days * dayMs).toISOString())).caps.find(
        ({ id }) => id === 'critical_check_failing',
      )?.active
    expect([await capAt(6), await capAt(8)]).toEqual([false, true])
  })
})

describe('evidence', () => {
  const evidenceOf = async (id: string) =>
    expectStatus(await tenant.admin.get(`/compliance/evidence/${id}`), 200).body.data
  const told = (channel: string) =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.query(sql<{ subject: string }>`
        select subject from outbox where channel = ${channel} union all
        select subject from event_log where channel = ${channel}`),
    )

  test('that expires is told of before, expires, and is fresh again with a new version', async () => {
    const body = { kind: 'attestation', title: 'Yearly', attestation_text: 'Done.' }
    const { id } = expectStatus(await tenant.admin.post('/compliance/evidence', body), 201).body.data
    const [control] = expectStatus(await tenant.admin.get('/compliance/controls?ref=LLM06:2025'), 200).body.data
    expectStatus(
      await tenant.admin.patch(`/compliance/controls/${control.id}`, {
        evidence_links: { add: [{ evidence_id: id }] },
      }),
      200,
    )
    await execute(sql`update compliance_evidence set valid_until = now() + interval '5 days' where id = ${id}`)
    await run(expiryJob.kind)
    await expect
      .poll(async () => (await told('compliance.evidence.expiry_warned')).map(({ subject }) => subject))
      .toContain(id)
    await execute(sql`update compliance_evidence set valid_until = now() - interval '1 day' where id = ${id}`)
    await run(expiryJob.kind)
    await expect.poll(async () => (await evidenceOf(id)).status).toBe('expired')
    expect(await readFact(world, tenant.id, 'compliance.evidence')).toMatchObject({ linked: 1, expired: 1 })
    expectStatus(await tenant.admin.post('/compliance/evidence', { ...body, evidence_id: id }), 201)
    expect(await evidenceOf(id)).toMatchObject({ status: 'accepted', versions: 2, freshness: 1 })
    expect(await readFact(world, tenant.id, 'compliance.evidence')).toMatchObject({ linked: 1, expired: 0 })
  })
})

test('facts tell of checks and of classified agents', async () => {
  const { checks } = (await readFact(world, tenant.id, 'compliance.checks')) as { checks: { id: string }[] }
  expect(checks).toContainEqual(expect.objectContaining({ id: 'iam.admins_phishing_resistant', outcome: 'fail' }))
  const body = {
    ...{ type: 'ai_act_classification', name: 'Agent', agent_id: 'agent-7' },
    answers: { role: 'deployer', answers: { military: true } },
  }
  expectStatus(await tenant.admin.post('/compliance/assessments', body), 201)
  expect(await readFact(world, tenant.id, 'compliance.classifications')).toEqual({
    classifications: [expect.objectContaining({ agent_id: 'agent-7', tiers: ['out_of_scope'] })],
  })
})
