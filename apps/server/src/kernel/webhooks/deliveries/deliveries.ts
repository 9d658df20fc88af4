/**
 * Messages to receivers as jobs: asked for in the transaction that causes them, tried again with growing pauses for about
 * three days, each attempt told to the module in a transaction. Delivery is at least once, with one id for all attempts; a
 * crash between an attempt and its outcome repeats the attempt. Tested in deliveries.test.ts.
 */
import type { TenantId } from '../../access/actor.ts'
import type { Tx } from '../../db/port.ts'
import { tenantEgress } from '../../egress/seamed.ts'
import type { Kernel } from '../../kernel.ts'
import type { JobContext, JobDeclaration } from '../../module/module.ts'
import { type AttemptOutcome, sendWebhook, type WebhookMessage } from '../send.ts'

/** Milliseconds before the second and each further attempt, as Standard Webhooks recommends. */
export const retryPausesMs: readonly number[] = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
]

export interface Attempt extends AttemptOutcome {
  readonly messageId: string
  /** From 1. */
  readonly attempt: number
  /** When the next attempt begins; null after a delivered, given up or last one. */
  readonly nextAt: string | null
}

export interface DeliveriesInput<S> {
  /** Of the job, for instance `platform.webhook_delivery`. */
  readonly kind: string
  /**
   * The message with its receiver and secrets as they are now; null for one that is not to be sent any more. `tx` is read
   * and closed before anything is sent; bodies and secrets are never part of a job.
   */
  readonly message: (target: Target<S>) => Promise<Omit<WebhookMessage, 'id'> | null>
  /** Told of every attempt, at least once each, in the transaction that asks for the next one. */
  readonly outcome: (
    context: { readonly tx: Tx; readonly services: S; readonly kernel: Kernel },
    attempt: Attempt,
  ) => Promise<void>
}

export interface Target<S> {
  readonly messageId: string
  readonly tenantId: TenantId
  readonly services: S
  readonly kernel: Kernel
}

export interface Deliveries<S> {
  /** For the manifest's `jobs`. */
  readonly job: JobDeclaration<S>
  /** Asks for a delivery in this transaction. The id is the one receivers see; asking twice is asking once while it waits. */
  deliver(tx: Tx, messageId: string): Promise<void>
}

export function defineDeliveries<S>({ kind, message, outcome }: DeliveriesInput<S>): Deliveries<S> {
  const request = (tx: Tx, next: Pick<Attempt, 'messageId' | 'attempt'> & { readonly runAt?: number }) =>
    tx.enqueue({
      kind,
      key: next.messageId,
      payload: { message_id: next.messageId, attempt: next.attempt },
      ...(next.runAt === undefined ? {} : { runAt: next.runAt }),
    })
  const run = async (context: JobContext<S>): Promise<void> => {
    const { services, kernel, tenantId, signal } = context
    const { messageId, attempt } = attemptOf(context.payload)
    const found = await message({ messageId, tenantId, services, kernel })
    if (found === null) return
    const egress = tenantEgress(kernel, { tenantId, target: kind })
    const ended = await sendWebhook({ egress, clock: kernel.clock }, { ...found, id: messageId }, signal)
    const pause = pauseAfter(ended, attempt, kernel.random.fraction())
    const runAt = pause === null ? null : kernel.clock.now() + pause
    await kernel.db.tenant({ tenantId }, async (tx) => {
      const nextAt = runAt === null ? null : new Date(runAt).toISOString()
      await outcome({ tx, services, kernel }, { ...ended, messageId, attempt, nextAt })
      if (runAt !== null) await request(tx, { messageId, attempt: attempt + 1, runAt })
    })
  }
  return {
    job: { kind, lane: 'outside', maxAttempts: 8, leaseMs: 60_000, deadlineMs: 120_000, everyMs: null, run },
    deliver: (tx, messageId) => request(tx, { messageId, attempt: 1 }),
  }
}

function attemptOf({ message_id: messageId, attempt }: JobContext<unknown>['payload']) {
  if (typeof messageId !== 'string' || typeof attempt !== 'number') throw new TypeError('the job names no message')
  return { messageId, attempt }
}

/** Milliseconds until the next attempt, up to a tenth more by chance (`fraction` in [0, 1)); null where there is none. */
export function pauseAfter(ended: AttemptOutcome, attempt: number, fraction: number): number | null {
  const pause = retryPausesMs[attempt - 1]
  if (ended.delivered || ended.gone || pause === undefined) return null
  return Math.round(Math.max(pause, ended.retryAfterMs ?? 0) * (1 + fraction / 10))
}
