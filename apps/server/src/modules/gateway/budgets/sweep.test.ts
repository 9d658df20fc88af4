import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql, together } from '../../../kernel/db/sql.ts'
import { insertIntents, insertRequests } from '../records/statements.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { RequestRow } from '../schemas/request.ts'
import { heldBack } from '../testing/misbehave.ts'
import { budgetNow, dollarATokenPrice, eventually, makeBudget, priceModel } from '../testing/money.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, say, type Upstream } from '../testing/upstream.ts'
import { insertSpends } from './ledger.ts'
import { createReservations } from './reserve.ts'
import { isoOf } from './standing.ts'
import { sweepHolds } from './sweep.ts'
import { type SpendRow, spends } from './tables.ts'
import { windowAt } from './windows.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
/** A row of a real call, as a template for others. */
let sample: RequestRow

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('sweep')
  upstream = await openUpstream()
  upstream.reply(say('Hello.'))
  await addProvider(tenant.admin, 'local', upstream, { models: ['test-model'] })
  await priceModel(tenant.admin, 'test-model', dollarATokenPrice)
  const { data } = (await ask(tenant.admin, 'hello')).body
  const [row] = await world.kernel.db.read(
    tenant.id,
    sql<RequestRow>`select * from gateway_request where id = ${data.id}`,
  )
  if (row === undefined) throw new Error('no sample')
  sample = row
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

/** No call has this tag; only the tests hold amounts here. */
const elsewhere = [{ kind: 'tag', value: 'none' }]

/**
 * Sweeps as of an hour later, when the holds of `abandoned` have expired; the server's own sweep still leaves them
 * alone.
 */
function sweepLater(): Promise<void> {
  const { clock } = world.kernel
  const now = () => clock.now() + 3_600_000
  return sweepHolds({ ...world.kernel, clock: { ...clock, now, iso: () => isoOf(now()) } }, tenant.id)
}

/** Reserves 50 for a call and lets its process die: nothing settles it, and its hold expires within the hour. */
async function abandoned(budgetId: string): Promise<string> {
  const { random, clock } = world.kernel
  const callId = random.uuid()
  const bucket = isoOf(windowAt({ kind: 'month', hours: null, timeZone: 'UTC' }, clock.now()).bucket)
  const claim = { holdId: random.uuid(), budgetId, bucket, since: bucket, amountNano: '50000000000' }
  const [row] = await createReservations(world.kernel.db).take(tenant.id, {
    callId,
    at: clock.iso(),
    expiresAt: isoOf(clock.now() + 1_800_000),
    claims: [claim],
  })
  expect(row?.held).toBe(true)
  return callId
}

/** Ledger entries of a call, in the order of arrival. */
function entriesOf(callId: string): Promise<readonly SpendRow[]> {
  return world.kernel.db.read(
    tenant.id,
    sql<SpendRow>`
      select ${spends.columns} from gateway_budget_spend where call_id = ${callId} order by source = 'late', created_at`,
  )
}

function intentOf(id: string): IntentRow {
  const { tenant_id, trace_id, user_id, key_id, agent_id, session_id } = sample
  const { requested_model, policies, policy_mode, decision, tags, parent_request_id, offline, stream } = sample
  const { dialect, operation, requested_provider, route, provider, model } = sample
  const asked = { dialect, operation, requested_provider, route, provider, model }
  const caller = { tenant_id, trace_id, user_id, key_id, agent_id, session_id, ...asked }
  const decided = { policies, policy_mode, decision, tags, parent_request_id }
  const facts = { ...caller, ...decided, requested_model, offline, stream }
  const times = { created_at: sample.created_at, deadline_at: '2099-01-01T00:00:00.000Z' }
  return { ...facts, ...times, id, request_id: `req_${id}`, prompt_sha256: 'x' }
}

describe('a reservation left by a crash', () => {
  test.each([
    ['whose intent was stored', true],
    ['whose intent was not', false],
  ])('is booked at its worst case, marked as estimated, for a call %s', async (_what, hasIntent) => {
    const budget = await makeBudget(tenant.admin, { scope: elsewhere })
    const callId = await abandoned(budget.id)
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '0', reserved: '50' })
    if (hasIntent) await world.kernel.db.append([together([insertIntents([intentOf(callId)])])])
    await sweepLater()
    await sweepLater()
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '50', reserved: '0' })
    expect(await entriesOf(callId)).toMatchObject([{ source: 'sweep', estimated: true, amount_nano: '50000000000' }])
  })

  test('is closed by the log row where there is one, unless that was made up after a crash too', async () => {
    const [known, free, recovered] = await Promise.all(
      [1, 2, 3].map(() => makeBudget(tenant.admin, { scope: elsewhere })),
    )
    const rows = [
      { ...sample, id: await abandoned(known.id) },
      { ...sample, id: await abandoned(free.id), cost: { amount: null, currency: null, status: 'free' as const } },
      { ...sample, id: await abandoned(recovered.id), recovered: true, cost: { ...sample.cost, amount: null } },
    ]
    await world.kernel.db.append([together([insertRequests(rows)])])
    await sweepLater()
    expect((await budgetNow(tenant.admin, known.id)).spent).toBe('18')
    expect((await budgetNow(tenant.admin, free.id)).spent).toBe('0')
    expect((await budgetNow(tenant.admin, recovered.id)).spent).toBe('50')
  })

  test('is left alone while its call may still end', async () => {
    const budget = await makeBudget(tenant.admin, { scope: elsewhere })
    const { random } = world.kernel
    const bucket = isoOf(windowAt({ kind: 'month', hours: null, timeZone: 'UTC' }, world.kernel.clock.now()).bucket)
    await createReservations(world.kernel.db).take(tenant.id, {
      callId: random.uuid(),
      at: world.kernel.clock.iso(),
      expiresAt: isoOf(world.kernel.clock.now() + 7_200_000),
      claims: [{ holdId: random.uuid(), budgetId: budget.id, bucket, since: bucket, amountNano: '1000000000' }],
    })
    await sweepLater()
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '0', reserved: '1' })
  })
})

describe('a call that comes back after its reservation was closed', () => {
  /** Runs a call whose intent is lost, closes its holds while its provider is busy, and lets it end. */
  async function late(budgets: readonly { readonly id: string }[], { end = say('Late.'), sweeps = 1 } = {}) {
    const { reply, release } = heldBack(end)
    upstream.reply(reply)
    const lost = vi.spyOn(world.kernel.db, 'append').mockRejectedValueOnce(new Error('lost'))
    const arrived = upstream.next()
    const running = ask(tenant.admin, 'hello', { max_tokens: 20 })
    await arrived
    await vi.waitFor(() => expect(lost).toHaveBeenCalled(), patience)
    for (let time = 0; time < sweeps; time += 1) await sweepLater()
    const worst = await Promise.all(budgets.map(({ id }) => budgetNow(tenant.admin, id)))
    release()
    // The caller learns at once that the intent was lost, and the outcome is stored after that.
    expect((await running).status).toBeGreaterThanOrEqual(400)
    lost.mockRestore()
    upstream.reply(say('Hello.'))
    const notes = () =>
      world.kernel.db.read(
        tenant.id,
        sql`select id from gateway_budget_settled where budget_id = any(${budgets.map(({ id }) => id)}::uuid[])`,
      )
    await eventually(notes, ({ length }) => length === budgets.length)
    return { worst: worst.map(({ spent }) => Number(spent)) }
  }

  const patience = { timeout: 30_000 }
  const scope = [{ kind: 'model', value: 'test-model' }]
  const archive = (id: string) => tenant.admin.patch(`/gateway/budgets/${id}`, { status: 'archived' })

  test('is charged what it cost, once, in all its budgets, before and after anybody reserves again', async () => {
    const budgets = [await makeBudget(tenant.admin, { scope }), await makeBudget(tenant.admin, { scope, kind: 'soft' })]
    const { worst } = await late(budgets)
    for (const spent of worst) expect(spent).toBeGreaterThan(18)
    for (const { id } of budgets)
      expect(await budgetNow(tenant.admin, id)).toMatchObject({ spent: '18', reserved: '0', remaining: '82' })
    for (const spent of ['36', '54']) {
      expect((await ask(tenant.admin, 'again', { max_tokens: 10 })).status).toBe(200)
      for (const { id } of budgets) expect(await budgetNow(tenant.admin, id)).toMatchObject({ spent, reserved: '0' })
    }
    for (const { id } of budgets) await archive(id)
  })

  test('has an entry for the worst case and one that corrects it, however often its outcome is stored', async () => {
    const budget = await makeBudget(tenant.admin, { scope })
    const { worst } = await late([budget], { sweeps: 2 })
    const [hold] = await world.kernel.db.read(
      tenant.id,
      sql<SpendRow>`select ${spends.columns} from gateway_budget_spend where budget_id = ${budget.id} and source = 'sweep'`,
    )
    if (hold === undefined) throw new Error('nothing was swept')
    const again = { ...hold, source: 'call' as const, amount_nano: '18000000000' }
    for (let time = 0; time < 2; time += 1) {
      expect((await ask(tenant.admin, 'again', { max_tokens: 10 })).status).toBe(200)
      await world.kernel.db.append([together([insertSpends([again])])])
      expect((await budgetNow(tenant.admin, budget.id)).spent).toBe(String(18 * (time + 2)))
    }
    expect(await entriesOf(hold.call_id ?? '')).toMatchObject([
      { source: 'sweep', amount_nano: `${worst[0]}000000000`, estimated: true },
      { source: 'late', amount_nano: `${18 - (worst[0] ?? 0)}000000000`, estimated: false },
    ])
    await archive(budget.id)
  })

  test('gives all of it back where it cost nothing', async () => {
    const budget = await makeBudget(tenant.admin, { scope })
    const { worst } = await late([budget], { end: fail(400) })
    expect(worst[0]).toBeGreaterThan(18)
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '0', reserved: '0', remaining: '100' })
    await archive(budget.id)
  })
})
