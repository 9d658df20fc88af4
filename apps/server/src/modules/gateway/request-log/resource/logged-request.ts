/**
 * One logged call: found by either of its ids among those the caller may see, with its content as far as it was kept and
 * its place in the audit chain. Tested in requests-search.test.ts and records.test.ts.
 */
import type { Actor } from '../../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { feedbackOf } from '../../feedback/feedback.ts'
import { openPayload } from '../../records/payload.ts'
import { findRemovedCall, type RemovedCall } from '../../retention/removed-call.ts'
import type { IntentRow } from '../../schemas/intent.ts'
import type { LoggedRequest } from '../../schemas/request.ts'
import { requestIntents, requests } from '../../schemas/tables.ts'
import { withoutHiddenScores } from '../hidden-scores.ts'
import { findRequest, idCondition, runningSummary, shownTo, summaryOf } from '../requests.ts'
import { seesAll, visibleTo } from '../requests-filter.ts'

export interface RequestLookup {
  /** Id of the log row, or the `req_…` id of the HTTP request. */
  readonly id: string
  readonly verify: boolean
}

interface SealedPayload {
  readonly id: string
  readonly sealed: Uint8Array
  readonly expires_at: string
}

/**
 * Opens its own transaction and ends it before keys and chain are asked, because those read the database themselves.
 * @throws API-013
 */
export async function readRequest(
  kernel: Kernel,
  scope: TenantScope,
  actor: Actor,
  { id, verify }: RequestLookup,
): Promise<LoggedRequest> {
  const entryOf = (auditId: string) => kernel.chain.entry(scope.tenantId, auditId)
  const found = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
    const row = await findRequest(tx, actor, id)
    if (row === null) {
      const intent = await findIntent(tx, actor, id)
      if (intent !== null) return runningRequest(intent)
      const removed = verify ? await findRemovedCall(tx, actor, id) : null
      if (removed === null) throw apiErrors.notFound({ what: requests.noun })
      return { removed }
    }
    const [known = row] = await withoutHiddenScores(tx, actor, [row])
    return { row: known, sealed: await findPayload(tx, row.id), feedback: await feedbackOf(tx, actor, row.id) }
  })
  if ('removed' in found) throw removedCall(await entryOf(found.removed.audit_id), found.removed)
  if (!('row' in found)) return found
  const { row, sealed, feedback } = found
  const entry = row.audit_id === null ? null : await entryOf(row.audit_id)
  return {
    ...shownTo(actor, summaryOf(row)),
    // A caller that learns which rule caught a text can write one that it does not catch.
    security: { ...row.security, explain: seesAll(actor) ? row.explanation : null },
    payload: sealed === null ? null : (await openPayload(kernel.tenantKeys, scope.tenantId, sealed)).payload,
    payload_expires_at: sealed?.expires_at ?? null,
    feedback,
    audit: entry === null ? null : { seq: entry.seq, hash: entry.hash },
    ...(verify ? { verification: verificationOf(entry) } : {}),
  }
}

type Entry = Awaited<ReturnType<Kernel['chain']['entry']>>

function verificationOf(entry: Entry) {
  return { ok: entry?.ok ?? false, sealed: entry !== null, seq: entry?.seq ?? null, hash: entry?.hash ?? null }
}

/** The row is gone and its place in the chain is not: only told to a caller that asked for that place. */
function removedCall(entry: Entry, { removed_before: before }: RemovedCall) {
  const what = `${requests.noun}; it was removed by retention and its audit entry remains`
  const removal = { reason: 'retention', removed_before: before }
  return apiErrors.notFound({ what }).withMembers({ verification: verificationOf(entry), removal })
}

/** Expired content is not shown, even before the job that removes it has run. */
export function findPayload(tx: Tx, id: string): Promise<SealedPayload | null> {
  return tx.first(
    sql<SealedPayload>`select id, sealed, expires_at from gateway_request_payload where id = ${id} and expires_at > now()`,
  )
}

function findIntent(tx: Tx, actor: Actor, id: string): Promise<IntentRow | null> {
  return tx.first(
    sql<IntentRow>`select ${requestIntents.columns} from gateway_request_intent where ${idCondition(id)} and ${visibleTo(actor)}`,
  )
}

/** A call without an outcome yet. */
function runningRequest(intent: IntentRow): LoggedRequest {
  const summary = runningSummary(intent)
  return {
    ...summary,
    security: { ...summary.security, explain: null },
    payload: null,
    payload_expires_at: null,
    feedback: [],
    audit: null,
  }
}
