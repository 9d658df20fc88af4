/**
 * Corrects the counts of a call that was closed as lost and whose outcome arrived after all (a long outage, a late
 * commit). The log row stays as it was, and the call's real usage and cost are counted. Is not idempotent by itself:
 * the caller handles each event once. Tested in rollup.test.ts.
 */

import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { EventData } from '../../../kernel/events/catalogue/catalogue.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import { requestCompleted } from '../schemas/events.ts'
import type { CountedCall } from './cells.ts'
import type { HourlyCall } from './hours.ts'

export type Countable = CountedCall & HourlyCall

/** The amount counted, and the amount that should have been. */
export interface Correction {
  readonly before: Countable
  readonly after: Countable
}

interface Given {
  readonly id: string
  /** Of the outcome that was told of; the row has another. */
  readonly told_audit_id: string
  readonly under_hard_budget: boolean
}

type Found = Countable & Given
type Told = EventData<typeof requestCompleted>

/** Of those calls among the told ones that the log holds as given up. */
export async function lateCalls(
  tx: Tx,
  told: readonly LoggedEvent[],
  columns: SqlPart,
): Promise<readonly Correction[]> {
  const ended = told.filter(({ channel }) => channel === requestCompleted.channel)
  if (ended.length === 0) return []
  const found = await tx.query(
    sql<Found>`
      select ${columns}, id, told_audit_id, exists (
        select from gateway_budget_spend s join gateway_budget b on b.id = s.budget_id
        where s.call_id = gateway_request.id and b.kind = 'hard') as under_hard_budget
      from gateway_request
      join unnest(${ended.map(({ subject }) => subject)}::uuid[],
        ${ended.map(({ data }) => String(data.audit_id))}::uuid[]) as told (told_id, told_audit_id) on told_id = id
      where recovered and audit_id <> told_audit_id`,
  )
  return found.flatMap((before) => {
    const told = ended.find(({ subject, data }) => subject === before.id && data.audit_id === before.told_audit_id)
    return told === undefined ? [] : [{ before, after: corrected(before, told.data as Told) }]
  })
}

/** The call as the log groups it, with its real usage, cost and target. */
function corrected({ id: _id, told_audit_id: _told, under_hard_budget, ...before }: Found, told: Told): Countable {
  const { provider, model, usage, cost: amount, currency, cost_status: status } = told
  return {
    ...before,
    provider,
    model,
    usage: usage === null ? null : usageOf(usage),
    cost: { amount, currency, status, budgeted: under_hard_budget },
  }
}

function usageOf(told: NonNullable<Told['usage']>): NonNullable<Countable['usage']> {
  return {
    prompt_tokens: told.input_tokens,
    completion_tokens: told.output_tokens,
    total_tokens: told.total_tokens,
    cached_tokens: told.cached_tokens,
    reasoning_tokens: 0,
    usage_source: told.usage_source,
  }
}
