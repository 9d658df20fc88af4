/** The database goes away under model calls and returns: unrecorded calls get no answer, and nothing is duplicated. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CuttableProxy } from '../../src/kernel/testing/cuttable-proxy.ts'
import { budgetNow, dollarATokenPrice, makeBudget, priceModel } from '../../src/modules/gateway/testing/money.ts'
import { addProvider, ask } from '../../src/modules/gateway/testing/support.ts'
import { openUpstream, say, type Upstream } from '../../src/modules/gateway/testing/upstream.ts'
import { expectCallInvariants } from '../crash/gateway-invariants.ts'
import type { Answered } from '../crash/gateway-load.ts'
import { type CuttableWorld, openCuttableWorld } from '../support/cuttable-world.ts'
import { isAvailable } from '../support/database.ts'
import { expectStatus, type OwnWorld, type TestTenant } from '../support/world.ts'

const workers = 6

describe.skipIf(!(await isAvailable('pg')))('model calls while the database goes away (skipped without one)', () => {
  let opened: CuttableWorld | undefined
  let proxy: CuttableProxy
  let upstream: Upstream
  let world: OwnWorld
  let tenant: TestTenant
  let waiting: TestTenant
  let short: TestTenant

  beforeAll(async () => {
    upstream = await openUpstream()
    upstream.reply(say('Hello.'))
    opened = await openCuttableWorld()
    ;({ world, proxy } = opened)
    tenant = await world.tenant('away')
    waiting = await world.tenant('waiting')
    short = await world.tenant('short')
    for (const { admin } of [tenant, waiting, short])
      await addProvider(admin, 'local', upstream, { models: ['test-model'] })
    await letRecordsWait(waiting)
    await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
    await makeBudget(tenant.admin, { amount: '10000000' })
  })
  afterAll(async () => {
    await opened?.close()
    await upstream?.close()
  })

  it('are recorded before they are answered or are refused, three outages long', async () => {
    const answered: Answered[] = []
    const refused: string[] = []
    const before = upstream.received.length
    let calls = 0
    const call = async (): Promise<void> => {
      calls += 1
      const answer = await ask(tenant.admin, `question ${calls}`, { max_tokens: 20 })
      if (answer.status === 503) return void refused.push(answer.body.error_code)
      const { data, meta } = expectStatus(answer, 200).body
      answered.push({ action: 'cached', id: data.id, requestId: meta.request_id })
    }
    const workUntil = async (enough: () => boolean): Promise<void> => {
      const work = async () => {
        while (!enough()) await call()
      }
      await Promise.all(Array.from({ length: workers }, work))
    }
    for (let outage = 1; outage <= 3; outage += 1) {
      const seen = answered.length
      const turned = refused.length
      const working = workUntil(() => refused.length >= turned + 20)
      await expect.poll(() => answered.length, { timeout: 30_000, interval: 1 }).toBeGreaterThan(seen + 20)
      proxy.cut()
      await working
      proxy.mend()
      await expect
        .poll(async () => (await ask(tenant.admin, 'back again?', { max_tokens: 20 })).status, {
          timeout: 30_000,
          interval: 50,
        })
        .toBe(200)
    }
    expect([...new Set(refused)].filter((code) => !['GW-020', 'GW-019', 'API-009'].includes(code))).toEqual([])
    // A job whose end could not be written waits for the end of its lease; without an owner the lease ends at once.
    const kernel = { ...world.kernel, node: 'nobody' }
    await expectCallInvariants({ kernel, tenantId: tenant.id, answered, asked: upstream.received.length - before })
  })

  it('C52 never cost more than a hard budget that runs out meanwhile', async () => {
    await priceModel(short.admin, 'test-model', dollarATokenPrice)
    // Each call costs 18 and may cost some fifty.
    const amount = 1_800
    const budget = await makeBudget(short.admin, { amount: String(amount) })
    const answered: Answered[] = []
    const refused = { away: 0, spent: 0 }
    const before = upstream.received.length
    const call = async (): Promise<void> => {
      const answer = await ask(short.admin, `question ${answered.length}`, { max_tokens: 20 })
      if (answer.status === 503) refused.away += 1
      else if (answer.status === 429 && answer.body.error_code === 'GW-009') refused.spent += 1
      else {
        const { data, meta } = expectStatus(answer, 200).body
        answered.push({ action: 'cached', id: data.id, requestId: meta.request_id })
      }
    }
    const workUntil = async (enough: () => boolean): Promise<void> => {
      const work = async () => {
        while (!enough()) await call()
      }
      await Promise.all(Array.from({ length: workers }, work))
    }
    await workUntil(() => answered.length >= 20)
    const working = workUntil(() => refused.away >= 20)
    proxy.cut()
    await working
    proxy.mend()
    await workUntil(() => refused.spent >= 20)
    expect(answered.length * 18).toBeLessThanOrEqual(amount)
    const kernel = { ...world.kernel, node: 'nobody' }
    await expectCallInvariants({ kernel, tenantId: short.id, answered, asked: upstream.received.length - before })
    const shown = await budgetNow(short.admin, budget.id)
    expect(shown.reserved).toBe('0')
    expect(Number(shown.spent)).toBeGreaterThanOrEqual(answered.length * 18)
    expect(Number(shown.spent)).toBeLessThanOrEqual(amount)
    const last = await ask(short.admin, 'one more', { max_tokens: 4_000 })
    expect(last.body.budget.remaining).toBe(shown.remaining)
  })

  it('are answered all the same where the policy lets their records wait on the disk, and are recorded once', async () => {
    const spool = async () => {
      const query = { max_age_ms: '0', checks: 'gateway_spool' }
      const { checks } = expectStatus(await world.operator.get('/admin/health', { query }), 200).body.data
      return [checks.gateway_spool.status, checks.gateway_spool.observed.waiting_bytes > 0]
    }
    const answered: Answered[] = []
    const refused: string[] = []
    const call = async (number: number): Promise<void> => {
      const answer = await ask(waiting.admin, `question ${number}`)
      if (answer.status !== 200) return void refused.push(`${answer.status} ${answer.body.error_code}`)
      answered.push({ action: 'cached', id: answer.body.data.id, requestId: answer.body.meta.request_id })
    }
    await call(0)
    proxy.cut()
    for (let round = 0; round < 5; round += 1) await Promise.all([1, 2, 3, 4].map((n) => call(round * 10 + n)))
    // The other tenant's policy does not let records wait on the disk, so none of its calls is answered.
    expect([503, 499]).toContain((await ask(tenant.admin, 'and I?')).status)
    proxy.mend()
    // On a slow machine callers may have to be authenticated again, which is impossible then.
    expect(refused.filter((told) => told !== '503 API-009')).toEqual([])
    expect(answered.length).toBeGreaterThan(4)
    await expect.poll(spool, { timeout: 30_000, interval: 100 }).toEqual(['pass', false])
    const kernel = { ...world.kernel, node: 'nobody' }
    await expectCallInvariants({ kernel, tenantId: waiting.id, answered, asked: 0 })
  })
})

async function letRecordsWait({ admin }: TestTenant): Promise<void> {
  const [{ id, document }] = expectStatus(await admin.get('/gateway/policies'), 200).body.data
  const path = `/gateway/policies/${id}`
  const changed = { ...document, audit: { on_unavailable: 'spool' } }
  const { version } = expectStatus(await admin.patch(path, { document: changed }), 200).body.data
  expectStatus(await admin.post(`${path}/publish`, { version }), 200)
}
