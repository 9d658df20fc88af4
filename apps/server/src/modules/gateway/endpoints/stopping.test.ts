/**
 * The process is stopped in the middle of model calls: they get their grace period and then end as broken, with an
 * error text.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { schemaOf } from '../../../kernel/assembly/schema.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { modules } from '../../../modules.ts'
import { addProvider, framesOf } from '../testing/support.ts'
import { hang, openUpstream, type Reply, say, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let address: string
let database: TestDatabase

/** Timeouts too long to end a call in these tests. */
const timeouts = { connect_ms: 10_000, first_byte_ms: 300_000, idle_ms: 300_000, total_ms: 600_000 }
const words = 'Words that are released at once. '.repeat(9)

async function open(graceMs: number): Promise<void> {
  world = await openWorld({ database, environment: { PARAPET_SHUTDOWN_GRACE_MS: String(graceMs) } })
  tenant = await world.tenant('stopped')
  await addProvider(tenant.admin, 'local', upstream, { timeouts })
  address = await world.address()
}

beforeEach(async () => {
  database = await openTestDatabase(schemaOf(modules))
  upstream = await openUpstream()
})

afterEach(async () => {
  await upstream.close()
  await world.close()
})

/** A call that has reached the model. */
async function begun(reply: Reply, over: object = {}): Promise<{ readonly answer: Promise<Response> }> {
  upstream.reply(reply)
  const arrived = upstream.next()
  const messages = [{ role: 'user', content: 'go on' }]
  const answer = fetch(`${address}/api/v1/gateway/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test-model', messages, cache: { mode: 'off' }, ...over }),
  })
  await arrived
  return { answer }
}

/** The recorded calls, read while the database is still open and no new requests are accepted. */
async function recorded() {
  await world.kernel.stopping.idle()
  return world.kernel.db.tenant({ tenantId: tenant.id, readOnly: true }, (tx) =>
    tx.query(sql<{ status: string; error_code: string | null }>`select status, error_code from gateway_request`),
  )
}

describe('a process that is told to stop', () => {
  test('breaks a stream off after its grace, says so in it and records it as incomplete', async () => {
    await open(300)
    const { answer } = await begun(streamed([words, words], { open: true }), { stream: true })
    const stream = await answer
    const closed = world.program.app.close()
    const frames = framesOf(await stream.text())
    expect(frames[0]?.event).toBe('chunk')
    expect(frames.at(-1)).toMatchObject({ event: 'error', data: { error_code: 'GW-014' } })
    await closed
    expect(await recorded()).toEqual([{ status: 'incomplete', error_code: 'GW-014' }])
  })

  test('answers 503 for a call whose model has said nothing by then', async () => {
    await open(300)
    const { answer } = await begun(hang)
    const closed = world.program.app.close()
    const told = await answer
    expect([told.status, (await told.json()).error_code]).toEqual([503, 'API-009'])
    await closed
    expect(await recorded()).toEqual([{ status: 'failed', error_code: 'API-009' }])
  })

  test('lets a call finish that is done within its grace', async () => {
    await open(30_000)
    let letGo: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { answer } = await begun(async (response, received) => {
      await held
      await say('Done in time.')(response, received)
    })
    const closed = world.program.app.close()
    letGo()
    const told = await answer
    expect([told.status, (await told.json()).data.choices[0].message.content]).toEqual([200, 'Done in time.'])
    await closed
    expect(await recorded()).toEqual([{ status: 'completed', error_code: null }])
  })
})
