import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { LoggedEvent } from '../../kernel/events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration, JobContext, JobDeclaration } from '../../kernel/module/module.ts'
import type { TrustParts } from './parts.ts'
import { lockScore, recalculate } from './recalculation.ts'

const jobKind = 'trust.recalculate'

/** Milliseconds from the first event of a burst to its run, so that what belongs together is scored together. */
const gatherMs = 1_000

/** Milliseconds between the runs events cause. A burst of any length costs one run in this time, whatever its events. */
const spacingMs = 2_000

/**
 * Milliseconds after which a verdict on the audit log is looked for again. The module whose evidence it changes hears of
 * it when this one does and holds thirty days of calls against it, or fails at it and tries again; a run that was quicker
 * would have seen nothing.
 */
const laterLooksMs = [8_000, 60_000, 600_000]

const verdictChannels = ['admin.audit.tamper_detected', 'admin.audit.verified']

const urgentChannels = ['aegis.kill_switch.activated', 'aegis.kill_switch.deactivated']

/** Events after which the evidence may have changed. They say when to look, never what the score is. */
export const scoreTriggers: EventHandlerDeclaration<TrustParts> = {
  name: jobKind,
  channels: ['gateway.request.completed', 'gateway.request.blocked', ...verdictChannels, ...urgentChannels],
  handle: requestRun,
}

/** Runs for the events of a tenant and, for evidence that only ages, once an hour. */
export const recalculationJob: JobDeclaration<TrustParts> = {
  kind: jobKind,
  maxAttempts: 5,
  leaseMs: 30_000,
  everyMs: 3_600_000,
  run: runJob,
}

/** The waiting job is the mark that a score is due: one per tenant, at the earliest time anything asked for. */
async function requestRun({ tx, events, services }: EventBatch<TrustParts>): Promise<void> {
  const urgent = events.find(({ channel }) => urgentChannels.includes(channel))
  const verdict = events.find(({ channel }) => verdictChannels.includes(channel))
  const now = services.clock.now()
  const payload = (cause: LoggedEvent | undefined) => ({
    event_id: cause?.id ?? null,
    traceparent: cause?.traceparent ?? null,
    causation_depth: tx.origin.causationDepth,
  })
  await askForRun(tx, payload(urgent ?? verdict ?? events[0]), now + (urgent === undefined ? gatherMs : 0))
  // Without a key: a verdict that follows another one would be looked for at the other one's time, which may be too early.
  if (verdict !== undefined)
    for (const ms of laterLooksMs) await tx.enqueue({ kind: jobKind, payload: payload(verdict), runAt: now + ms })
}

function askForRun(tx: Tx, payload: JobContext<TrustParts>['payload'], runAt: number): Promise<void> {
  return tx.enqueue({ kind: jobKind, key: 'events', payload, runAt })
}

async function runJob({ tenantId, payload, signal, services, kernel }: JobContext<TrustParts>): Promise<void> {
  const { event_id: eventId, traceparent, causation_depth: depth } = payload
  const origin = {
    signal,
    traceparent: typeof traceparent === 'string' ? traceparent : null,
    causationDepth: typeof depth === 'number' ? depth : 0,
  }
  await kernel.db.tenant({ tenantId, origin }, async (tx) => {
    if (typeof eventId !== 'string') await recalculate(services, tx, { trigger: 'schedule', eventId: null })
    else await runForEvent(services, tx, { eventId, payload })
  })
}

/** A run that would come too soon after the last one is put off, never dropped. */
async function runForEvent(
  parts: TrustParts,
  tx: Tx,
  { eventId, payload }: { readonly eventId: string; readonly payload: JobContext<TrustParts>['payload'] },
): Promise<void> {
  await lockScore(tx)
  const state = await tx.first(sql<{ last_recalculated_at: string }>`select last_recalculated_at from trust_state`)
  const earliest = state === null ? 0 : Date.parse(state.last_recalculated_at) + spacingMs
  if (parts.clock.now() < earliest) await askForRun(tx, payload, earliest)
  else await recalculate(parts, tx, { trigger: 'event', eventId })
}
