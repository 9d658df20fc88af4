import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { configChanged } from '../declared/events.ts'
import type { TrustParts } from '../declared/parts.ts'
import type { Score } from '../declared/schemas.ts'
import { trustConfigs } from '../declared/tables.ts'
import type { DecayConfig } from '../engine/config.ts'
import { type ConfigPatch, patchedConfig } from '../engine/explain/changes.ts'
import { toHundredths } from '../engine/fixed-point.ts'
import { type ComposedScore, composeScore } from '../engine/score.ts'
import { scoreView } from '../scores/current-score.ts'
import { trendOf } from '../scores/past-scores.ts'
import { lockScore, recalculate } from '../scores/recalculation.ts'
import { type ConfigRow, lastRun, needStanding } from '../scores/standing.ts'
import type { ChangedConfig, ConfigView } from './schemas.ts'
import { refuseNegativeZero, refuseUnusable } from './usable.ts'

/** The configuration in force, or an earlier version. @throws API-013 */
export async function readConfig(tx: Tx, version: number | null): Promise<ConfigView> {
  const wanted = version === null ? sql`status = 'active'` : sql`version = ${version}`
  const row = await tx.first(sql<ConfigRow>`select ${trustConfigs.columns} from trust_config where ${wanted}`)
  if (row === null) throw apiErrors.notFound({ what: trustConfigs.noun })
  return configView(row)
}

function configView({ config, status, created_at, created_by }: ConfigRow): ConfigView {
  return { ...config, status, created_at, created_by }
}

export interface ConfigChange {
  readonly patch: ConfigPatch
  readonly precondition: Precondition
  readonly dryRun: boolean
}

/** The answer to a change, and the version in force after it. */
export interface ConfigOutcome {
  readonly changed: ChangedConfig
  readonly version: number
}

/**
 * Puts a new version in force and scores with it, in one transaction; with `dryRun` only shows both. A patch that changes
 * nothing makes no version. @throws API-001, API-012, API-013, TRUST-001, TRUST-002
 */
export async function changeConfig(
  parts: TrustParts,
  tx: Tx,
  { patch, precondition, dryRun }: ConfigChange,
): Promise<ConfigOutcome> {
  refuseNegativeZero(patch)
  await lockScore(tx)
  const standing = await needStanding(tx)
  const { config: current } = standing
  precondition.expectVersion(current.version)
  const patched = patchedConfig(current, patch)
  refuseUnusable(patched)
  const config = { ...patched, version: current.version + 1 }
  const input = lastRun(standing)
  const before = await shown(tx, composeScore(input), { config: current, at: input.at })
  const by = tx.origin.actor?.userId ?? null
  const row = { tenant_id: tx.tenantId, version: config.version, config, created_by: by, created_at: parts.clock.iso() }
  if (dryRun || sameSettings(current, patched)) {
    const after = await shown(tx, composeScore({ ...input, config: patched }), { config, at: input.at })
    const view = dryRun ? configView({ ...row, status: 'active' }) : await readConfig(tx, null)
    return { changed: { ...view, effect: { before, after } }, version: current.version }
  }
  await replace(tx, current, { ...row, status: 'active' })
  const snapshot = await recalculate(parts, tx, { trigger: 'config', eventId: null })
  const after = await shown(tx, snapshot.result, { config, at: snapshot.created_at })
  await tx.emit(configChanged, tx.tenantId, {
    version: config.version,
    by,
    score_before: before.composite_score,
    score_after: after.composite_score,
  })
  return {
    changed: { ...configView({ ...row, status: 'active' }), effect: { before, after } },
    version: config.version,
  }
}

async function replace(tx: Tx, before: DecayConfig, row: ConfigRow): Promise<void> {
  await tx.execute(sql`update trust_config set status = 'superseded' where status = 'active'`)
  await trustConfigs.insert(tx, row)
  await tx.audit('trust.config.update', { target: `trust_config:${row.version}`, before, after: row.config })
}

function sameSettings(a: DecayConfig, b: DecayConfig): boolean {
  return canonicalJson(a) === canonicalJson(b)
}

interface Shown {
  readonly config: DecayConfig
  readonly at: string
}

async function shown(
  tx: Tx,
  score: Pick<ComposedScore, 'composite_score' | 'grade' | 'pillars'>,
  { config, at }: Shown,
): Promise<Score> {
  return scoreView(tx.tenantId, {
    score,
    trend: await trendOf(tx, toHundredths(score.composite_score), { at, windowHours: config.trend_window_hours }),
    recalculatedAt: at,
    decayModel: config.decay_model,
  })
}
