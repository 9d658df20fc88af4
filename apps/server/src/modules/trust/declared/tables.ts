import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import type { DecayConfig } from '../engine/config.ts'
import type { Evidence } from '../engine/evidence.ts'
import { GRADES } from '../engine/grade.ts'
import { keyed } from '../engine/keyed.ts'
import type { ComposedScore, ScoreInput } from '../engine/score.ts'
import { PILLAR_NAMES } from '../engine/signals.ts'
import { triggers } from './schemas.ts'

const data = { category: 'trust_score', subject: [], retention: 'tenant', erasure: 'none' } as const

const Hundredths = Type.Integer({ minimum: 0, maximum: 10_000 })

/** The series of history. */
export const SERIES = ['composite', ...PILLAR_NAMES] as const
export type Series = (typeof SERIES)[number]

/** For each series the columns of the lowest and the highest score. */
export const EXTREME_COLUMNS = SERIES.flatMap((name) => [`${name}_min`, `${name}_max`] as const)

/** Every version of a tenant's decay configuration; snapshots name the one they were made with. */
export const trustConfigs = table({
  name: 'trust_config',
  row: strictObject({
    tenant_id: Uuid,
    version: Type.Integer({ minimum: 1 }),
    config: Type.Unsafe<DecayConfig>({ type: 'object' }),
    status: oneOf('active', 'superseded'),
    created_by: nullable(Uuid),
    created_at: Timestamp,
  }),
  key: ['version'],
  noun: 'decay configuration',
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})

/**
 * Past scores, with all their inputs. Scores are in hundredths of a point, for history and trend. Rows are never
 * changed; the job that thins out old history removes some, as the system role.
 */
export const trustSnapshots = table({
  name: 'trust_snapshot',
  row: strictObject({
    tenant_id: Uuid,
    id: Uuid,
    created_at: Timestamp,
    trigger: oneOf(...triggers),
    trigger_event_id: nullable(Uuid),
    algorithm: Type.String({ maxLength: 20 }),
    config_version: Type.Integer({ minimum: 1 }),
    composite: Hundredths,
    grade: oneOf(...GRADES),
    security: Hundredths,
    compliance: Hundredths,
    risk: Hundredths,
    resilience: Hundredths,
    ai_governance: Hundredths,
    inputs: Type.Unsafe<ScoreInput>({ type: 'object' }),
    inputs_sha256: Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 }),
    result: Type.Unsafe<ComposedScore>({ type: 'object' }),
  }),
  sorts: ['created_at'],
  appendOnly: true,
  system: true,
  noun: 'snapshot',
  data,
})

/**
 * Lowest and highest scores (hundredths) of the stretch of old history that a snapshot stands for, once the others of
 * its hour or day were removed: a dip of one minute three years ago is still there.
 */
export const trustExtremes = table({
  name: 'trust_extreme',
  row: strictObject({
    tenant_id: Uuid,
    snapshot_id: Uuid,
    ...keyed(EXTREME_COLUMNS, () => Hundredths),
  }),
  key: ['snapshot_id'],
  system: true,
  noun: 'stretch of history',
  data,
})

/**
 * Where a tenant stands: its newest snapshot, the evidence of the last run (which may be newer than the snapshot's,
 * because a run that changes no score stores none), and the grade people were told last, with the snapshot it was of.
 */
export const trustStates = table({
  name: 'trust_state',
  row: strictObject({
    tenant_id: Uuid,
    snapshot_id: Uuid,
    evidence: Type.Unsafe<Evidence>({ type: 'object' }),
    told_grade: oneOf(...GRADES),
    told_snapshot_id: nullable(Uuid),
    /** Completed model calls since the evidence was looked at, and how many make it worth looking again. */
    calls_since: Type.Integer({ minimum: 0 }),
    calls_until_look: Type.Integer({ minimum: 1 }),
    last_recalculated_at: Timestamp,
    /** Start of the last run for events that are scored at once; null before the first. */
    prompt_run_at: nullable(Timestamp),
  }),
  key: [],
  noun: 'trust score',
  data,
})
