/** Opens an alert for each agent whose review is overdue, once for each due date. Tested in ../drift.test.ts. */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../../kernel/module/module.ts'
import { openAlert } from '../../alerts/open-alert.ts'

const batch = 200

export const tellOverdueReviews: JobDeclaration<unknown> = {
  kind: 'aegis.agent.review_overdue',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 60_000,
  due: ({ now }) => sql`exists (
    select from aegis_agent agent where agent.tenant_id = tenant.id and agent.next_review_at <= ${now}
      and (agent.review_told_at is null or agent.review_told_at < agent.next_review_at))`,
  run: async ({ tenantId, kernel }) => {
    for (let told = batch; told === batch; ) told = await kernel.db.tenant({ tenantId }, (tx) => tellBatch(kernel, tx))
  },
}

interface Overdue {
  readonly id: string
  readonly name: string
  readonly next_review_at: string
}

async function tellBatch(kernel: Pick<Kernel, 'clock' | 'random'>, tx: Tx): Promise<number> {
  const now = kernel.clock.iso()
  const overdue = await tx.query(sql<Overdue>`
    update aegis_agent set review_told_at = ${now} where id in (
      select id from aegis_agent
      where next_review_at <= ${now} and (review_told_at is null or review_told_at < next_review_at)
      order by next_review_at, id limit ${batch} for update)
    returning id, name, next_review_at`)
  for (const { id, name, next_review_at } of overdue)
    await openAlert(kernel, tx, {
      rule: 'agent_review_overdue',
      groupBy: { agent_id: id },
      title: `Review of ${name} is overdue`,
      entities: [{ type: 'agent', id, name }],
      evidence: [
        {
          ...{ id, source: 'aegis.agent', at: now, request_id: null },
          summary: `The review was due at ${new Date(next_review_at).toISOString()}.`,
        },
      ],
    })
  return overdue.length
}
