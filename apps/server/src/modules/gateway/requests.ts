import type { Actor } from '../../kernel/auth/actor.ts'
import { holds } from '../../kernel/auth/permissions.ts'
import type { TenantScope, Tx } from '../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../kernel/db/table.ts'
import { apiErrors } from '../../kernel/http/errors.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { openPayload } from './records/payload.ts'
import type { IntentRow, LoggedRequest, RequestFilter, RequestRow, RequestSummary } from './schemas/request.ts'
import { requestIntents, requests } from './tables.ts'

/** Whose calls the caller may see: all with `gateway:admin` or the role of an auditor, else its own. */
function visibleTo(actor: Actor): SqlPart {
  return seesAll(actor) ? sql`true` : sql`user_id = ${actor.userId}`
}

function seesAll(actor: Actor): boolean {
  return holds(actor.permissions, 'gateway:admin') || actor.roles.includes('auditor')
}

export async function listRequests(
  tx: Tx,
  actor: Actor,
  asked: { readonly page: PageRequest; readonly filter: RequestFilter },
): Promise<Page<RequestSummary>> {
  const found = await requests.page(tx, asked.page, sql`${visibleTo(actor)} and ${conditions(asked.filter)}`)
  return { ...found, items: found.items.map(summary) }
}

function conditions(filter: RequestFilter): SqlPart {
  const { from, to, min_latency_ms: latency, offline } = filter
  return sql`
    (${from ?? null}::timestamptz is null or created_at >= ${from ?? null}::timestamptz)
    and (${to ?? null}::timestamptz is null or created_at < ${to ?? null}::timestamptz)
    and (${latency ?? null}::numeric is null or (timings ->> 'total_ms')::numeric >= ${latency ?? null}::numeric)
    and (${offline ?? null}::boolean is null or offline = ${offline ?? null}::boolean)
    and ${texts(filter)}`
}

function texts(filter: RequestFilter): SqlPart {
  const {
    provider = null,
    model = null,
    status = null,
    decision = null,
    code = null,
    pattern = null,
    entity = null,
  } = filter
  const { user_id: user = null, key_id: key = null } = filter
  return sql`
    (${provider}::text is null or provider = ${provider}::text)
    and (${model}::text is null or model = ${model}::text)
    and (${status}::text is null or status = ${status}::text)
    and (${decision}::text is null or decision = ${decision}::text)
    and (${code}::text is null or error_code = ${code}::text)
    and (${pattern}::text is null or ${pattern}::text = any (patterns))
    and (${entity}::text is null or entities ? ${entity}::text)
    and (${user}::uuid is null or user_id = ${user}::uuid)
    and (${key}::text is null or key_id = ${key}::text)`
}

/** The log row as shown; its times are those of every resource. */
function summary(stored: RequestRow): RequestSummary {
  const { payload: _payload, explanation: _explanation, finished_at: finished, xid: _xid, ...row } = stored
  return { ...row, updated_at: finished }
}

export interface RequestLookup {
  /** Id of the log row, or the `req_…` id of the HTTP request. */
  readonly id: string
  readonly verify: boolean
}

/**
 * One call with its steps, its content as far as it was kept, and its place in the audit chain. Opens its own
 * transaction and ends it before keys and chain are asked, because those read the database themselves. @throws API-013
 */
export async function readRequest(
  kernel: Kernel,
  scope: TenantScope,
  actor: Actor,
  { id, verify }: RequestLookup,
): Promise<LoggedRequest> {
  const found = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
    const row = await findRequest(tx, actor, id)
    return row ?? runningRequest(await findIntent(tx, actor, id))
  })
  if (!('finished_at' in found)) return found
  const entry = found.audit_id === null ? null : await kernel.chain.entry(scope.tenantId, found.audit_id)
  return {
    ...summary(found),
    // Who is told which rule caught a text can write one that it does not catch.
    security: { ...found.security, explain: seesAll(actor) ? found.explanation : null },
    payload:
      found.payload === null
        ? null
        : await openPayload(kernel.tenantKeys, scope.tenantId, { id: found.id, payload: found.payload }),
    audit: entry === null ? null : { seq: entry.seq, hash: entry.hash },
    ...(verify
      ? {
          verification: {
            ok: entry?.ok ?? false,
            sealed: entry !== null,
            seq: entry?.seq ?? null,
            hash: entry?.hash ?? null,
          },
        }
      : {}),
  }
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function idCondition(id: string): SqlPart {
  return uuidPattern.test(id) ? sql`id = ${id}` : sql`request_id = ${id}`
}

function findRequest(tx: Tx, actor: Actor, id: string): Promise<RequestRow | null> {
  return tx.first(
    sql<RequestRow>`select ${requests.columns} from gateway_request where ${idCondition(id)} and ${visibleTo(actor)}`,
  )
}

async function findIntent(tx: Tx, actor: Actor, id: string): Promise<IntentRow> {
  const intent = await tx.first(
    sql<IntentRow>`select ${requestIntents.columns} from gateway_request_intent where ${idCondition(id)} and ${visibleTo(actor)}`,
  )
  if (intent === null) throw apiErrors.notFound({ what: 'request' })
  return intent
}

/** A call whose outcome is not there yet. */
function runningRequest(intent: IntentRow): LoggedRequest {
  const { deadline_at: _deadline, xid: _xid, ...facts } = intent
  return {
    ...facts,
    ...untold,
    security: { ...unknownSecurity(), explain: null },
    updated_at: intent.created_at,
    steps: [],
    attempts: [],
    patterns: [],
    fail_open: [],
    entities: {},
    status: 'in_progress',
    decision: 'allowed',
    payload: null,
    audit: null,
  }
}

/** What an intent does not know. */
export const untold = {
  agent_id: null,
  dialect: 'parapet',
  operation: 'chat',
  provider: null,
  model: null,
  error_code: null,
  blocked_step: null,
  usage: null,
  cost: { amount: null, currency: null, status: 'unpriced' },
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
