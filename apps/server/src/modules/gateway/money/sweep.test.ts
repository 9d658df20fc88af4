import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql, together } from '../../../kernel/db/sql.ts'
import { insertIntents, insertRequests } from '../records/statements.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { RequestRow } from '../schemas/request.ts'
import { budgetNow, dollarATokenPrice, makeBudget, priceModel } from '../test/money.ts'
import { addProvider, ask } from '../test/support.ts'
import { openUpstream, say, type Upstream } from '../test/upstream.ts'
import { createReservations } from './reserve.ts'
import { isoOf } from './standing.ts'
import { sweepHolds } from './sweep.ts'
import { windowAt } from './windows.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
/** A row of a real call, to make others of. */
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

/** An hour later, when what `abandoned` set aside is over; the server's own sweep still leaves it alone. */
function sweepLater(): Promise<void> {
  const { clock } = world.kernel
  const now = () => clock.now() + 3_600_000
  return sweepHolds({ ...world.kernel, clock: { ...clock, now, iso: () => isoOf(now()) } }, tenant.id)
}

/** Sets 50 aside for a call and lets its process die: nothing settles it, and its time is over within the hour. */
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
  test('is given back when no provider was asked', async () => {
    const budget = await makeBudget(tenant.admin)
    await abandoned(budget.id)
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '0', reserved: '50' })
    await sweepLater()
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '0', reserved: '0' })
  })

  test('is booked at its worst case when a provider was asked, and marked as estimated', async () => {
    const budget = await makeBudget(tenant.admin)
    const callId = await abandoned(budget.id)
    await world.kernel.db.append([together([insertIntents([intentOf(callId)])])])
    await sweepLater()
    await sweepLater()
    expect(await budgetNow(tenant.admin, budget.id)).toMatchObject({ spent: '50', reserved: '0' })
    const entries = await world.kernel.db.read(
      tenant.id,
      sql`select source, estimated from gateway_budget_spend where call_id = ${callId}`,
    )
    expect(entries).toEqual([{ source: 'sweep', estimated: true }])
  })

  test('is closed by the log row where there is one, unless that was made up after a crash too', async () => {
    const [known, free, recovered] = await Promise.all([1, 2, 3].map(() => makeBudget(tenant.admin)))
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
    const budget = await makeBudget(tenant.admin)
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
