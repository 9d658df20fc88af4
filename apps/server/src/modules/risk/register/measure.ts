/** Values of event indicators: attempts of the linked threats in the window of each. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Held } from '../../../kernel/resource/resource.ts'
import { attemptsSince, hourOf } from '../observation/attempts.ts'
import { applyChange, type RiskChanges } from './apply-change.ts'
import { measured } from './kris.ts'
import type { Kri } from './parts.ts'
import type { ChangeParts } from './register-parts.ts'
import type { RiskRow } from './schema.ts'

const dayMs = 86_400_000
/** Attempts leave a window without an event, so values older than this (milliseconds) are taken again. */
export const measureEveryMs = 3_600_000

/** The columns that a measurement changes. */
export async function measurement(
  { clock }: ChangeParts,
  tx: Tx,
  { kris: before, links }: RiskRow,
): Promise<RiskChanges> {
  const kris: Kri[] = []
  for (const kri of before) {
    if (kri.source !== 'event') kris.push(kri)
    else {
      const events = await attemptsSince(tx, links.threats, hourOf(clock.now() - (kri.window_days ?? 1) * dayMs))
      kris.push(measured(kri, events, clock.iso()))
    }
  }
  return { kris, measured_at: clock.iso() }
}

/** Writes new values of indicators. Only a new status is worth an entry of the audit log. */
export async function applyMeasurement(
  parts: ChangeParts,
  tx: Tx,
  held: Held<RiskRow>,
  changes: RiskChanges,
): Promise<void> {
  const statuses = (kris: readonly Kri[]): string => kris.map(({ status }) => status).join()
  const entry = statuses(changes.kris ?? []) !== statuses(held.row.kris)
  await applyChange(parts, tx, held, { action: 'risk.kri.measure', changes, cause: 'kri', by: null, entry })
}

/** When the indicators are measured first: at the next upkeep. Null where none counts events. */
export const firstMeasurement = (
  { clock }: Pick<ChangeParts, 'clock'>,
  kris: readonly Pick<Kri, 'source'>[],
  before: string | null,
): string | null =>
  kris.some(({ source }) => source === 'event')
    ? (before ?? new Date(clock.now() - measureEveryMs).toISOString())
    : null
