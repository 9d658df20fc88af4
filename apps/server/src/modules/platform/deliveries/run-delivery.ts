/**
 * The job of an integration's deliveries, or of mails to people: one attempt after the other while some are due. A crash
 * between an attempt and its outcome repeats it with the same message id; no delivery is lost or forgotten. Tested in
 * deliveries.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { tenantEgress } from '../../../kernel/egress/seamed.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { pauseAfter } from '../../../kernel/webhooks/deliveries/deliveries.ts'
import type { AttemptOutcome } from '../../../kernel/webhooks/send.ts'
import { deliveryDeadLettered } from '../declared/delivery-events.ts'
import type { Attempt, DeliveryRow } from '../declared/delivery-schema.ts'
import { deliveries } from '../declared/integration-tables.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { noteHealth } from './health.ts'
import { mailToPerson } from './person-mail.ts'
import { askForAttempts, deliveryJobKind } from './queue.ts'
import { openSecrets } from './sealed.ts'
import { type Taken, takeNext } from './take.ts'
import { sendOnce } from './transports.ts'

export const deliveryJob: JobDeclaration<PlatformServices> = {
  kind: deliveryJobKind,
  lane: 'outside',
  maxAttempts: 8,
  leaseMs: 60_000,
  deadlineMs: 120_000,
  everyMs: null,
  run,
}

/** Attempts of one job, and how long it goes on with another one; then other receivers of the tenant have their turn. */
const mostAttempts = 20
const longestMs = 20_000

async function run({ tenantId, payload, services, signal }: JobContext<PlatformServices>): Promise<void> {
  const { kernel } = services
  const integrationId = typeof payload.integration_id === 'string' ? payload.integration_id : null
  const until = kernel.clock.monotonic() + longestMs
  for (let attempts = 0; attempts < mostAttempts && kernel.clock.monotonic() < until; attempts += 1) {
    const taken = await kernel.db.tenant({ tenantId }, (tx) => takeNext(kernel, tx, integrationId))
    if (taken === null) return
    const startedAt = kernel.clock.iso()
    const outcome = await attempt(services, tenantId, { ...taken, signal })
    await kernel.db.tenant({ tenantId }, (tx) => settle(kernel, tx, { id: taken.delivery.id, startedAt, outcome }))
  }
  await kernel.db.tenant({ tenantId }, (tx) => askForAttempts(tx, integrationId))
}

export async function attempt(
  services: PlatformServices,
  tenantId: TenantId,
  { delivery, integration, signal }: Taken & { readonly signal?: AbortSignal },
): Promise<AttemptOutcome> {
  const { kernel } = services
  const { message } = delivery
  if (message === null) throw new TypeError('the message of the delivery is no longer kept')
  if (integration === null) return mailToPerson(services, tenantId, { userId: delivery.user_id, message })
  const secrets = await openSecrets(kernel, { tenantId, id: integration.id }, integration.sealed)
  const egress = tenantEgress(kernel, { tenantId, target: 'platform.delivery' })
  const sending = { integration, secrets, message, ...(signal === undefined ? {} : { signal }) }
  return sendOnce({ egress, clock: kernel.clock }, sending)
}

export interface Ended {
  readonly id: string
  readonly startedAt: string
  readonly outcome: AttemptOutcome
  /** Of a test: it is not tried again. */
  readonly once?: boolean
}

/** Stores an outcome, with the time of the next attempt or the dead letter. Gives the delivery as it is now. */
export async function settle(kernel: Kernel, tx: Tx, ended: Ended): Promise<DeliveryRow> {
  const { id, outcome, once = false } = ended
  const row = await deliveries.needForUpdate(tx, id)
  const attempts = [...row.attempts, attemptOf(kernel, tx, row, ended)].slice(-100)
  const pause = once ? null : pauseAfter(outcome, row.tries + 1, kernel.random.fraction())
  const nextAt = pause === null ? null : kernel.clock.now() + pause
  const status = outcome.delivered ? 'delivered' : nextAt === null ? 'dead' : 'retrying'
  const changes: Partial<DeliveryRow> = {
    ...{ status, attempts, tries: row.tries + 1, updated_at: kernel.clock.iso() },
    next_attempt_at: nextAt === null ? null : new Date(nextAt).toISOString(),
  }
  await deliveries.patch(tx, id, changes)
  const settled = { ...row, ...changes }
  await follow(kernel, tx, { delivery: settled, outcome, once })
  return settled
}

interface Following {
  readonly delivery: DeliveryRow
  readonly outcome: AttemptOutcome
  readonly once: boolean
}

async function follow(kernel: Kernel, tx: Tx, { delivery, outcome, once }: Following): Promise<void> {
  const { id, integration_id: integrationId, status } = delivery
  if (status === 'dead' && !once)
    await tx.emit(deliveryDeadLettered, id, {
      ...{ delivery_id: id, integration_id: integrationId, kind: delivery.kind },
      ...{ attempts: Math.max(1, delivery.tries), last_error: outcome.error, event_id: delivery.event_id },
    })
  if (integrationId !== null) await noteHealth(kernel, tx, { integrationId, outcome })
}

/** The excerpt is told to readers, so it holds no secret of the tenant. */
function attemptOf({ liveSecrets }: Kernel, tx: Tx, row: DeliveryRow, { startedAt, outcome }: Ended): Attempt {
  const hide = (text: string): string => JSON.parse(liveSecrets.hideInJson(JSON.stringify(text), tx.tenantId)) as string
  return {
    ...{ n: (row.attempts.at(-1)?.n ?? 0) + 1, started_at: startedAt, latency_ms: Math.max(0, outcome.durationMs) },
    http_status: outcome.status,
    error: outcome.error === null ? null : hide(outcome.error).slice(0, 500),
    response_excerpt: hide(outcome.answer).slice(0, 1_024),
  }
}
