/** Drafts: prepared, changed freely, then opened on the authority of the opener. Tested in draft.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { type Held, write } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import type { IamServices } from '../services/iam-services.ts'
import { accessBelow } from './access.ts'
import { assertDue, assertPlan, fillReview } from './open.ts'
import type { ReviewChange } from './review-change.ts'
import type { ReviewRow } from './tables.ts'
import { reviewView } from './views.ts'

/** @throws API-001, IAM-003, IAM-004 */
export async function changeDraft(
  services: IamServices,
  tx: Tx,
  { held, ask }: { readonly held: Held<ReviewRow>; readonly ask: ReviewChange },
): Promise<void> {
  const { actor, body, id } = ask
  const { row } = held
  const { status, decisions: _decisions, reassign: _reassign, ...plan } = body
  if (status === 'closed') throw errors.illegalMove({ what: 'review', from: 'draft', to: 'closed' })
  const now = services.kernel.clock.iso()
  if (plan.due_at !== undefined || status === 'open') assertDue(plan.due_at ?? row.due_at, now)
  await assertPlan(tx, plan)
  const before = await reviewView(tx, id)
  const opening = status === 'open' ? { opened_by: actor.userId, opened_by_tenant: actor.homeTenantId } : {}
  const ending = status === 'cancelled' ? { closed_at: now, closed_by: actor.userId } : {}
  const changed = {
    name: plan.name ?? row.name,
    due_at: plan.due_at ?? row.due_at,
    scope: plan.scope ?? row.scope,
    reviewer_rule: plan.reviewer_rule ?? row.reviewer_rule,
    on_no_answer: plan.on_no_answer ?? row.on_no_answer,
    status: status ?? row.status,
    ...opening,
    ...ending,
  }
  const found = status === 'open' ? await accessBelow(services, tx, { opener: actor, scope: changed.scope }) : []
  await write(services.kernel, tx, held, changed)
  if (status === 'open') await fillReview(services, tx, { id, opener: actor, body: changed, found })
  await tx.audit('iam.access_review.change', { target: `access_review:${id}`, before, after: await reviewView(tx, id) })
}
