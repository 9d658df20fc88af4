/**
 * Records of messages: the attempt with its outcome, its audit entry and its event, stored together or not at all. A record
 * is stored before the last byte of its answer leaves; records that come together share a commit. Tested in proxy.test.ts.
 */
import { auditInserts, auditRow } from '../../../../kernel/audit/record.ts'
import { createGroupCommit, type GroupCommit } from '../../../../kernel/commits/group-commit.ts'
import { isUnavailable } from '../../../../kernel/db/errors.ts'
import { insertRows } from '../../../../kernel/db/rows.ts'
import { type Sql, sql, together } from '../../../../kernel/db/sql.ts'
import { outboxInserts, outboxRow } from '../../../../kernel/events/outbox.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { originOf } from '../../../../kernel/module/request-scope.ts'
import type { Caller } from '../call/types.ts'
import type { CallRow } from '../declared/call-schema.ts'
import { callCompleted } from '../declared/events.ts'
import { calls } from '../declared/tables.ts'

interface CallRecord {
  readonly row: CallRow
  readonly audit: ReturnType<typeof auditRow>
  readonly event: ReturnType<typeof outboxRow>
}

export interface CallRecorder {
  /** @throws Error when the record is not stored */
  store(caller: Caller, row: CallRow): Promise<void>
  drained(): Promise<void>
}

export function createCallRecorder(kernel: Kernel): CallRecorder {
  const commits: GroupCommit<CallRecord> = createGroupCommit<CallRecord>({
    flush: (records) => kernel.db.append([statementOf(records)]),
    isOutage: isUnavailable,
    beside: kernel.db.kind === 'pg' ? 3 : 0,
  })
  return {
    store: (caller, row) =>
      commits.add({ row, audit: auditOf(kernel, caller, row), event: eventOf(kernel, caller, row) }),
    drained: commits.drained,
  }
}

function statementOf(records: readonly CallRecord[]): Sql {
  const rows = records.map(({ row }) => row)
  return together([
    { insert: sql`call as (${insertRows(calls, rows)})` },
    auditInserts(records.map(({ audit }) => audit)),
    outboxInserts(records.map(({ event }) => event)),
  ])
}

const contextOf = ({ tenantId, actor, request }: Caller) => ({ tenantId, origin: originOf(request, actor) })

function auditOf(kernel: Kernel, caller: Caller, row: CallRow) {
  const parts = {
    clock: kernel.clock,
    random: kernel.random,
    digest: (value: string) => kernel.platformKeys.mac('audit-digest', value),
  }
  const { decision, outcome, error_code, args_sha256, result_sha256, pin_sha256, labels_before, labels_after } = row
  const after = {
    ...{ server: row.server, method: row.method, tool: row.tool, decision, outcome, error_code },
    ...{ args_sha256, result_sha256, pin_sha256, labels_before, labels_after, detections: row.detections },
    guardrails: row.guardrail_hits,
  }
  const result =
    decision === 'denied' || decision === 'held' ? 'refused' : outcome === 'succeeded' ? 'success' : 'failed'
  return auditRow(parts, contextOf(caller), {
    action: 'aegis.mcp.call',
    fields: { target: `mcp_call:${row.id}`, after, result },
  })
}

function eventOf(kernel: Kernel, caller: Caller, row: CallRow) {
  const { agent_id, server_id, server, method, tool, conversation, trace_id, decision, outcome, error_code } = row
  const { labels_before, labels_after, detections } = row
  const data = {
    ...{ call_id: row.id, agent_id, server_id, server, method, tool, conversation, trace_id },
    ...{ decision, outcome, error_code, labels_before, labels_after, detections, bytes_out: row.bytes_in },
    duration_ms: durationOf(row),
  }
  const parts = { clock: kernel.clock, random: kernel.random, check: false }
  return outboxRow(parts, contextOf(caller), { definition: callCompleted, subject: row.id, data })
}

function durationOf({ latency_ms: latency }: CallRow): number {
  const total = (latency as { readonly total?: unknown }).total
  return typeof total === 'number' ? total : 0
}
