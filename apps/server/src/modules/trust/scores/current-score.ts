import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Score } from '../declared/schemas.ts'
import type { DecayConfig } from '../engine/config.ts'
import { type Hundredths, toPoints } from '../engine/fixed-point.ts'
import type { Grade } from '../engine/grade.ts'
import type { ComposedScore, PillarScore } from '../engine/score.ts'
import { PILLARS, type PillarName } from '../engine/signals.ts'
import { trendOf } from './past-scores.ts'
import { pillarOf } from './snapshots.ts'

interface CurrentRow {
  readonly composite: Hundredths
  readonly grade: Grade
  readonly pillars: readonly PillarScore[]
  readonly decay_model: DecayConfig['decay_model']
  readonly trend_window_hours: number
  readonly last_recalculated_at: string
}

/** The score of the newest snapshot, in the one form that never changes. @throws API-013 before the tenant's first score */
export async function currentScore(tx: Tx, at: string): Promise<Score> {
  const score = await findCurrentScore(tx, at)
  if (score === null) throw apiErrors.notFound({ what: 'trust score' })
  return score
}

/** The same; null before the tenant's first score. */
export async function findCurrentScore(tx: Tx, at: string): Promise<Score | null> {
  const row = await tx.first(sql<CurrentRow>`
    select n.composite, n.grade, n.result->'pillars' as pillars, t.last_recalculated_at,
      n.inputs->'config'->>'decay_model' as decay_model,
      (n.inputs->'config'->>'trend_window_hours')::int as trend_window_hours
    from trust_state t
    join trust_snapshot n on n.tenant_id = t.tenant_id and n.id = t.snapshot_id`)
  if (row === null) return null
  return scoreView(tx.tenantId, {
    score: { composite_score: toPoints(row.composite), grade: row.grade, pillars: row.pillars },
    trend: await trendOf(tx, row.composite, { at, windowHours: row.trend_window_hours }),
    recalculatedAt: row.last_recalculated_at,
    decayModel: row.decay_model,
  })
}

export interface ScoreFacts {
  readonly score: Pick<ComposedScore, 'composite_score' | 'grade' | 'pillars'>
  readonly trend: string
  readonly recalculatedAt: string
  readonly decayModel: DecayConfig['decay_model']
}

/** A score as every client knows it. */
export function scoreView(tenantId: string, { score, trend, recalculatedAt, decayModel }: ScoreFacts): Score {
  const pillar = <P extends PillarName>(name: P) => {
    const { score: points, weight } = pillarOf(score, name)
    return { score: points, weight, source: PILLARS[name].source }
  }
  return {
    tenant_id: tenantId,
    composite_score: score.composite_score,
    grade: score.grade,
    pillars: {
      security: pillar('security'),
      compliance: pillar('compliance'),
      risk: pillar('risk'),
      resilience: pillar('resilience'),
      ai_governance: pillar('ai_governance'),
    },
    trend,
    last_recalculated_at: recalculatedAt,
    decay_model: decayModel,
  }
}
