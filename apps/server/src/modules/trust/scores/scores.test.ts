import { createHash } from 'node:crypto'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantId } from '../../../kernel/access/actor.ts'
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { Snapshot, SnapshotWithInputs } from '../declared/schemas.ts'
import { anomalies, enforced as enforcedAt } from '../testing/reports.ts'
import { noReport, openTrustWorld, snapshotCount, type TrustWorld } from '../testing/trust-world.ts'
import { lockScore } from './recalculation.ts'

let world: TrustWorld
let tenant: TenantId

beforeAll(async () => {
  world = await openTrustWorld()
})

afterAll(() => world.close())

beforeEach(async () => {
  world.reports.gateway = noReport
  world.reports.aegis = noReport
  tenant = await world.newTenant()
})

const enforced = (good: number, n: number) => enforcedAt(world.clock.iso(), good, n)
const count = async () => (await world.rows(tenant, snapshotCount))[0]?.count

/** Runs pending work that does not wait for anything outside the process. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

describe('the current score', () => {
  test('a new tenant has one, made of priors alone', async () => {
    const { status, body } = await world.get(tenant, '/scores/current')
    expect(status).toBe(200)
    expect(body.data).toEqual({
      tenant_id: tenant,
      composite_score: 50,
      grade: 'F',
      pillars: {
        security: { score: 50, weight: 0.25, source: 'aegis' },
        compliance: { score: 50, weight: 0.25, source: 'compliance' },
        risk: { score: 50, weight: 0.2, source: 'risk' },
        resilience: { score: 50, weight: 0.15, source: 'resilience' },
        ai_governance: { score: 50, weight: 0.15, source: 'gateway' },
      },
      trend: '+0.0',
      last_recalculated_at: world.clock.iso(),
      decay_model: 'exponential',
    })
  })

  // enforced 100 of 100: (100 + 5) / 110 = 95.45; × 0.25 + 50 × 0.75 = 61.36; × 0.15 + 50 × 0.85 = 51.70.
  test('moves with the evidence, and the trend says by how much', async () => {
    world.reports.gateway = enforced(100, 100)
    await world.post(tenant, '/scores/recalculate')
    const { body } = await world.get(tenant, '/scores/current')
    expect(body.data).toMatchObject({
      composite_score: 51.7,
      trend: '+1.7',
      pillars: { ai_governance: { score: 61.36 } },
    })
  })
})

describe('a recalculation asked for', () => {
  test('answers 201 with a snapshot that can be read where Location says', async () => {
    world.reports.gateway = enforced(100, 100)
    const { status, headers, body } = await world.post(tenant, '/scores/recalculate', { reason: 'Before the audit' })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      trigger: 'manual',
      trigger_event_id: null,
      algorithm: 'trust-1',
      config_version: 1,
      provisional: true,
    })
    expect(headers.location).toBe(`/api/v1/trust/scores/${body.data.id}`)
    const read = await world.get(tenant, `/scores/${body.data.id}`)
    expect(read.body.data).toMatchObject(body.data)
  })

  test('is in the audit log with its reason and both scores', async () => {
    world.reports.gateway = enforced(100, 100)
    const { body } = await world.post(tenant, '/scores/recalculate', { reason: 'Before the audit' })
    const [entry] = await world.rows(
      tenant,
      sql<{ action: string; target: string }>`
      select action, target from audit_entry where action = 'trust.recalculate'`,
    )
    expect(entry).toEqual({ action: 'trust.recalculate', target: `trust_snapshot:${body.data.id}` })
  })

  test('refuses unknown fields and changes nothing', async () => {
    const { status, body } = await world.post(tenant, '/scores/recalculate', { score: 100 })
    expect([status, body.error_code]).toEqual([400, 'API-001'])
    expect(await count()).toBe(1)
  })

  test('answers everybody who waited for the same turn with one snapshot', async () => {
    await world.get(tenant, '/scores/current')
    const waiting = await world.kernel.db.tenant({ tenantId: tenant }, async (tx) => {
      await lockScore(tx)
      const calls = [1, 2, 3].map(() => world.post(tenant, '/scores/recalculate'))
      await turns(200)
      world.clock.advance(1_000)
      return { calls }
    })
    const answers = await Promise.all(waiting.calls)
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201])
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1)
    expect(await count()).toBe(2)
  })

  test('asked for one after the other gives a snapshot each', async () => {
    const first = await world.post(tenant, '/scores/recalculate')
    world.clock.advance(1)
    const second = await world.post(tenant, '/scores/recalculate')
    expect(second.body.data.id).not.toBe(first.body.data.id)
  })
})

describe('a snapshot', () => {
  test('is made again from its inputs and is equal', async () => {
    world.reports.gateway = enforced(7, 9)
    const { body } = await world.post(tenant, '/scores/recalculate')
    const { body: read } = await world.get(tenant, `/scores/${body.data.id}?verify=true`)
    expect(read.data.verification).toMatchObject({ equal: true, inputs_sha256: read.data.inputs_sha256 })
    expect(read.data.verification.recomputed.composite_score).toBe(body.data.composite_score)
    expect(read.data.inputs.signals).toEqual([{ ...enforced(7, 9).signals[0], value: null }])
  })

  test('is as declared, with inputs, verification and all', async () => {
    world.reports.gateway = enforced(7, 9)
    world.reports.aegis = {
      signals: [anomalies(world.clock.iso())],
      caps: [{ id: 'kill_switch_active', active: true }],
    }
    const { body } = await world.post(tenant, '/scores/recalculate')
    expect([...Value.Errors(Snapshot, body.data)]).toEqual([])
    const { body: read } = await world.get(tenant, `/scores/${body.data.id}?verify=true`)
    expect([...Value.Errors(SnapshotWithInputs, read.data)]).toEqual([])
    expect(read.data.inputs.signals[0]).toEqual(anomalies(world.clock.iso()))
    expect(read.data.verification.equal).toBe(true)
  })

  // The check of an auditor who trusts neither the server nor its answer about itself.
  test('can be checked outside: the hash is that of the inputs as answered', async () => {
    world.reports.gateway = enforced(7, 9)
    const { body } = await world.post(tenant, '/scores/recalculate')
    const { body: read } = await world.get(tenant, `/scores/${body.data.id}`)
    const { algorithm, inputs, inputs_sha256 } = read.data
    expect(createHash('sha256').update(canonicalJson({ algorithm, inputs })).digest('hex')).toBe(inputs_sha256)
  })

  test.each([
    ['its result', `update trust_snapshot set result = jsonb_set(result, '{composite_score}', '99')`],
    ['its inputs', `update trust_snapshot set inputs = jsonb_set(inputs, '{signals,0,good}', '8')`],
    ['the score history reads', 'update trust_snapshot set composite = 9900'],
    ['its time', `update trust_snapshot set created_at = created_at - interval '1 day'`],
  ])('in which %s was changed in the database is found out', async (_, change) => {
    world.reports.gateway = enforced(7, 9)
    const { body } = await world.post(tenant, '/scores/recalculate')
    await world.tamper(`${change} where id = '${body.data.id}'`)
    const { body: read } = await world.get(tenant, `/scores/${body.data.id}?verify=true`)
    expect(read.data.verification.equal).toBe(false)
  })

  test('without verify carries no verification', async () => {
    const { body } = await world.post(tenant, '/scores/recalculate')
    const { body: read } = await world.get(tenant, `/scores/${body.data.id}`)
    expect(read.data).not.toHaveProperty('verification')
    expect(read.data.inputs.config.version).toBe(1)
  })

  test('of another tenant is not found', async () => {
    const { body } = await world.post(tenant, '/scores/recalculate')
    const other = await world.newTenant()
    const { status, body: problem } = await world.get(other, `/scores/${body.data.id}`)
    expect([status, problem.error_code]).toEqual([404, 'API-013'])
  })

  test('cannot be changed or removed by the application', async () => {
    for (const statement of [sql`update trust_snapshot set composite = 9900`, sql`delete from trust_snapshot`]) {
      await expect(world.kernel.db.tenant({ tenantId: tenant }, (tx) => tx.execute(statement))).rejects.toThrow(
        /permission/i,
      )
    }
  })
})
