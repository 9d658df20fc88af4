import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { EventBatch, EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import { sentInClear } from '../inspection/sent-in-clear.ts'
import { requestBlocked, requestCompleted } from '../schemas/events.ts'
import { usageHours } from '../schemas/tables.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { cellsOf } from './cells.ts'
import { type Hour, hoursOf, negative } from './hours.ts'
import { type Countable, lateCalls } from './late-calls.ts'
import { addToCells, takeFromCells } from './store-cells.ts'

/** Keeps the hourly counts: few ones for the trust score and many for analytics. Each event is handled once, so a count is exact however often the handler is restarted. */
export const countCalls: EventHandlerDeclaration<GatewayServices> = {
  name: 'gateway.usage',
  channels: [requestCompleted.channel, requestBlocked.channel],
  handle: ({ tx, events }) => count(tx, events),
}

/** A call let through by a watching policy has two events; only its `completed` one counts. */
async function count(tx: Tx, events: EventBatch<GatewayServices>['events']): Promise<void> {
  const told = events.filter(({ data }) => data.monitor !== true)
  if (told.length === 0) return
  const calls = await tx.query(countedCalls(told))
  const late = await lateCalls(tx, told, countedColumns)
  await add(tx, calls)
  if (late.length === 0) return
  await takeAway(
    tx,
    late.map(({ before }) => before),
  )
  await add(
    tx,
    late.map(({ after }) => after),
  )
}

async function add(tx: Tx, calls: readonly Countable[]): Promise<void> {
  if (calls.length > 0) await Promise.all([addToCells(tx, cellsOf(calls)), addToHours(tx, hoursOf(calls))])
}

async function takeAway(tx: Tx, calls: readonly Countable[]): Promise<void> {
  await Promise.all([takeFromCells(tx, cellsOf(calls)), addToHours(tx, hoursOf(calls).map(negative))])
}

/**
 * An outcome that arrived after its call was closed as lost is announced and differs from the log row: the call was
 * counted when it was closed, and late-calls.ts corrects that.
 */
const countedCalls = (told: EventBatch<GatewayServices>['events']) => sql<Countable>`
  select ${countedColumns}
  from gateway_request
  where (id, audit_id) in (
    select * from unnest(${told.map(({ subject }) => subject)}::uuid[],
      ${told.map(({ data }) => String(data.audit_id))}::uuid[]))`

/** Some calls count in no hour, so there may be nothing to add. */
async function addToHours(tx: Tx, hours: readonly Hour[]): Promise<void> {
  if (hours.length === 0) return
  await tx.execute(
    sql`
      ${insertRows(usageHours, hours)}
      on conflict (tenant_id, hour, offline) do update set
        calls = gateway_usage_hour.calls + excluded.calls,
        blocked = gateway_usage_hour.blocked + excluded.blocked,
        enforced = gateway_usage_hour.enforced + excluded.enforced,
        fail_open = gateway_usage_hour.fail_open + excluded.fail_open,
        with_entities = gateway_usage_hour.with_entities + excluded.with_entities,
        leaked = gateway_usage_hour.leaked + excluded.leaked,
        input_tokens = gateway_usage_hour.input_tokens + excluded.input_tokens,
        output_tokens = gateway_usage_hour.output_tokens + excluded.output_tokens,
        last_at = greatest(gateway_usage_hour.last_at, excluded.last_at)`,
  )
}

/** A row at least of each kind of finding. */
const everyKind = sql`((security -> 'policy_violations') || coalesce(unshown, '[]'))`

/**
 * The request contained a value that its policy hides or blocks; values that are only flagged or came in the answer do
 * not count.
 */
const hides = sql`
  exists (
    select from jsonb_array_elements(${everyKind}) found
    where found ->> 'step' = 'sensitive_data' and found ->> 'action' in ('redact', 'block', 'would_block'))`

/**
 * Something of that kind reached a provider as it was: a monitoring policy let it through, the detector failed and the
 * policy fails open, or the answer held a value that was in the sent text. Without an attempt nothing reached a
 * provider.
 */
const leaks = sql`
  attempts <> '[]'::jsonb and ('sensitive_data' = any (fail_open) or exists (
    select from jsonb_array_elements(${everyKind}) found
    where (found ->> 'step' = 'sensitive_data' and found ->> 'action' = 'would_block')
      or found ->> 'category' = ${sentInClear}))`

const countedColumns = sql`
  date_trunc('hour', finished_at) as hour, finished_at, offline, status, policy_mode, provider, model, route,
  user_id, key_id, agent_id, decision, error_code, tags, policies, usage, cost, timings, steps, fail_open, cache,
  (${hides}) or (${leaks}) as has_entities, (${leaks}) as leaked`
