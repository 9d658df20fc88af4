import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { isUuid } from '../../../kernel/base/uuid.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { RequestFilter, RequestRow, RequestSummary } from '../schemas/request.ts'
import { requestIntents, requests } from '../schemas/tables.ts'
import { withoutHiddenScores } from './hidden-scores.ts'
import { visibleTo, wantedOf, wantedOfRunning } from './requests-filter.ts'

/** A page of the calls the caller may see and asked for, without their content. */
export async function listRequests(
  tx: Tx,
  actor: Actor,
  asked: { readonly page: PageRequest; readonly filter: RequestFilter },
): Promise<Page<RequestSummary>> {
  if (asked.filter.status === 'in_progress') return listRunning(tx, actor, asked)
  const found = await requests.page(tx, asked.page, sql`${visibleTo(actor)} and ${wantedOf(asked.filter)}`)
  const items = await withoutHiddenScores(tx, actor, found.items)
  return { ...found, items: items.map((row) => shownTo(actor, summaryOf(row))) }
}

async function listRunning(
  tx: Tx,
  actor: Actor,
  { page, filter }: { readonly page: PageRequest; readonly filter: RequestFilter },
): Promise<Page<RequestSummary>> {
  const found = await requestIntents.page(tx, page, sql`${visibleTo(actor)} and ${wantedOfRunning(filter)}`)
  return { ...found, items: found.items.map(runningSummary) }
}

/** A call without an outcome yet. */
export function runningSummary(intent: IntentRow): RequestSummary {
  const { deadline_at: _deadline, xid: _xid, ...facts } = intent
  return {
    ...facts,
    ...untold,
    timings: { ...untold.timings },
    cost: { ...untold.cost },
    security: unknownSecurity(),
    updated_at: intent.created_at,
    steps: [],
    attempts: [],
    patterns: [],
    fail_open: [],
    entities: {},
    status: 'in_progress',
  }
}

/** A provider's message may reveal how it is reached, which is only the business of gateway administrators. */
export function shownTo(actor: Actor, call: RequestSummary): RequestSummary {
  if (holds(actor.permissions, 'gateway:admin') || call.attempts.every(({ answer }) => answer === undefined))
    return call
  return { ...call, attempts: call.attempts.map(({ answer: _answer, ...attempt }) => attempt) }
}

/** The log row as shown; its times are those of every resource. */
export function summaryOf(stored: RequestRow): RequestSummary {
  const { explanation: _explanation, unshown: _unshown, finished_at: finished, xid: _xid, ...row } = stored
  return { ...row, updated_at: finished }
}

/** Both ids a call has. */
export function idCondition(id: string): SqlPart {
  return isUuid(id) ? sql`id = ${id}` : sql`request_id = ${id}`
}

/** Null when there is none, when it is another's, or when it still runs. */
export function findRequest(tx: Tx, actor: Actor, id: string): Promise<RequestRow | null> {
  return tx.first(
    sql<RequestRow>`select ${requests.columns} from gateway_request where ${idCondition(id)} and ${visibleTo(actor)}`,
  )
}

/** @throws API-013 */
export async function needRequest(tx: Tx, actor: Actor, id: string): Promise<RequestRow> {
  const row = await findRequest(tx, actor, id)
  if (row === null) throw apiErrors.notFound({ what: requests.noun })
  return row
}

/** Values of members that an intent does not know. */
export const untold = {
  answered_model: null,
  error_code: null,
  blocked_step: null,
  usage: null,
  cost: { amount: null, currency: null, status: 'unpriced', price_id: null, saved: null },
  timings: { pipeline_ms: 0, upstream_ms: 0, ttft_ms: null, total_ms: 0 },
  cache: 'off',
  retention: 'metadata',
  recovered: false,
  audit_id: null,
} as const

/** A fresh one each time: the log row's lists are not shared. */
export function unknownSecurity(): RequestSummary['security'] {
  return { injection_score: null, pii_detected: false, policy_violations: [], pipeline_latency_ms: 0 }
}
