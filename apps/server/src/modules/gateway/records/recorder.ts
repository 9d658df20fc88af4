/**
 * Makes the durable records of a call: its intent while the provider works, its outcome before the last byte leaves.
 * Promises that an outcome is stored with its audit entry and its event or not at all; calls of all tenants share
 * commits under the insert-only role. Tested through the chat route and by the crash suite.
 */

import type { AuditRecord } from '../../../kernel/audit/personal.ts'
import { auditInserts, auditRow } from '../../../kernel/audit/record.ts'
import { createGroupCommit } from '../../../kernel/commits/group-commit.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import { isUnavailable } from '../../../kernel/db/errors.ts'
import { type Sql, together } from '../../../kernel/db/sql.ts'
import { outboxInserts } from '../../../kernel/events/outbox.ts'
import type { HealthCheck } from '../../../kernel/health/checks.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Activity } from '../../../kernel/lifecycle/activity.ts'
import type { WithAttempts } from '../attempts/call-attempts.ts'
import { insertSpends } from '../budgets/ledger.ts'
import type { WithFacts } from '../call/facts.ts'
import type { Writes } from '../call/writes.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import type { Analyses } from '../inspection/analyses.ts'
import { spendsOf } from '../money/settle.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { RequestRow, RequestStatus } from '../schemas/request.ts'
import { insertVaults, vaultRow } from '../vault/sealed/sealing.ts'
import { contextOf, eventsOf } from './call-events.ts'
import type { CallRecord } from './call-record.ts'
import { keptContent } from './kept-content.ts'
import { payloadRow } from './payload.ts'
import { decisionOf, intentRow, requestRow } from './row.ts'
import { createCallSpool } from './spooled.ts'
import { insertIntents, insertPayloads, insertRequests } from './statements.ts'

export interface CallRecorder {
  /** @throws Error when it is not stored and may not wait */
  intent(state: WithFacts & WithPlan & WithFindings & WithAttempts): Promise<void>
  /** With the intent where that waits to be stored. @throws Error when one is not stored and may not wait */
  outcome(state: CallParts & Writes<WithPlan>, status: Exclude<RequestStatus, 'in_progress'>): Promise<void>
  drained(): Promise<void>
  /** Stores records that waited for the database. */
  readonly spool: Activity
  /** Whether something waits or was damaged. */
  readonly spoolCheck: HealthCheck
}

export function createCallRecorder(kernel: Kernel, analyses: Analyses): CallRecorder {
  const spool = createCallSpool(kernel, (records) => kernel.db.append([statementOf(records)]))
  const commits = createGroupCommit<CallRecord>({
    flush: spool.store,
    isOutage: isUnavailable,
    waitingRoom: spool,
    // The outcome of a lone call does not wait for its intent. The embedded database does one thing at a time anyway.
    beside: kernel.db.kind === 'pg' ? 3 : 0,
  })
  return {
    intent: async (state) => {
      const row = intentRow(state)
      const entry = auditOf(kernel, state, {
        auditId: kernel.random.uuid(),
        action: 'gateway.request.intent',
        result: 'success',
      })
      await commits.add({
        mayWait: mayWait(state),
        intent: row,
        outcome: null,
        payload: null,
        vault: null,
        spends: [],
        audit: entry,
        events: [],
      })
    },
    outcome: async (state, status) => {
      const startedMs = kernel.clock.monotonic()
      const kept = await keptContent(analyses, state)
      // A call that ended before its prompt was redacted for a provider is known by the redaction for the record.
      if (kept !== null)
        state.write({ plan: { promptSha256: state.plan.promptSha256 ?? canonicalHash(kept.payload.messages) } })
      const payload = kept === null ? null : await payloadRow(kernel, state, kept)
      // Values are content: where none is kept, none of them is.
      const vault = kept === null ? null : await vaultRow(kernel, state)
      const nowMs = kernel.clock.monotonic()
      const retention = kept === null ? 'metadata' : kept.original === null ? 'redacted' : 'full'
      const recordedInMs = nowMs - startedMs
      // Of an answer that was quicker than its intent both go into one commit.
      const intent = state.progress.intent?.()
      const auditId = kernel.random.uuid()
      const row = requestRow({ state, status, auditId, retention, nowMs, recordedInMs, finishedAt: kernel.clock.iso() })
      const outcome = commits.add({
        mayWait: mayWait(state),
        intent: null,
        outcome: row,
        payload,
        vault,
        spends: spendsOf(state, row.finished_at),
        audit: outcomeAudit(kernel, state, row),
        events: eventsOf(kernel, state, row),
      })
      await Promise.all([intent, outcome])
    },
    drained: commits.drained,
    spool: spool.activity,
    spoolCheck: spool.check,
  }
}

const mayWait = ({ plan: { policy } }: WithPlan): boolean => policy.effective.audit.on_unavailable === 'spool'

/** Calls are committed in one statement: the overhead of a statement costs a lone call more than its rows do. */
function statementOf(records: readonly CallRecord[]): Sql {
  const intents = records.flatMap(({ intent }) => (intent === null ? [] : [intent]))
  const outcomes = records.flatMap(({ outcome }) => (outcome === null ? [] : [outcome]))
  const payloads = records.flatMap(({ payload }) => (payload === null ? [] : [payload]))
  const vaults = records.flatMap(({ vault }) => (vault === null ? [] : [vault]))
  const spends = records.flatMap((record) => record.spends)
  const events = records.flatMap((record) => record.events)
  return together([
    ...(intents.length > 0 ? [insertIntents(intents)] : []),
    ...(outcomes.length > 0 ? [insertRequests(outcomes)] : []),
    ...(payloads.length > 0 ? [insertPayloads(payloads)] : []),
    ...(vaults.length > 0 ? [insertVaults(vaults)] : []),
    ...(spends.length > 0 ? [insertSpends(spends)] : []),
    auditInserts(records.map(({ audit }) => audit)),
    ...(events.length > 0 ? [outboxInserts(events)] : []),
  ])
}

interface AuditFacts {
  readonly auditId: string
  readonly action: string
  readonly result: 'success' | 'refused' | 'failed'
  readonly row?: RequestRow
}

function auditOf(
  kernel: Kernel,
  state: WithFacts & WithPlan & WithFindings & WithAttempts,
  { auditId, action, result, row }: AuditFacts,
): AuditRecord {
  const parts = {
    clock: kernel.clock,
    random: { uuid: () => auditId, bytes: kernel.random.bytes },
    digest: (value: string) => kernel.platformKeys.mac('audit-digest', value),
  }
  const after = {
    provider: state.attempts.served?.provider.name ?? state.plan.targets[0]?.provider.name ?? null,
    model: state.attempts.served?.model ?? state.plan.targets[0]?.model ?? null,
    policies: state.plan.policy.sources,
    prompt_sha256: state.plan.promptSha256,
    decision: row?.decision ?? decisionOf(state, 'in_progress'),
    ...(row === undefined
      ? {}
      : {
          status: row.status,
          error_code: row.error_code,
          usage: row.usage,
          entities: row.entities,
        }),
  }
  return auditRow(parts, contextOf(state), {
    action,
    fields: { target: `request:${state.facts.id}`, after, result },
  })
}

function outcomeAudit(
  kernel: Kernel,
  state: WithFacts & WithPlan & WithFindings & WithAttempts,
  row: RequestRow,
): AuditRecord {
  const result = row.status === 'blocked' ? 'refused' : row.status === 'completed' ? 'success' : 'failed'
  return auditOf(kernel, state, {
    auditId: row.audit_id ?? kernel.random.uuid(),
    action: 'gateway.request',
    result,
    row,
  })
}
