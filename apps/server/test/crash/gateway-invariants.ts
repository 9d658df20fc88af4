/**
 * Invariants of model calls after any number of kills: every answered call is logged, audited and announced once, each
 * names its audit entry, the ledger agrees with the log to the last unit and knows every question a provider got,
 * nothing stays reserved, every count counts every call once, and no kept value, answer or word of feedback is without
 * its call. Each statement selects offenders, so that a failure names them. Tested by gateway.test.ts.
 */
import { expect } from 'vitest'
import type { TenantId } from '../../src/kernel/access/actor.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import type { Kernel } from '../../src/kernel/kernel.ts'
import { sweepHolds } from '../../src/modules/gateway/budgets/sweep.ts'
import { sweepLostCalls } from '../../src/modules/gateway/records/sweeper.ts'
import type { Answered } from './gateway-load.ts'
import { expectSettled } from './invariants.ts'

export interface GatewayEvidence {
  readonly kernel: Kernel
  readonly tenantId: TenantId
  readonly answered: readonly Answered[]
  /** Questions that came to the provider. */
  readonly asked: number
}

export async function expectCallInvariants(evidence: GatewayEvidence): Promise<void> {
  const { kernel, tenantId } = evidence
  await closeLost(kernel, tenantId)
  await expectSettled(kernel)
  await expectExports(evidence)
  for (const [what, statement] of Object.entries(offenders)) {
    expect([what, ...(await kernel.db.read(tenantId, statement))]).toEqual([what])
  }
  await expectPaid(evidence)
  await expectAnswered(evidence)
  await expectChain(evidence)
}

/** A provider that got the question will send a bill, even if the asking process died. */
async function expectPaid({ kernel, tenantId, asked }: GatewayEvidence): Promise<void> {
  const [ledger] = await kernel.db.read(
    tenantId,
    sql<{ paid: number }>`select count(*)::int as paid from gateway_budget_spend where amount_nano > 0`,
  )
  expect(ledger?.paid).toBeGreaterThanOrEqual(asked)
}

/** Lets the time pass after which an outcome is taken for lost. */
async function closeLost(kernel: Kernel, tenantId: TenantId): Promise<void> {
  const aheadMs = 3_600_000
  const { clock } = kernel
  const later: Kernel = {
    ...kernel,
    clock: {
      ...clock,
      now: () => clock.now() + aheadMs,
      iso: () => new Date(clock.now() + aheadMs).toISOString(),
    },
  }
  await sweepLostCalls(later, tenantId)
  await sweepHolds(later, tenantId)
}

const nano = sql`round((r.cost ->> 'amount')::numeric * 1000000000)`

const offenders: Readonly<Record<string, Sql>> = {
  'intents without an outcome': sql`
    select id from gateway_request_intent i where not exists (select from gateway_request r where r.id = i.id)`,
  'calls without their audit entry': sql`
    select id from gateway_request r
    where (select count(*) from audit_entry a
      where a.target = 'request:' || r.id and a.action in ('gateway.request', 'gateway.request.recover')) <> 1`,
  'calls that name another audit entry': sql`
    select id, audit_id from gateway_request r
    where not exists (select from audit_entry a where a.id = r.audit_id and a.target = 'request:' || r.id
      and a.action = case when r.recovered then 'gateway.request.recover' else 'gateway.request' end)`,
  'events that name another audit entry than their call': sql`
    select e.subject, e.data ->> 'audit_id' as told, r.audit_id from event_log e
    join gateway_request r on r.id::text = e.subject
    where e.channel in ('gateway.request.completed', 'gateway.request.blocked')
      and e.data ->> 'audit_id' is distinct from r.audit_id::text`,
  'calls that were not told once': sql`
    select id, status from gateway_request r
    where (select count(*) from event_log e where e.subject = r.id::text
      and e.channel in ('gateway.request.completed', 'gateway.request.blocked')) <> 1`,
  'ledger entries that do not say what the log says': sql`
    select s.call_id, s.source, s.amount_nano, r.cost from gateway_budget_spend s
    join gateway_request r on r.id = s.call_id
    where not r.recovered and s.amount_nano <> coalesce(${nano}, 0)`,
  'lost calls that are not booked as estimated': sql`
    select s.call_id, s.source, s.amount_nano from gateway_budget_spend s
    join gateway_request r on r.id = s.call_id
    where r.recovered and not (s.source = 'sweep' and s.estimated and s.amount_nano > 0)`,
  'calls that left nothing but what they held and are not booked at that': sql`
    select call_id, source, amount_nano from gateway_budget_spend s
    where not exists (select from gateway_request r where r.id = s.call_id)
      and not (s.source = 'sweep' and s.estimated and s.amount_nano > 0)`,
  'calls that cost something and were not booked once': sql`
    select r.id, r.cost from gateway_request r
    where (r.cost ->> 'amount')::numeric > 0
      and (select count(*) from gateway_budget_spend s where s.call_id = r.id) <> 1`,
  'budgets that are not what their ledger says': sql`
    select b.id, kept.spent + ended.amount as shown, ledger.amount as booked
    from gateway_budget b
    cross join lateral (
      select coalesce(sum(spent_nano), 0) as spent from gateway_budget_balance x where x.budget_id = b.id) as kept
    cross join lateral (
      select coalesce(sum(amount_nano), 0) as amount from gateway_budget_settled x where x.budget_id = b.id) as ended
    cross join lateral (
      select coalesce(sum(amount_nano), 0) as amount from gateway_budget_spend x where x.budget_id = b.id) as ledger
    where kept.spent + ended.amount <> ledger.amount`,
  'holds that nothing settled': sql`
    select id, call_id from gateway_budget_hold h
    where not exists (select from gateway_budget_settled s where s.id = h.id)`,
  'balances that reserve more or less than the holds': sql`
    select budget_id, sum(reserved_nano) as reserved from gateway_budget_balance x group by budget_id
    having sum(reserved_nano) <>
      (select coalesce(sum(amount_nano), 0) from gateway_budget_hold h where h.budget_id = x.budget_id)`,
  'counts that are not those of the log': sql`
    select counted, logged, cost, logged_cost, hourly from
      (select sum(requests) as counted, sum(cost_nano) as cost from gateway_usage_cell) as cells,
      (select sum(calls) as hourly from gateway_usage_hour) as hours,
      (select count(*) as logged, sum(coalesce(${nano}, 0)) as logged_cost from gateway_request r) as log
    where counted <> logged or hourly <> logged or cost <> logged_cost`,
  'kept values without their call': sql`
    select id from gateway_vault v where not exists (select from gateway_request r where r.id = v.id)`,
  'kept answers without their call': sql`
    select id from gateway_cache_entry c
    where not exists (select from gateway_request r where r.id = c.call_id and r.status = 'completed')`,
  'feedback without its call': sql`
    select id from gateway_feedback f where not exists (select from gateway_request r where r.id = f.request_id)`,
}

/** An attempt cut short is made again after a pause; here without it. */
async function expectExports({ kernel, tenantId }: GatewayEvidence): Promise<void> {
  const unfinished = async (): Promise<readonly unknown[]> => {
    await kernel.db.system('crash suite', (tx) =>
      tx.execute(sql`
        update job set run_at = clock_timestamp() where status = 'waiting' and kind = 'gateway.requests.export'`),
    )
    return kernel.db.read(
      tenantId,
      sql`select id, status from gateway_request_export where status not in ('completed', 'failed')`,
    )
  }
  await expect.poll(unfinished, { timeout: 60_000, interval: 250 }).toEqual([])
}

/** Answers that a client received to the last byte. */
async function expectAnswered({ kernel, tenantId, answered }: GatewayEvidence): Promise<void> {
  const ids = async (statement: Sql<{ id: string; request_id: string }>): Promise<ReadonlyMap<string, string>> =>
    new Map((await kernel.db.read(tenantId, statement)).map((row) => [row.id, row.request_id]))
  const known = {
    call: await ids(sql`select id, request_id from gateway_request where status = 'completed' and not recovered`),
    feedback: await ids(sql`select id, request_id::text from gateway_feedback`),
    export: await ids(sql`select id, id::text as request_id from gateway_request_export`),
    vault: await ids(sql`select id, id::text as request_id from gateway_vault`),
  }
  const calls = answered.filter(({ action }) => action !== 'feedback' && action !== 'export')
  expect(calls.filter(({ id, requestId }) => known.call.get(id) !== requestId)).toEqual([])
  const withValues = calls.filter(({ action }) => action !== 'cached')
  expect(withValues.filter(({ id }) => !known.vault.has(id))).toEqual([])
  for (const kind of ['feedback', 'export'] as const) {
    const missing = answered.filter(({ action, id }) => action === kind && !known[kind].has(id))
    expect(missing).toEqual([])
  }
}

/** Work that goes on after the restart writes entries too, and the sealer follows within a second. */
async function expectChain({ kernel, tenantId }: GatewayEvidence): Promise<void> {
  const behind = async (): Promise<object> => {
    const { verified, reason, entries } = await kernel.chain.verify(tenantId)
    const [sizes] = await kernel.db.read(
      tenantId,
      sql<{ entries: number }>`select count(*)::int as entries from audit_entry`,
    )
    return { verified, reason, unsealed: (sizes?.entries ?? 0) - entries }
  }
  await expect.poll(behind, { timeout: 30_000 }).toEqual({ verified: true, reason: null, unsealed: 0 })
}
