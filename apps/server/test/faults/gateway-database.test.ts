/** The database goes away under model calls and comes back: whoever is not recorded gets no answer, and nothing is there twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPgDriver } from '../../src/kernel/db/adapters/pg.ts'
import { schemaOf } from '../../src/kernel/schema.ts'
import { type CuttableProxy, startCuttableProxy } from '../../src/kernel/testing/cuttable-proxy.ts'
import { dollarATokenPrice, makeBudget, priceModel } from '../../src/modules/gateway/test/money.ts'
import { addProvider, ask } from '../../src/modules/gateway/test/support.ts'
import { openUpstream, say, type Upstream } from '../../src/modules/gateway/test/upstream.ts'
import { modules } from '../../src/modules.ts'
import { expectCallInvariants } from '../crash/gateway-invariants.ts'
import type { Answered } from '../crash/gateway-load.ts'
import { isAvailable, openTestDatabase, type TestDatabase } from '../support/database.ts'
import { expectStatus, openWorld, type TestTenant, type World } from '../support/world.ts'

const workers = 6

describe.skipIf(!(await isAvailable('pg')))('model calls while the database goes away (skipped without one)', () => {
  let database: TestDatabase
  let proxy: CuttableProxy
  let upstream: Upstream
  let world: World
  let tenant: TestTenant

  beforeAll(async () => {
    upstream = await openUpstream()
    upstream.reply(say('Hello.'))
    database = await openTestDatabase(schemaOf(modules), 'pg')
    proxy = await startCuttableProxy(database.url ?? '')
    const url = new URL(database.url ?? '')
    url.host = new URL(proxy.url).host
    const driver = createPgDriver({ url: url.href, poolSize: 6 })
    world = await openWorld({
      environment: { PARAPET_LOG_LEVEL: 'silent' },
      database: { driver, url: url.href, close: () => driver.close() },
    })
    tenant = await world.tenant('away')
    await addProvider(tenant.admin, 'local', upstream, { models: ['test-model'] })
    await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
    await makeBudget(tenant.admin, { amount: '10000000' })
  })
  afterAll(async () => {
    proxy?.mend()
    await world?.close()
    await proxy?.close()
    await upstream?.close()
    await database?.close()
  })

  it('are recorded before they are answered or are refused, three outages long', { timeout: 120_000 }, async () => {
    const answered: Answered[] = []
    const refused: string[] = []
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
    // A job whose end could not be written waits for the end of its lease; as nobody's its time is over at once.
    const kernel = { ...world.kernel, node: 'nobody' }
    await expectCallInvariants({ kernel, tenantId: tenant.id, answered })
  })
})
