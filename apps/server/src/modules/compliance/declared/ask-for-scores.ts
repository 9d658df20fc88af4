/** Asks for the scores to be told, in the transaction of a change that may move them. Tested in ../scores/scores.test.ts. */
import type { Clock } from '../../../kernel/base/clock.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { causeKinds } from './score-events.ts'

export const scoresJobKind = 'compliance.scores'
/** Milliseconds in which changes become one event. */
const coalescedMs = 5_000

export interface ScoreCause {
  readonly kind: (typeof causeKinds)[number]
  readonly id: string
}

export async function askForScores(clock: Pick<Clock, 'now'>, tx: Tx, cause: ScoreCause): Promise<void> {
  const payload = { cause, causation_depth: tx.origin.causationDepth }
  await tx.enqueue({ kind: scoresJobKind, key: 'scores', payload, runAt: clock.now() + coalescedMs })
}
