import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { signCheckpoint } from '../../../kernel/audit/note.ts'
import { untilSealed } from '../../../kernel/audit/testing/seals.ts'
import { asOwner, script } from '../../../kernel/db/owner.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import { modules } from '../../../modules.ts'
import { logRetention } from '../retention/tables.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { gatewaySignals } from '../signals.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'
import { checkAudit } from './audit-check.ts'
import { watchAudit } from './audit-faults.ts'

let database: TestDatabase
let world: World
let upstream: Upstream
let tenant: TestTenant
let n = 0

beforeAll(async () => {
  database = await openTestDatabase(schemaOf(modules))
  world = await openWorld({ database })
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
})

beforeEach(async () => {
  n += 1
  tenant = await world.tenant(`audited-${n}`)
  await addProvider(tenant.admin, 'local', upstream)
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

/** Tampering that is possible with the database owner's rights. */
const tamper = (text: string): Promise<unknown> => asOwner(database.driver, (run) => run(script(text)))

async function call(): Promise<string> {
  const { id } = expectStatus(await ask(tenant.admin, 'Hi'), 200).body.data
  await untilSealed(world, tenant.id)
  return id
}

/** Runs the check at a time when all entries so far are settled. */
function check(laterMs = 60_000): Promise<void> {
  const now = Date.now() + laterMs
  const clock = { ...world.kernel.clock, now: () => now, iso: () => new Date(now).toISOString() }
  return checkAudit({ ...world.kernel, clock }, tenant.id)
}

/** The audited and counted calls, and whether the cap applies. */
async function standing() {
  const report = await world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) =>
    gatewaySignals(tx, world.kernel.clock.iso()),
  )
  const audited = report.signals.find(({ id }) => id === 'audited')
  return { good: audited?.good, n: audited?.n, capped: report.caps[0]?.active }
}

const verify = async (body: object = {}) =>
  expectStatus(await tenant.admin.post('/admin/audit-logs/verify', body), 200).body.data

const heard = (wanted: object) =>
  vi.waitFor(async () => expect(await standing()).toMatchObject(wanted), { timeout: 30_000, interval: 50 })

async function note(): Promise<string> {
  const { size, hash } = await world.kernel.chain.head(tenant.id)
  const facts = { tenantId: tenant.id, size, headHash: hash, at: world.kernel.clock.iso() }
  return (await signCheckpoint(world.kernel.signingKeys, facts)).note
}

const outcomeOf = (request: string) =>
  `(select audit_id from gateway_request where tenant_id = '${tenant.id}' and id = '${request}')`
const forge = (request: string) =>
  tamper(`update audit_entry set reason = 'forged' where tenant_id = '${tenant.id}' and id = ${outcomeOf(request)}`)
const mend = (request: string) =>
  tamper(`update audit_entry set reason = null where tenant_id = '${tenant.id}' and id = ${outcomeOf(request)}`)

test('an untouched chain makes all settled calls audited ones', async () => {
  await call()
  await call()
  await check()
  expect(await standing()).toEqual({ good: 2, n: 2, capped: false })
})

describe('a changed entry', () => {
  test('takes the proof from its call and those after it, and stays known until the whole log verifies', async () => {
    await call()
    const second = await call()
    await call()
    await forge(second)
    await check()
    expect(await standing()).toEqual({ good: 1, n: 3, capped: true })
    await mend(second)
    await check()
    expect(await standing()).toMatchObject({ capped: true })
    const { head } = await verify({ from_seq: 1, to_seq: 3 })
    expect(head.size).toBe(3)
    await verify({ from_seq: 2 })
    await call()
    await check()
    expect(await standing()).toMatchObject({ capped: true })
    // The checks above are dated a minute ahead, so their result only counts as old after that.
    await tamper(`update gateway_audit_check set broken_at = now() where tenant_id = '${tenant.id}'`)
    await verify()
    await heard({ capped: false })
    await check(4_000_000)
    expect(await standing()).toEqual({ good: 4, n: 4, capped: false })
  })

  test('so far back that no look reaches it is known from the verification that found it', async () => {
    const first = await call()
    await call()
    await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
      for (let i = 0; i < 2100; i += 1) await tx.audit('iam.case', { target: `case:${i}` })
    })
    await untilSealed(world, tenant.id)
    await forge(first)
    await check()
    expect(await standing()).toMatchObject({ capped: false })
    expect(await verify()).toMatchObject({ verified: false, reason: 'hash' })
    await heard({ capped: true })
    await check(4_000_000)
    expect(await standing()).toEqual({ good: 0, n: 2, capped: true })
  })
})

describe('a removed entry', () => {
  test('of a call that is not the newest is missed, although the chain goes on without a gap', async () => {
    await call()
    const { size } = await world.kernel.chain.head(tenant.id)
    await call()
    await tamper(`
      delete from audit_entry where id in (select entry_id from audit_seal where tenant_id = '${tenant.id}' and seq > ${size});
      delete from audit_seal where tenant_id = '${tenant.id}' and seq > ${size};
      delete from audit_checkpoint where tenant_id = '${tenant.id}'`)
    await call()
    await check()
    expect(await standing()).toEqual({ good: 2, n: 3, capped: true })
    expect(await verify()).toMatchObject({ verified: true })
    await check(4_000_000)
    expect(await standing()).toEqual({ good: 2, n: 3, capped: true })
  })

  test('with its seal left behind breaks the chain', async () => {
    const first = await call()
    await call()
    await tamper(`delete from audit_entry where tenant_id = '${tenant.id}' and id = ${outcomeOf(first)}`)
    await check()
    expect(await standing()).toEqual({ good: 0, n: 2, capped: true })
  })
})

describe('a call that was taken out of the log', () => {
  const remove = (which: string) => tamper(`delete from gateway_request where tenant_id = '${tenant.id}' ${which}`)

  test('is missed, although its entry and the whole chain are as they were', async () => {
    const first = await call()
    await call()
    await check()
    await remove(`and id = '${first}'`)
    expect(await verify()).toMatchObject({ verified: true })
    await check(4_000_000)
    expect(await standing()).toEqual({ good: 1, n: 1, capped: true })
  })

  test('is missed also where it was the only one', async () => {
    await call()
    await check()
    await remove('')
    await check(4_000_000)
    expect(await standing()).toMatchObject({ capped: true })
  })

  test('is not missed where its days were over', async () => {
    const first = await call()
    await call()
    await check()
    await remove(`and id = '${first}'`)
    const announced = new Date(Date.now() + 2 * 86_400_000).toISOString()
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      logRetention.insert(tx, { tenant_id: tenant.id, removed_before: announced }),
    )
    await check(4_000_000)
    expect(await standing()).toEqual({ good: 1, n: 1, capped: false })
  })
})

test('a log that a note from outside contradicts is explained by a verification with a note only', async () => {
  await call()
  const { size } = await world.kernel.chain.head(tenant.id)
  await call()
  const kept = await note()
  await tamper(`
    delete from audit_entry where id in (select entry_id from audit_seal where tenant_id = '${tenant.id}' and seq > ${size});
    delete from audit_seal where tenant_id = '${tenant.id}' and seq > ${size};
    delete from gateway_request where tenant_id = '${tenant.id}' and id = (
      select id from gateway_request where tenant_id = '${tenant.id}' order by id desc limit 1);
    delete from audit_checkpoint where tenant_id = '${tenant.id}'`)
  expect(await verify({ checkpoints: [kept] })).toMatchObject({ reason: 'truncated' })
  await heard({ capped: true })
  expect(await verify()).toMatchObject({ verified: true })
  await check()
  expect(await standing()).toMatchObject({ capped: true })
  expect(await verify({ checkpoints: [await note()] })).toMatchObject({ verified: true })
  await heard({ capped: false })
})

test('a fault in the log of the installation is none of its operator’s tenant', async () => {
  const data = { scope: 'platform', reason: 'hash', first_bad_seq: 1, checkpoint_used: null }
  const event = { ...told, tenantId: tenant.id, time: world.kernel.clock.iso(), data }
  const services = world.program.assembled.modules.servicesOf('gateway') as GatewayServices
  const take = (events: readonly LoggedEvent[]) =>
    world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      watchAudit.handle({ tx, events, services, kernel: world.kernel }),
    )
  await take([event])
  expect(await standing()).toMatchObject({ capped: false })
  await take([{ ...event, data: { ...data, scope: 'tenant' } }])
  expect(await standing()).toMatchObject({ capped: true })
})

const told = {
  position: 1,
  id: '01890000-0000-7000-8000-000000000000',
  channel: 'admin.audit.tamper_detected',
  sequence: 1,
  type: 'AuditTamperDetected',
  subject: 'audit_log',
  traceparent: null,
  causationDepth: 0,
}
