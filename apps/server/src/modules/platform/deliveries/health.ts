/**
 * How an integration fares: a pause when its receiver asks for one or fails several times in a row, and its end when the
 * receiver wants nothing more (410) or has failed for five days. Tested in deliveries.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { AttemptOutcome } from '../../../kernel/webhooks/send.ts'
import { integrationDisabled } from '../declared/delivery-events.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { integrations } from '../declared/integration-tables.ts'

/** Failures in a row after which all deliveries of the integration wait. */
const breakingFailures = 5
const breakMs = 30_000
const longestBreakMs = 900_000
const dayMs = 86_400_000
const disabledAfterMs = 5 * dayMs
/** Statuses with which a receiver says that it has too much to do. */
const busy: ReadonlySet<number | null> = new Set([429, 502, 503, 504])

export interface Noted {
  readonly integrationId: string
  readonly outcome: AttemptOutcome
}

/** Gives the integration as it is now. Its version stays: health is no part of its definition. */
export async function noteHealth(kernel: Kernel, tx: Tx, { integrationId, outcome }: Noted): Promise<IntegrationRow> {
  const row = await integrations.needForUpdate(tx, integrationId)
  const changes = outcome.delivered ? healthy(kernel) : failing(kernel, row, outcome)
  await integrations.patch(tx, integrationId, changes)
  const after = { ...row, ...changes }
  if (row.status === 'active' && after.status === 'disabled')
    await tx.emit(integrationDisabled, row.id, {
      ...{ integration_id: row.id, name: row.name, reason: after.disabled_reason ?? '' },
    })
  return after
}

const healthy = ({ clock }: Kernel): Partial<IntegrationRow> => ({
  ...{ failures: 0, failing_since: null, paused_until: null, last_success_at: clock.iso() },
})

function failing({ clock }: Kernel, row: IntegrationRow, outcome: AttemptOutcome): Partial<IntegrationRow> {
  const now = clock.now()
  const failures = row.failures + 1
  const since = row.failing_since ?? clock.iso()
  const asked = busy.has(outcome.status) ? (outcome.retryAfterMs ?? 0) : 0
  const broken =
    failures >= breakingFailures ? Math.min(breakMs * 2 ** (failures - breakingFailures), longestBreakMs) : 0
  const pause = Math.max(asked, broken)
  const reason = outcome.gone
    ? 'The receiver answered 410: it wants no more messages.'
    : now - Date.parse(since) >= disabledAfterMs
      ? 'Every delivery of the last five days failed.'
      : null
  return {
    ...{ failures, failing_since: since, last_error: (outcome.error ?? '').slice(0, 500) },
    paused_until: pause === 0 ? null : new Date(now + pause).toISOString(),
    ...(reason === null || row.status !== 'active' ? {} : { status: 'disabled' as const, disabled_reason: reason }),
  }
}
