/**
 * Events about a call, emitted when its outcome is stored. Promises that no event carries text of the call, and none a
 * score that a policy does not show: anyone who may call may subscribe, so the true score is read in the log row that
 * the event names. Tested in records.test.ts and hidden-scores.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Origin } from '../../../kernel/db/port.ts'
import type { EventData, EventDefinition } from '../../../kernel/events/catalogue/catalogue.ts'
import { type OutboxRow, outboxRow } from '../../../kernel/events/outbox.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { requestBlocked, requestCompleted } from '../schemas/events.ts'
import type { RequestRow } from '../schemas/request.ts'
import { shownScore } from './row.ts'

/** Whose call it is and where it comes from. */
export function contextOf({ facts }: WithFacts): {
  readonly tenantId: TenantId
  readonly origin: Origin
} {
  const { actor, requestId, ip, userAgent, traceparent } = facts
  return {
    tenantId: facts.tenantId,
    origin: { actor, requestId, ip, userAgent, traceparent, causationDepth: 0, signal: null },
  }
}

/** Subscribers know tokens by the names of the events, independent of the call's dialect. */
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
export function eventsOf(
  kernel: Kernel,
  state: WithFacts & WithPlan & WithFindings & WithProgress & WithAnswer,
  row: RequestRow,
): readonly OutboxRow[] {
  const parts = { clock: kernel.clock, random: kernel.random, check: false }
  const insert = <E extends EventDefinition>(definition: E, data: EventData<E>): OutboxRow =>
    outboxRow(parts, contextOf(state), { definition, subject: row.id, data })
  const blockedBy =
    row.status === 'blocked' && state.progress.blockedStep !== null
      ? { ...state.progress.blockedStep, code: row.error_code ?? '' }
      : null
  const by = blockedBy ?? state.findings.monitored
  return [
    ...(by === null ? [] : [insert(requestBlocked, blockedData(state, row, by))]),
    ...(blockedBy === null ? [insert(requestCompleted, completedData(state, row))] : []),
  ]
}

function aboutOf(state: WithPlan & WithFindings, row: RequestRow): About {
  return {
    request_id: row.request_id,
    log_id: row.id,
    trace_id: row.trace_id,
    user_id: row.user_id,
    key_id: row.key_id,
    agent_id: row.agent_id,
    dialect: row.dialect,
    operation: row.operation,
    route: row.route,
    provider: row.provider,
    model: row.model,
    security: { ...row.security, injection_score: shownScore(state) },
    policies: row.policies,
    offline: row.offline,
    audit_id: row.audit_id ?? row.id,
  }
}

interface BlockedBy {
  readonly n: number
  readonly name: string
  readonly code: string
}

function blockedData(state: WithPlan & WithFindings, row: RequestRow, by: BlockedBy): EventData<typeof requestBlocked> {
  return Object.assign(aboutOf(state, row), {
    blocked_by: { step: by.name, n: by.n, error_code: by.code },
    patterns: row.patterns,
    entities: row.entities,
    provenance: state.findings.blockedAt,
    prompt_sha256: row.prompt_sha256,
    monitor: row.status !== 'blocked',
  })
}

function completedData(state: WithPlan & WithFindings & WithAnswer, row: RequestRow): CompletedData {
  const status = row.status === 'blocked' || row.status === 'in_progress' ? 'failed' : row.status
  return Object.assign(aboutOf(state, row), {
    response_id: state.answer.answeredId,
    status,
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
  })
}
