/**
 * Feedback on answers and detections. It is limited to calls that the user may see, and to rules that matched in them;
 * the call's own author and administrators may give it. Tested in feedback.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { everyKindOf } from '../findings/findings.ts'
import { needRequest } from '../request-log/requests.ts'
import { seesAll } from '../request-log/requests-filter.ts'
import type { Feedback, FeedbackRow, NewFeedback } from '../schemas/feedback.ts'
import type { RequestRow } from '../schemas/request.ts'
import { feedbacks } from './tables.ts'

type Maker = Pick<Kernel, 'clock' | 'random'>

interface Given {
  readonly actor: Actor
  /** Either of the call's two ids. */
  readonly id: string
  readonly body: NewFeedback
}

/** @throws API-001, API-013; AUTH-004 for another user's call */
export async function giveFeedback({ clock, random }: Maker, tx: Tx, given: Given): Promise<Feedback> {
  const { actor, id, body } = given
  const call = await needRequest(tx, actor, id)
  if (call.user_id !== actor.userId && !holds(actor.permissions, 'gateway:admin'))
    throw authErrors.forbidden({ permission: 'gateway:admin' })
  refuseUnclear(body)
  refuseOtherRule(call, body)
  const row: FeedbackRow = {
    id: random.uuid(),
    tenant_id: tx.tenantId,
    request_id: call.id,
    user_id: actor.userId,
    kind: body.kind,
    rating: body.rating ?? null,
    verdict: body.verdict ?? null,
    rule_id: body.rule_id ?? null,
    comment: body.comment ?? null,
    created_at: clock.iso(),
  }
  await feedbacks.insert(tx, row)
  const { kind, rating, verdict, rule_id } = row
  await tx.audit('gateway.request.feedback', {
    target: `request:${call.id}`,
    after: { kind, rating, verdict, rule_id },
  })
  return shown(row)
}

/** An answer has a rating and a detection a verdict; feedback with both or neither is invalid. */
function refuseUnclear({ kind, rating, verdict, rule_id: rule }: NewFeedback): void {
  const [wanted, other, given] = kind === 'answer' ? ['rating', 'verdict', rating] : ['verdict', 'rating', verdict]
  const unwanted = kind === 'answer' ? (verdict ?? rule) : rating
  if (given === undefined) throw wrong(`Feedback on an ${kind} needs ${wanted}.`, `/${wanted}`)
  if (unwanted !== undefined) throw wrong(`Feedback on an ${kind} takes no ${other}.`, `/${other}`)
}

function refuseOtherRule(call: RequestRow, { verdict, rule_id: rule }: NewFeedback): void {
  if (rule === undefined || verdict === undefined || verdict === 'missed') return
  const spoke = call.patterns.includes(rule) || everyKindOf(call).some(({ rule_id }) => rule_id === rule)
  if (!spoke) throw wrong(`The rule ${rule} found nothing in this call.`, '/rule_id')
}

function wrong(what: string, pointer: string) {
  return apiErrors.validation({ what }).at([{ detail: what, pointer }])
}

/** Feedback on a call; without the right to see all calls, only the caller's own feedback. */
export async function feedbackOf(tx: Tx, actor: Actor, requestId: string): Promise<Feedback[]> {
  const by = seesAll(actor) ? sql`true` : sql`user_id = ${actor.userId}`
  const rows = await tx.query(
    sql<FeedbackRow>`
      select ${feedbacks.columns} from gateway_feedback
      where request_id = ${requestId} and ${by}
      order by created_at, id
      limit 100`,
  )
  return rows.map(shown)
}

function shown(row: FeedbackRow): Feedback {
  return { ...row, updated_at: row.created_at }
}
