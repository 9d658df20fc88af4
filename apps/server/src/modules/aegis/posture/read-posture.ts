import type { Static } from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { postureScore } from './posture-score.ts'
import { readInputs } from './read-inputs.ts'
import { lastPoint, type PostureParts } from './refresh.ts'
import type { Posture, PosturePoint, PostureQuery } from './schema.ts'

const usualMs = 30 * 86_400_000
/** The newest points of a long time. */
const mostPoints = 5_000

/** The posture as it is at this moment, with the points of a time. @throws API-001 for a time that ends before it begins */
export async function readPosture({ kernel, directory }: PostureParts, tx: Tx, query: PostureQuery): Promise<Posture> {
  const now = kernel.clock.now()
  const to = query.to ?? new Date(now).toISOString()
  const from = query.from ?? new Date(Date.parse(to) - usualMs).toISOString()
  if (Date.parse(from) > Date.parse(to)) {
    const detail = 'The time ends before it begins.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '?to' }])
  }
  const measured = postureScore(await readInputs(directory, tx, now))
  const last = await lastPoint(tx)
  return {
    ...measured,
    previous: last === null || last.score !== measured.score ? (last?.score ?? null) : last.previous,
    computed_at: new Date(now).toISOString(),
    history: await pointsBetween(tx, from, to),
  }
}

async function pointsBetween(tx: Tx, from: string, to: string): Promise<Static<typeof PosturePoint>[]> {
  const rows = await tx.query(sql<Static<typeof PosturePoint>>`
    select created_at as at, score, confidence from aegis_posture
    where created_at >= ${from} and created_at <= ${to}
    order by created_at desc, id desc limit ${mostPoints}`)
  return rows.toReversed()
}
