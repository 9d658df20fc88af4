/** Ends approvals whose time is over; they stopped counting at that moment already. Tested in approvals.test.ts. */
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { holdAll } from '../../../kernel/resource/resource.ts'
import { settle } from './settle.ts'
import { approvalResource } from './table.ts'

const batch = 200

export const expireApprovals: JobDeclaration<unknown> = {
  kind: 'aegis.approval.expire',
  maxAttempts: 3,
  leaseMs: 30_000,
  everyMs: 30_000,
  due: ({ now }) => sql`exists (
    select from aegis_approval waiting where waiting.tenant_id = tenant.id and waiting.due_at <= ${now})`,
  run: async ({ tenantId, kernel }) => {
    for (let done = batch; done === batch; )
      done = await kernel.db.tenant({ tenantId }, async (tx) => {
        const where = sql`due_at <= ${kernel.clock.iso()}`
        const over = await holdAll(tx, approvalResource, { where, limit: batch })
        for (const held of over) await settle({ kernel }, tx, held, { status: 'expired', by: null, reason: 'expired' })
        return over.length
      })
  },
}
