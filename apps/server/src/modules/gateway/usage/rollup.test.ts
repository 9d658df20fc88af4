import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import { sweepLostCalls } from '../records/sweeper.ts'
import { heldBack } from '../testing/misbehave.ts'
import { dollarATokenPrice, eventually, priceModel } from '../testing/money.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, say, sayBack, streamed, type Upstream } from '../testing/upstream.ts'
import { countCalls } from './rollup.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant
let n = 0

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
})

beforeEach(async () => {
  n += 1
  tenant = await world.tenant(`counted-${n}`)
  await addProvider(tenant.admin, 'local', upstream)
  upstream.reply(say('Fine.'))
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const email = 'anna@example.org'
const mailed = `Write to ${email} please`

/** The hours' counts of one call under this policy. */
async function counts(document: object, content: string, over: object = {}) {
  await onlyPolicy(tenant, { content: { system_prompt: {} }, ...document })
  await ask(tenant.admin, content, over)
  return vi.waitFor(async () => {
    const hours = await world.kernel.db.read(
      tenant.id,
      sql<{ calls: number; with_entities: number; leaked: number }>`
        select calls, with_entities, leaked from gateway_usage_hour`,
    )
    expect(hours).toMatchObject([{ calls: 1 }])
    return { asked: hours[0]?.with_entities, leaked: hours[0]?.leaked }
  }, 30_000)
}

const entities = (EMAIL: object) => ({ sensitive_data: { entities: { EMAIL } } })
const none = { asked: 0, leaked: 0 }
const kept = { asked: 1, leaked: 0 }
const leaked = { asked: 1, leaked: 1 }

describe('a call with something its policy hides', () => {
  test('is kept where it was hidden', async () => {
    expect(await counts(entities({ action: 'redact' }), mailed)).toEqual(kept)
  })

  test('is kept where it was refused', async () => {
    expect(await counts(entities({ action: 'block' }), mailed)).toEqual(kept)
  })

  test('is none where it is only noted', async () => {
    expect(await counts(entities({ action: 'flag' }), mailed)).toEqual(none)
  })

  test('is none where it is allowed', async () => {
    expect(await counts(entities({ action: 'allow' }), mailed)).toEqual(none)
  })

  test('is none where only the answer holds it', async () => {
    upstream.reply(say(`Ask ${email}.`))
    expect(await counts(entities({ action: 'redact' }), 'Whom shall I ask?')).toEqual(none)
  })

  test('has leaked where a watching policy let it through', async () => {
    expect(await counts({ mode: 'monitor', ...entities({ action: 'block' }) }, mailed)).toEqual(leaked)
  })

  test('has leaked where the answer that brought it to light was refused', async () => {
    upstream.reply(sayBack(({ body }) => body.messages.at(-1).content))
    const document = { sensitive_data: { roles: ['tool'] }, output: { sensitive_data: 'block' } }
    expect(await counts(document, mailed)).toEqual(leaked)
  })

  test('has leaked where the provider failed after it was asked', async () => {
    upstream.reply(fail(400))
    expect(await counts({ mode: 'monitor', ...entities({ action: 'block' }) }, mailed)).toEqual(leaked)
  })

  test('is kept where a later step refused the call before it left', async () => {
    const denied = [{ id: 't', terms: ['bluebird'], match: 'word', action: 'block', on: ['input'] }]
    const document = { ...entities({ action: 'redact' }), content: { denied_terms: denied } }
    expect(await counts(document, `${mailed} about bluebird`)).toEqual(kept)
  })
})

describe('an answer with a value that was sent', () => {
  const blind = { sensitive_data: { roles: ['tool'] } }
  const back = () => upstream.reply(sayBack(({ body }) => `You wrote: ${body.messages.at(-1).content}`))

  test('shows that it was sent, and the record says so without it', async () => {
    back()
    expect(await counts(blind, mailed)).toEqual(leaked)
    const [row] = (await tenant.admin.get('/gateway/requests')).body.data
    const { security } = (await tenant.admin.get(`/gateway/requests/${row.id}`)).body.data
    expect(security.policy_violations).toContainEqual({
      rule_id: 'EMAIL',
      step: 'output_inspection',
      category: 'sent_in_clear',
      action: 'flag',
      severity: 'low',
      count: 1,
      location: '/choices/0/message/content',
    })
    expect(JSON.stringify(security)).not.toContain(email)
  })

  test('shows it in a stream, and in the policy’s own kinds', async () => {
    const custom = [{ name: 'BADGE', pattern: 'B-\\d{4}', confidence: 1 }]
    upstream.reply(streamed(['Badge B-', '1234 is known.']))
    const document = { sensitive_data: { ...blind.sensitive_data, custom } }
    expect(await counts(document, 'Whose is B-1234?', { stream: true })).toEqual(leaked)
  })

  test('shows it with other separators', async () => {
    upstream.reply(say('The card 4111 1111 1111 1111 is valid.'))
    expect(await counts(blind, 'Is 4111-1111-1111-1111 valid?')).toEqual(leaked)
  })

  test('shows nothing where another value was sent, or none of a kind that is hidden', async () => {
    upstream.reply(say('Ask bert@example.org.'))
    expect(await counts(blind, mailed)).toEqual(none)
  })

  test('shows nothing of what the policy says itself or knows to be harmless', async () => {
    upstream.reply(say(`Ask ${email} or help@example.com.`))
    const document = {
      sensitive_data: { ...blind.sensitive_data, allow_list: [{ entity: 'EMAIL', domains: ['example.com'] }] },
      content: { system_prompt: { prepend: `Send people to ${email}.` } },
      output: { system_prompt_leak: 'allow' },
    }
    expect(await counts(document, 'Is it help@example.com?')).toEqual(none)
  })
})

test('a call that was given up and came back later is counted once, where the log puts it, with what it used and cost', async () => {
  await addProvider(tenant.admin, 'priced', upstream, { models: ['priced-model'] })
  await priceModel(tenant.admin, 'priced-model', dollarATokenPrice)
  const { reply, release } = heldBack(say('Late.'))
  upstream.reply(reply)
  const arrived = upstream.next()
  const running = ask(tenant.admin, 'hello', { model: 'priced-model' })
  await arrived
  const listed = async (query: Record<string, string>) =>
    (await tenant.admin.get('/gateway/requests', { query })).body.data
  await eventually(
    () => listed({ status: 'in_progress' }),
    (rows) => rows.length === 1,
  )
  const iso = () => new Date(world.kernel.clock.now() + 3_600_000).toISOString()
  await sweepLostCalls({ ...world.kernel, clock: { ...world.kernel.clock, iso } }, tenant.id)
  const cells = () =>
    world.kernel.db.read(
      tenant.id,
      sql<{ model: string }>`
        select model, code, requests::int, output_tokens::int as tokens, cost_nano::text as cost, unpriced_requests::int as unpriced
        from gateway_usage_cell order by model`,
    )
  const lost = { model: 'priced-model', code: 'GW-020', requests: 1 }
  expect(await eventually(cells, (rows) => rows.length === 1)).toEqual([{ ...lost, tokens: 0, cost: '0', unpriced: 1 }])
  release()
  expect((await running).status).toBe(200)
  expect(await listed({})).toMatchObject([{ status: 'failed', recovered: true }])
  upstream.reply(say('Fine.'))
  expect((await ask(tenant.admin, 'hello', { model: 'test-last' })).status).toBe(200)
  // Events are handled in their order.
  expect(await eventually(cells, (rows) => rows.some(({ model }) => model === 'test-last'))).toEqual([
    { ...lost, tokens: 7, cost: '18000000000', unpriced: 0 },
    { model: 'test-last', code: null, requests: 1, tokens: 7, cost: '0', unpriced: 1 },
  ])
  const hours = () =>
    world.kernel.db.read(
      tenant.id,
      sql`select sum(calls)::int as calls, sum(input_tokens)::int as read, sum(output_tokens)::int as written from gateway_usage_hour`,
    )
  expect(await hours()).toEqual([{ calls: 2, read: 22, written: 14 }])
  // Where the relay was away for long, one batch tells of both.
  const counted = [await cells(), await hours()]
  await world.kernel.db.tenant({ tenantId: tenant.id }, async (tx) => {
    await tx.execute(sql`delete from gateway_usage_cell`)
    await tx.execute(sql`delete from gateway_usage_hour`)
    const events = await tx.query(sql<LoggedEvent>`
      select channel, subject, data from event_log where channel = any(${[...countCalls.channels]}) order by position`)
    await countCalls.handle({ tx, events } as Parameters<typeof countCalls.handle>[0])
  })
  expect([await cells(), await hours()]).toEqual(counted)
})

test('a call that was refused before its policies were looked up is counted, and in no hour of policies', async () => {
  expect((await tenant.admin.post('/gateway/chat/completions', { nonsense: true })).status).toBe(400)
  const counted = () =>
    world.kernel.db.read(
      tenant.id,
      sql<{ cells: number; hours: number }>`
        select (select coalesce(sum(requests), 0) from gateway_usage_cell)::int as cells,
          (select count(*) from gateway_usage_hour)::int as hours`,
    )
  await expect.poll(async () => (await counted())[0], { timeout: 30_000 }).toEqual({ cells: 1, hours: 0 })
})
