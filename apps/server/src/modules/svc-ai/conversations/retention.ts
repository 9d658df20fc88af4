/** Conversations past their time are removed with all that is in them, unless a legal hold keeps them. Tested in chat.test.ts. */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { conversations, messages } from '../declared/conversation-tables.ts'
import { conversationDeleted } from '../events/events.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'

/** Of one run; the rest is due again. */
const batch = 200

export const retentionJob: JobDeclaration<SvcAiServices> = {
  kind: 'svc_ai.retention',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 600_000,
  due: ({ now }) => sql`exists (
    select from svc_ai_conversation held where held.tenant_id = tenant.id and held.expires_at <= ${now})`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const removed = await tx.query(sql<{ id: string }>`
        delete from svc_ai_conversation where id in (
          select id from svc_ai_conversation where expires_at <= ${kernel.clock.iso()} and ${notHeld(conversations)}
            and not exists (
              select from svc_ai_message where svc_ai_message.conversation_id = svc_ai_conversation.id
                and not ${notHeld(messages)})
          order by expires_at limit ${batch})
        returning id`)
      if (removed.length === 0) return
      await tx.emitAll(
        conversationDeleted,
        removed.map(({ id }) => ({ subject: id, data: { conversation_id: id, reason: 'retention' as const } })),
      )
    }),
}
