/** One mail a day with all that waited for it, and the removal of old notifications. Tested in mails.test.ts. */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { messageOfOwn } from '../declared/message.ts'
import { queueDeliveries } from '../deliveries/queue.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { digestJobKind } from './preferences.ts'
import type { NotificationRow } from './schema.ts'
import { inbox, notifications } from './tables.ts'

const mostInDigest = 100

export const digestJob: JobDeclaration<PlatformServices> = {
  kind: digestJobKind,
  maxAttempts: 5,
  leaseMs: 60_000,
  everyMs: null,
  run: ({ kernel, tenantId, payload }) =>
    kernel.db.tenant({ tenantId }, (tx) => sendDigest(kernel, tx, String(payload.user_id))),
}

/** Takes the copies out of the digest in the transaction that asks for its mail. */
async function sendDigest(kernel: PlatformServices['kernel'], tx: Tx, userId: string): Promise<void> {
  const taken = await tx.query(sql<{ id: string }>`
    update platform_inbox set in_digest = false where user_id = ${userId} and in_digest returning id`)
  if (taken.length === 0 || !kernel.mail.configured) return
  const rows = await tx.query(sql<Pick<NotificationRow, 'category' | 'severity' | 'title' | 'count'>>`
    select category, severity, title, count from platform_notification where id = any(${taken.map(({ id }) => id)}::uuid[])
    order by updated_at desc limit ${mostInDigest}`)
  const lines = rows.map(({ severity, title, count }) => `${severity}: ${title}${count > 1 ? ` (${count} times)` : ''}`)
  const more = taken.length - rows.length
  const message = messageOfOwn(
    {
      ...{ id: kernel.random.uuid(), kind: 'notification', tenantId: tx.tenantId, at: kernel.clock.iso() },
      ...{ severity: 'info', title: `${taken.length} notifications since the last digest` },
      text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
      ...{ path: '/notifications', key: `platform.digest/${userId}` },
      data: { count: taken.length, categories: [...new Set(rows.map(({ category }) => category))] },
    },
    kernel.config,
  )
  await queueDeliveries(kernel, tx, [{ integration: null, userId, kind: 'notification', message }])
}

const dayMs = 86_400_000
const keptDays = 90
const batch = 1_000

export const notificationUpkeep: JobDeclaration<PlatformServices> = {
  kind: 'platform.notification_upkeep',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ ago }) => sql`exists (
    select from platform_notification held
    where held.tenant_id = tenant.id and held.updated_at < ${ago(keptDays * dayMs)})`,
  run: async ({ tenantId, kernel }) => {
    const before = new Date(kernel.clock.now() - keptDays * dayMs).toISOString()
    await kernel.db.tenant({ tenantId }, async (tx) => {
      const old = sql`select id from platform_notification where updated_at < ${before} limit ${batch}`
      await tx.execute(sql`delete from platform_inbox where id in (${old}) and ${notHeld(inbox)}`)
      await tx.execute(sql`
        delete from platform_notification where id in (${old}) and ${notHeld(notifications)}
          and not exists (select from platform_inbox copy where copy.id = platform_notification.id)`)
    })
  },
}
