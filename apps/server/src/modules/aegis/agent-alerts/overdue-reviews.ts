/** Alerts about agents whose review was not done in time, once for each review. Tested in agent-alerts.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt, JobDeclaration } from '../../../kernel/module/module.ts'
import type { AgentRow } from '../agents/schema.ts'
import { agents } from '../agents/tables.ts'
import { openAlert } from '../alerts/open-alert.ts'

/** At most so many in one transaction; the rest is due again with the next run. */
const batch = 200

export const overdueReviews: JobDeclaration<unknown> = {
  kind: 'aegis.agent.review_overdue',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ now }: DueAt) => sql`exists (
    select from aegis_agent late where late.tenant_id = tenant.id and late.next_review_at <= ${now})`,
  run: ({ tenantId, kernel }) => kernel.db.tenant({ tenantId }, (tx) => tellOfOverdueReviews(kernel, tx)),
}

/** An alert since the review was due stands for it, whatever became of that alert. */
export async function tellOfOverdueReviews(kernel: Pick<Kernel, 'clock' | 'random'>, tx: Tx): Promise<void> {
  const now = kernel.clock.iso()
  const late = await tx.query(sql<AgentRow>`
    select ${agents.columns} from aegis_agent
    where next_review_at <= ${now} and status in ('approved', 'active', 'quarantined') and not exists (
      select from aegis_alert told join aegis_detection_rule rule on rule.id = told.rule_id
      where rule.pack_key = 'agent_review_overdue' and told.created_at >= aegis_agent.next_review_at
        and told.group_by->>'agent_id' = aegis_agent.id::text)
    order by next_review_at, id limit ${batch}`)
  for (const { id, name, next_review_at: due } of late)
    await openAlert(kernel, tx, {
      rule: 'agent_review_overdue',
      groupBy: { agent_id: id },
      title: `Review of ${name} is overdue`,
      entities: [{ type: 'agent', id, name }],
      evidence: [
        {
          ...{ id: `${id}:${due}`, source: 'aegis.agent', at: due ?? now, request_id: null },
          summary: `The review was due at ${due ?? now}`,
        },
      ],
    })
}
