/**
 * Tells changed scores of adopted frameworks: the live score against the one that was told last. Tested in scores.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { type ScoreCause, scoresJobKind } from '../declared/ask-for-scores.ts'
import { causeKinds, scoreChanged } from '../declared/score-events.ts'
import { liveScores } from '../live/live-terms.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'

const leastChange = 0.1

export const scoresJob: JobDeclaration<ComplianceServices> = {
  kind: scoresJobKind,
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  run: ({ kernel, tenantId, payload }: JobContext<ComplianceServices>) => {
    const { causation_depth: depth } = payload
    const origin = { traceparent: null, causationDepth: typeof depth === 'number' ? depth : 0 }
    return kernel.db.tenant({ tenantId, origin }, (tx) =>
      tellScores(tx, { cause: causeOf(payload.cause), atMs: kernel.clock.now() }),
    )
  },
}

interface Told {
  readonly id: string
  readonly key: string
  readonly told_score: number | null
}

interface Telling {
  readonly cause: ScoreCause
  readonly atMs: number
}

export async function tellScores(tx: Tx, { cause, atMs }: Telling): Promise<void> {
  const adopted = await tx.query(sql<Told>`
    select id, key, told_score from compliance_framework where adoption = 'adopted' order by id for update`)
  const scores = await liveScores(tx, adopted, atMs)
  for (const { id, key, told_score: previous } of adopted) {
    const score = scores.get(id)?.score ?? null
    const isSame = score === null || previous === null ? score === previous : Math.abs(score - previous) < leastChange
    if (isSame) continue
    await tx.execute(sql`update compliance_framework set told_score = ${score} where id = ${id}`)
    await tx.emit(scoreChanged, id, {
      ...{ framework_id: id, framework_key: key, scope: 'organization', score, previous, cause },
    })
  }
}

function causeOf(value: unknown): ScoreCause {
  if (!isRecord(value)) return { kind: 'check', id: '' }
  const { kind, id } = value
  return { kind: causeKinds.find((word) => word === kind) ?? 'check', id: String(id ?? '') }
}
