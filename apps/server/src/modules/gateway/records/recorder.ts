/**
 * Makes the durable records of a call: its intent while the provider works, its outcome before the last byte leaves.
 * Promises that an outcome is stored with its audit entry and its event or not at all; calls of all tenants share
 * commits under the insert-only role. Tested through the chat route and by the crash suite.
 */
import { auditInserts, auditRow } from '../../../kernel/audit/record.ts'
import type { AuditEntryRow } from '../../../kernel/audit/tables.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Origin } from '../../../kernel/db/port.ts'
import type { Sql } from '../../../kernel/db/sql.ts'
import type { EventData, EventDefinition } from '../../../kernel/events/catalogue.ts'
import { type OutboxRow, outboxInserts, outboxRow } from '../../../kernel/events/outbox.ts'
import { ProblemError } from '../../../kernel/http/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Analyses } from '../detection/analyses.ts'
import { requestBlocked, requestCompleted } from '../events.ts'
import type { CallState } from '../pipeline/call-state.ts'
import type { IntentRow, RequestRow, RequestStatus } from '../schemas/request.ts'
import { createGroupCommit } from './group-commit.ts'
import { keptContent } from './kept-content.ts'
import { sealPayload } from './payload.ts'
import { intentRow, requestRow } from './row.ts'
import { insertIntents, insertRequests } from './statements.ts'

export interface CallRecorder {
  /** @throws Error when it is not stored */
  intent(state: CallState): Promise<void>
  /** @throws Error when it is not stored */
  outcome(state: CallState, status: Exclude<RequestStatus, 'in_progress'>): Promise<void>
  drained(): Promise<void>
}

interface CallRecord {
  readonly intent: IntentRow | null
  readonly outcome: RequestRow | null
  readonly audit: AuditEntryRow
  readonly events: readonly OutboxRow[]
}

export function createCallRecorder(kernel: Kernel, analyses: Analyses): CallRecorder {
  const commits = createGroupCommit<CallRecord>({
    flush: (records) => kernel.db.append(statementsOf(records)),
    isOutage: (error) => error instanceof ProblemError && error.code === 'API-009',
  })
  return {
    intent: (state) => {
      const row = intentRow(state)
      const entry = auditOf(kernel, state, {
        auditId: kernel.random.uuid(),
        action: 'gateway.request.intent',
        result: 'success',
      })
      return commits.add({ intent: row, outcome: null, audit: entry, events: [] })
    },
    outcome: async (state, status) => {
      const auditId = kernel.random.uuid()
      const kept = await keptContent(analyses, state)
      // A call that ended before its prompt was redacted for a provider is known by what was redacted for the record.
      if (kept !== null) state.promptSha256 ??= canonicalHash(kept.messages)
      const payload = await sealPayload(kernel.tenantKeys, state, kept)
      const nowMs = kernel.clock.monotonic()
      const row = requestRow({ state, status, auditId, payload, nowMs, finishedAt: kernel.clock.iso() })
      await commits.add({
        intent: null,
        outcome: row,
        audit: outcomeAudit(kernel, state, row),
        events: eventsOf(kernel, state, row),
      })
    },
    drained: commits.drained,
  }
}

function statementsOf(records: readonly CallRecord[]): readonly Sql[] {
  const intents = records.flatMap(({ intent }) => (intent === null ? [] : [intent]))
  const outcomes = records.flatMap(({ outcome }) => (outcome === null ? [] : [outcome]))
  const events = records.flatMap((record) => record.events)
  return [
    ...(intents.length > 0 ? [insertIntents(intents)] : []),
    ...(outcomes.length > 0 ? [insertRequests(outcomes)] : []),
    auditInserts(records.map(({ audit }) => audit)),
    ...(events.length > 0 ? [outboxInserts(events)] : []),
  ]
}

function contextOf({ facts }: CallState): {
  readonly tenantId: CallState['facts']['tenantId']
  readonly origin: Origin
} {
  const { actor, requestId, ip, userAgent, traceparent } = facts
  return {
    tenantId: facts.tenantId,
    origin: { actor, requestId, ip, userAgent, traceparent, causationDepth: 0, signal: null },
  }
}

interface AuditFacts {
  readonly auditId: string
  readonly action: string
  readonly result: 'success' | 'refused' | 'failed'
  readonly row?: RequestRow
}

function auditOf(kernel: Kernel, state: CallState, { auditId, action, result, row }: AuditFacts): AuditEntryRow {
  const parts = {
    clock: kernel.clock,
    random: { uuid: () => auditId },
    digest: (value: string) => kernel.platformKeys.mac('audit-digest', value),
  }
  const after = {
    provider: state.served?.provider.name ?? state.targets[0]?.provider.name ?? null,
    model: state.served?.model ?? state.targets[0]?.model ?? null,
    policies: state.policy.sources,
    prompt_sha256: state.promptSha256,
    ...(row === undefined
      ? {}
      : {
          status: row.status,
          decision: row.decision,
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

function outcomeAudit(kernel: Kernel, state: CallState, row: RequestRow): AuditEntryRow {
  const result = row.status === 'blocked' ? 'refused' : row.status === 'completed' ? 'success' : 'failed'
  return auditOf(kernel, state, {
    auditId: row.audit_id ?? kernel.random.uuid(),
    action: 'gateway.request',
    result,
    row,
  })
}

/** Subscribers know tokens by the names of the events, whatever dialect the call came in. */
function usageTold(usage: RequestRow['usage']): CompletedData['usage'] {
  if (usage === null) return null
  return {
    input_tokens: usage.prompt_tokens,
    cached_tokens: usage.cached_tokens,
    output_tokens: usage.completion_tokens,
    total_tokens: usage.total_tokens,
    usage_source: usage.usage_source,
  }
}

type CompletedData = EventData<typeof requestCompleted>
type About = Pick<CompletedData, Extract<keyof CompletedData, keyof EventData<typeof requestBlocked>>>

/** A call that was let through by a watching policy is told about twice: as completed and as one that would be blocked. */
function eventsOf(kernel: Kernel, state: CallState, row: RequestRow): readonly OutboxRow[] {
  const parts = { clock: kernel.clock, random: kernel.random, check: false }
  const insert = <E extends EventDefinition>(definition: E, data: EventData<E>): OutboxRow =>
    outboxRow(parts, contextOf(state), { definition, subject: row.id, data })
  const about = aboutOf(row)
  const blockedBy =
    row.status === 'blocked' && state.blockedStep !== null ? { ...state.blockedStep, code: row.error_code ?? '' } : null
  const by = blockedBy ?? state.monitored
  return [
    ...(by === null ? [] : [insert(requestBlocked, blockedData(state, about, { row, by }))]),
    ...(blockedBy === null ? [insert(requestCompleted, completedData(about, row))] : []),
  ]
}

function aboutOf(row: RequestRow): About {
  return {
    request_id: row.request_id,
    log_id: row.id,
    trace_id: row.trace_id,
    user_id: row.user_id,
    key_id: row.key_id,
    agent_id: row.agent_id,
    dialect: row.dialect,
    operation: row.operation,
    route: null,
    provider: row.provider,
    model: row.model,
    security: row.security,
    policies: row.policies,
    offline: row.offline,
    audit_id: row.audit_id ?? row.id,
  }
}

interface Blocked {
  readonly row: RequestRow
  readonly by: { readonly n: number; readonly name: string; readonly code: string }
}

function blockedData(state: CallState, about: About, { row, by }: Blocked): EventData<typeof requestBlocked> {
  return {
    ...about,
    blocked_by: { step: by.name, n: by.n, error_code: by.code },
    patterns: row.patterns,
    entities: row.entities,
    provenance: state.blockedAt,
    prompt_sha256: row.prompt_sha256,
    monitor: row.status !== 'blocked',
  }
}

function completedData(about: About, row: RequestRow): CompletedData {
  return {
    ...about,
    status: row.status === 'blocked' || row.status === 'in_progress' ? 'failed' : row.status,
    decision: row.decision,
    error_code: row.error_code,
    usage: usageTold(row.usage),
    cost: row.cost.amount,
    currency: row.cost.currency,
    cost_status: row.cost.status,
    cache: row.cache,
    timings: row.timings,
    attempts: row.attempts.length,
    fail_open: row.fail_open,
  }
}
