import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../../kernel/events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration, JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import type { TrustParts } from '../declared/parts.ts'
import { lockScore, recalculate } from './recalculation.ts'
import { jobKind, type RunPayload, requestRun } from './run-request.ts'
import { noteCalls, runForTraffic } from './traffic-run.ts'

/** Milliseconds from the first event of a burst to its run, so that what belongs together is scored together. */
const gatherMs = 200

/**
 * Milliseconds between the runs for prompt events. A burst of any length costs one run in this time. Hourly, forecast,
 * requested and traffic runs do not count: an attack that follows one of them would be scored two seconds late.
 */
const spacingMs = 2_000

/**
 * Milliseconds after which a verdict on the audit log is looked for again. The module whose evidence it changes hears of
 * it when this one does and holds thirty days of calls against it, or fails at it and tries again; a run that was quicker
 * would have seen nothing.
 */
const laterLooksMs = [8_000, 60_000, 600_000]

const verdictChannels = ['admin.audit.tamper_detected', 'admin.audit.verified']

const urgentChannels = ['aegis.kill_switch.activated', 'aegis.kill_switch.deactivated']

const callChannel = 'gateway.request.completed'

/** Events after which the evidence may have changed, scored at once. Those of a module that is not installed never come. */
const promptChannels = [
  'gateway.request.blocked',
  'aegis.alert.created',
  'aegis.alert.updated',
  'aegis.agent.anomaly',
  'compliance.check.failed',
  'compliance.check.recovered',
  'compliance.assessment.completed',
  'risk.score.changed',
  'risk.kri.breached',
  'risk.simulation.completed',
  'resilience.experiment.completed',
  'resilience.simulation.completed',
  'resilience.objective.breached',
  'cybertwins.analysis.completed',
]

/** Events say when to look, never what the score is. */
export const scoreTriggers: EventHandlerDeclaration<TrustParts> = {
  name: jobKind,
  channels: [callChannel, ...promptChannels, ...verdictChannels, ...urgentChannels],
  handle: askForRuns,
}

/** Runs for the events of a tenant, at the forecast change of its grade and, for evidence that only ages, once an hour. */
export const recalculationJob: JobDeclaration<TrustParts> = {
  kind: jobKind,
  maxAttempts: 5,
  leaseMs: 30_000,
  everyMs: 3_600_000,
  run: runJob,
}

async function askForRuns({ tx, events, services }: EventBatch<TrustParts>): Promise<void> {
  const now = services.clock.now()
  const payload = (cause: LoggedEvent | undefined) => ({
    event_id: cause?.id ?? null,
    traceparent: cause?.traceparent ?? null,
    causation_depth: tx.origin.causationDepth,
  })
  const calls = events.filter(({ channel }) => channel === callChannel)
  if (calls.length > 0) await noteCalls(tx, { count: calls.length, payload: payload(calls[0]), now })
  const urgent = events.find(({ channel }) => urgentChannels.includes(channel))
  const verdict = events.find(({ channel }) => verdictChannels.includes(channel))
  const prompt = urgent ?? verdict ?? events.find(({ channel }) => channel !== callChannel)
  if (prompt === undefined) return
  const runAt = now + (urgent === undefined ? gatherMs : 0)
  await requestRun(tx, { key: 'events', payload: payload(prompt), runAt })
  // Without a key: a verdict that follows another one would be looked for at the other one's time, which may be too early.
  if (verdict !== undefined)
    for (const ms of laterLooksMs) await tx.enqueue({ kind: jobKind, payload: payload(verdict), runAt: now + ms })
}

async function runJob({ tenantId, payload, signal, services, kernel }: JobContext<TrustParts>): Promise<void> {
  const { traceparent, causation_depth: depth } = payload
  const origin = {
    signal,
    traceparent: typeof traceparent === 'string' ? traceparent : null,
    causationDepth: typeof depth === 'number' ? depth : 0,
  }
  await kernel.db.tenant({ tenantId, origin }, (tx) => run(services, tx, payload))
}

async function run(parts: TrustParts, tx: Tx, payload: RunPayload): Promise<void> {
  const { event_id: eventId, calls, trigger } = payload
  if (calls === true) await runForTraffic(parts, tx, payload)
  else if (typeof eventId === 'string') await runForEvent(parts, tx, { eventId, payload })
  else await recalculate(parts, tx, { trigger: trigger === 'forecast' ? 'forecast' : 'schedule', eventId: null })
}

/** A run that would come too soon after the last one for events is postponed, never dropped. */
async function runForEvent(
  parts: TrustParts,
  tx: Tx,
  { eventId, payload }: { readonly eventId: string; readonly payload: RunPayload },
): Promise<void> {
  await lockScore(tx)
  const state = await tx.first(sql<{ prompt_run_at: string | null }>`select prompt_run_at from trust_state`)
  const last = state?.prompt_run_at ?? null
  const earliest = last === null ? 0 : Date.parse(last) + spacingMs
  if (parts.clock.now() < earliest) {
    await requestRun(tx, { key: 'events', payload, runAt: earliest })
    return
  }
  const at = parts.clock.iso()
  await recalculate(parts, tx, { trigger: 'event', eventId })
  await tx.execute(sql`update trust_state set prompt_run_at = ${at}`)
}
