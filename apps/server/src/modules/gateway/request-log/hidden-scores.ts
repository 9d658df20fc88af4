/**
 * The score of a call as its caller may know it. The log keeps it for those who see all calls; where a policy of the
 * call does not show it (`reporting.expose_score`), no one else reads it there either: a caller that knows it can test
 * how close a text comes. Tested in hidden-scores.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { RequestRow } from '../schemas/request.ts'
import { seesAll } from './requests-filter.ts'

/** A version of a policy never changes, so it still says the same as when the call was made. */
export async function withoutHiddenScores(
  tx: Tx,
  actor: Actor,
  rows: readonly RequestRow[],
): Promise<readonly RequestRow[]> {
  const ids = [...new Set(rows.flatMap(({ policies }) => policies.map(({ id }) => id)))]
  if (seesAll(actor) || ids.length === 0) return rows
  const hiding = await tx.query(
    sql<{ source: string }>`
      select policy_id || '@' || number as source from gateway_policy_version
      where policy_id = any(${ids}::uuid[]) and document -> 'reporting' ->> 'expose_score' = 'false'`,
  )
  const hides = new Set(hiding.map(({ source }) => source))
  return rows.map((row) =>
    row.policies.some(({ id, version }) => hides.has(`${id}@${version}`))
      ? { ...row, security: { ...row.security, injection_score: null } }
      : row,
  )
}
