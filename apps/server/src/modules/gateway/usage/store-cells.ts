import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { usageCells } from '../budgets/tables.ts'
import type { Cell } from './cells.ts'

/** Adds to the cells of their hours. The caller sees to it that each call is added once. */
export async function addToCells(tx: Tx, cells: readonly Cell[]): Promise<void> {
  await tx.execute(
    sql`
      ${insertRows(usageCells, cells)}
      on conflict (tenant_id, hour, key) do update set
        requests = gateway_usage_cell.requests + excluded.requests,
        input_tokens = gateway_usage_cell.input_tokens + excluded.input_tokens,
        cached_tokens = gateway_usage_cell.cached_tokens + excluded.cached_tokens,
        output_tokens = gateway_usage_cell.output_tokens + excluded.output_tokens,
        cost_nano = gateway_usage_cell.cost_nano + excluded.cost_nano,
        saved_nano = gateway_usage_cell.saved_nano + excluded.saved_nano,
        budgeted_nano = gateway_usage_cell.budgeted_nano + excluded.budgeted_nano,
        unpriced_requests = gateway_usage_cell.unpriced_requests + excluded.unpriced_requests,
        fail_open = gateway_usage_cell.fail_open + excluded.fail_open,
        cache_hits = gateway_usage_cell.cache_hits + excluded.cache_hits,
        tallies = (
          select jsonb_object_agg(name, total) from (
            select name, sum(amount::bigint) as total from (
              select * from jsonb_each_text(gateway_usage_cell.tallies)
              union all select * from jsonb_each_text(excluded.tallies)) as pair (name, amount)
            group by name) as merged)`,
  )
}

/** Takes calls away that were added before; a cell left without calls is deleted. */
export async function takeFromCells(tx: Tx, cells: readonly Cell[]): Promise<void> {
  await addToCells(tx, cells.map(negative))
  await tx.execute(
    sql`
      delete from gateway_usage_cell
      where requests = 0 and (hour, key) in (
        select * from unnest(${cells.map(({ hour }) => hour)}::timestamptz[], ${cells.map(({ key }) => key)}::text[]))`,
  )
}

function negative(cell: Cell): Cell {
  const minus = (nano: string): string => String(-BigInt(nano))
  return {
    ...cell,
    requests: -cell.requests,
    input_tokens: -cell.input_tokens,
    cached_tokens: -cell.cached_tokens,
    output_tokens: -cell.output_tokens,
    unpriced_requests: -cell.unpriced_requests,
    fail_open: -cell.fail_open,
    cache_hits: -cell.cache_hits,
    cost_nano: minus(cell.cost_nano),
    saved_nano: minus(cell.saved_nano),
    budgeted_nano: minus(cell.budgeted_nano),
    tallies: Object.fromEntries(Object.entries(cell.tallies).map(([name, count]) => [name, -count])),
  }
}
