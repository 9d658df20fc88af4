/**
 * The one way in which a stored risk changes. Promises that scores, the next deadline and automatic moves follow from
 * every change, and that the history and the events tell of it in the same transaction. Tested in register.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { resource } from '../../../kernel/resource/declare.ts'
import { change, type Held, write } from '../../../kernel/resource/resource.ts'
import { isWorse } from '../scoring/kri.ts'
import { type LevelName, levels } from '../scoring/words.ts'
import { kriBreached, scoreChanged, statusChanged } from './events.ts'
import { reference } from './reference.ts'
import type { ChangeParts } from './register-parts.ts'
import { rescored } from './rescore.ts'
import type { RiskRow, ScoreCause, ScoreRow } from './schema.ts'
import { appetiteOf } from './settings.ts'
import { risks, scores } from './tables.ts'
import { nextDeadline } from './treatment.ts'

export const riskResource = resource({ table: risks, kind: 'risk' })

type Columns = Omit<RiskRow, 'id' | 'tenant_id' | 'version' | 'created_at' | 'updated_at' | 'number'>
export type RiskChanges = { readonly [K in keyof Columns]?: Columns[K] }

export interface RiskChange {
  /** Name of the audit entry. */
  readonly action: string
  readonly changes: RiskChanges
  readonly cause: ScoreCause
  readonly analysisId?: string
  /** Why the status changes. */
  readonly reason?: string | undefined
  /** The user who changes it; null for changes by time and events. */
  readonly by: string | null
  /** Whether it leaves an audit entry; default true. */
  readonly entry?: boolean
}

/** Writes a risk that is held, with all that follows from the change. Gives the row as it is now. */
export async function applyChange(
  parts: ChangeParts,
  tx: Tx,
  held: Held<RiskRow>,
  asked: RiskChange,
): Promise<RiskRow> {
  const before = held.row
  const wanted = { ...before, ...asked.changes }
  const appetite = appetiteOf(parts, tx.tenantId, wanted)
  const scored = { ...wanted, ...rescored(wanted, appetite), next_deadline_at: nextDeadline(wanted.treatment) }
  const { row: next, reason } = movedByItself(before, scored)
  const { action, entry = true } = asked
  const changes = changedColumns(before, next)
  const row = entry ? await change(parts, tx, held, { action, changes }) : await write(parts, tx, held, changes)
  await tell(parts, tx, { before, row, asked: { ...asked, reason: reason ?? asked.reason } })
  return row
}

/** A monitored risk is evaluated anew when an indicator turns red or its residual level rises above the tolerance. */
function movedByItself(before: RiskRow, row: RiskRow): { readonly row: RiskRow; readonly reason?: string } {
  if (row.status !== 'monitoring') return { row }
  const wasRed = new Set(before.kris.filter(({ status }) => status === 'red').map(({ id }) => id))
  const red = row.kris.find(({ id, status }) => status === 'red' && !wasRed.has(id))
  if (red !== undefined) return { row: { ...row, status: 'evaluated' }, reason: `Indicator red: ${red.name}` }
  if (row.above_tolerance && !before.above_tolerance)
    return { row: { ...row, status: 'evaluated' }, reason: 'Residual level above the tolerance' }
  return { row }
}

function changedColumns(before: RiskRow, row: RiskRow): RiskChanges {
  const { id: _i, tenant_id: _t, version: _v, created_at: _c, updated_at: _u, number: _n, ...columns } = row
  const old = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(columns).filter(([name, value]) => !isSame(old.get(name), value))
  return Object.fromEntries(changed)
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

interface Told {
  /** Null for a new risk. */
  readonly before: RiskRow | null
  readonly row: RiskRow
  readonly asked: Pick<RiskChange, 'cause' | 'analysisId' | 'reason' | 'by'>
}

/** Writes the history of scores and emits the events of a change. */
export async function tell(parts: ChangeParts, tx: Tx, told: Told): Promise<void> {
  const { before, row, asked } = told
  await tellScores(parts, tx, told)
  if (before !== null && before.status !== row.status)
    await tx.emit(statusChanged, row.id, {
      risk_id: row.id,
      from: before.status,
      to: row.status,
      by: asked.by,
      reason: asked.reason ?? null,
    })
  for (const kri of row.kris) {
    const old = before?.kris.find(({ id }) => id === kri.id)?.status ?? null
    if (kri.value === null || kri.status === null || !isWorse(kri.status, old)) continue
    await tx.emit(kriBreached, row.id, {
      risk_id: row.id,
      kri_id: kri.id,
      name: kri.name,
      value: kri.value,
      threshold: kri.status === 'red' ? kri.red : kri.amber,
      level: kri.status,
    })
  }
}

async function tellScores({ clock, random }: ChangeParts, tx: Tx, { before, row, asked }: Told): Promise<void> {
  const rows = levels.flatMap((level): ScoreRow[] => {
    const [old, now] = [before?.[level] ?? null, row[level]]
    if (now === null || now.score === null || now.rating === null || now.score === (old?.score ?? null)) return []
    return [
      {
        id: random.uuid(),
        tenant_id: tx.tenantId,
        risk_id: row.id,
        created_at: clock.iso(),
        level,
        previous_score: old?.score ?? null,
        score: now.score,
        previous_rating: old?.rating ?? null,
        rating: now.rating,
        var95: now.var95,
        cause: asked.cause,
        analysis_id: asked.analysisId ?? null,
      },
    ]
  })
  await insertMany(tx, scores, rows)
  await tx.emitAll(
    scoreChanged,
    rows.filter(isNews).map((score) => ({ subject: row.id, data: scoreData(row, score) })),
  )
}

const isNews = ({ previous_score: before, score, previous_rating, rating }: ScoreRow): boolean =>
  before === null || rating !== previous_rating || Math.abs(score - before) >= 1

function scoreData(risk: RiskRow, score: ScoreRow) {
  const { id: _id, tenant_id: _tenant, created_at: _at, ...data } = score
  const level: LevelName = score.level
  return { ...data, level, reference: reference(risk), title: risk.title, above_tolerance: risk.above_tolerance }
}
