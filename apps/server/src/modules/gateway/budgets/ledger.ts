/**
 * Statements behind reserving and settling. Everything of a budget that changes in place (its balance, its holds) is
 * changed under the lock of its row, taken in the order of the ids. The ledger is append-only: the writer of a call's
 * outcome adds to it and needs no lock. Tested in reserve.test.ts on both databases.
 */

import { insertRows } from '../../../kernel/db/rows.ts'
import { type Insert, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { guessed, lateId, type StandingRow, standingColumns, standingSources } from './standing.ts'
import { type SpendRow, settledHolds, spends } from './tables.ts'

/** Later statements wait for the current holder of any of these budgets' locks, and see everything committed before. */
export function lockBudgets(ids: readonly string[]): SqlPart<{ id: string }> {
  return sql<{ id: string }>`select id from gateway_budget where id = any(${[...ids]}::uuid[]) order by id for update`
}

/**
 * Moves settled holds from reserved to spent. An entry whose hold is gone was settled before: if that entry was an
 * estimate of the sweeper, the difference becomes a separate entry, whose id ensures that there is only one.
 */
export function foldSettled(ids: readonly string[], at: string): SqlPart {
  return sql`
    with ended as (
      delete from gateway_budget_settled where budget_id = any(${[...ids]}::uuid[])
      returning id, amount_nano, estimated
    ), freed as (
      delete from gateway_budget_hold h using ended where h.id = ended.id
      returning h.budget_id, h.bucket, h.amount_nano as held, ended.amount_nano as amount
    ), late as (
      insert into gateway_budget_spend
        (id, budget_id, call_id, source, bucket, amount_nano, estimated, reason, created_at)
      select ${lateId}, swept.budget_id, swept.call_id, 'late', swept.bucket,
        ended.amount_nano - swept.amount_nano, ended.estimated, ${lateReason}, ${at}::timestamptz
      from ended join gateway_budget_spend swept on swept.id = ended.id and ${guessed}
      on conflict do nothing
      returning budget_id, bucket, amount_nano as amount
    ), moved as (
      select budget_id, bucket, amount, held from freed
      union all select budget_id, bucket, amount, 0 from late
    )
    insert into gateway_budget_balance (budget_id, bucket, spent_nano, reserved_nano)
    select budget_id, bucket, sum(amount), -sum(held) from moved group by budget_id, bucket
    on conflict (tenant_id, budget_id, bucket) do update set
      spent_nano = gateway_budget_balance.spent_nano + excluded.spent_nano,
      reserved_nano = gateway_budget_balance.reserved_nano + excluded.reserved_nano`
}

const lateReason = 'the outcome came after the worst case was booked'

/** Maximum cost of one call for one budget. */
export interface Claim {
  readonly holdId: string
  readonly budgetId: string
  readonly bucket: string
  readonly since: string
  readonly amountNano: string
}

export interface ClaimRow extends StandingRow {
  readonly amount: string
  readonly kind: 'hard' | 'soft'
  readonly refuses: boolean
  readonly held: boolean
}

export interface HoldFacts {
  readonly callId: string
  readonly expiresAt: string
  readonly at: string
}

/** Holds every claim, or none if a hard budget is too low. A budget that is no longer active does not refuse. */
export function takeHolds(claims: readonly Claim[], { callId, expiresAt, at }: HoldFacts): SqlPart<ClaimRow> {
  return sql<ClaimRow>`
    with asked as (
      select * from unnest(${claims.map(({ budgetId }) => budgetId)}::uuid[], ${claims.map(({ holdId }) => holdId)}::uuid[],
        ${claims.map(({ bucket }) => bucket)}::timestamptz[], ${claims.map(({ since }) => since)}::timestamptz[],
        ${claims.map(({ amountNano }) => amountNano)}::numeric[]) as claim (budget_id, hold_id, bucket, since, wanted)
    ), standing as (
      select asked.*, b.amount_nano as amount, b.kind, ${standingColumns}
      from asked join gateway_budget b on b.id = asked.budget_id
      ${standingSources}
      where b.status = 'active'
    ), fitting as (
      select * from standing
      where not exists (select from standing s where s.kind = 'hard' and s.spent + s.reserved + s.wanted > s.amount)
    ), held as (
      insert into gateway_budget_hold (id, budget_id, call_id, bucket, amount_nano, expires_at, created_at)
      select hold_id, budget_id, ${callId}::uuid, bucket, wanted, ${expiresAt}::timestamptz, ${at}::timestamptz
      from fitting
    ), counted as (
      insert into gateway_budget_balance (budget_id, bucket, reserved_nano)
      select budget_id, bucket, wanted from fitting
      on conflict (tenant_id, budget_id, bucket)
        do update set reserved_nano = gateway_budget_balance.reserved_nano + excluded.reserved_nano
    )
    select budget_id, amount, kind, spent, reserved, oldest,
      kind = 'hard' and spent + reserved + wanted > amount as refuses,
      exists (select from fitting) as held
    from standing
    order by budget_id`
}

/**
 * One statement for any number of entries, which settles the holds of the same ids. An existing entry (the sweeper was
 * first) stays unchanged; the settled row left by this statement corrects it later.
 */
export function insertSpends(rows: readonly SpendRow[]): Insert {
  const settled = rows.filter(({ source }) => source !== 'adjustment')
  const insert = sql`
    booked as (${insertRows(spends, rows)} on conflict do nothing),
    settled as (
      ${insertRows(settledHolds, settled, ['tenant_id', 'id', 'budget_id', 'amount_nano', 'estimated'])}
      on conflict do nothing
    )`
  return { insert }
}
