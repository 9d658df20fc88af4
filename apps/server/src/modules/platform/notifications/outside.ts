/** Effects of a notification outside of the inbox: mails to people and messages to integrations. Tested in mails.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { messageOfOwn } from '../declared/message.ts'
import { type DeliveryRequest, queueDeliveries } from '../deliveries/queue.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { sendableAt } from './quiet-hours.ts'
import type { Receiver } from './raise.ts'
import type { NotificationRow } from './schema.ts'

export interface Outgoing {
  readonly row: NotificationRow
  readonly receivers: readonly Receiver[]
  readonly targets: readonly IntegrationRow[]
}

/** Mails wait for the end of quiet hours and for the daily digest; what is critical waits for neither. */
export async function queueNotificationDeliveries(
  { kernel }: PlatformServices,
  tx: Tx,
  { row, receivers, targets }: Outgoing,
): Promise<readonly string[]> {
  const message = messageOf(kernel, row)
  const isCritical = row.severity === 'critical'
  const now = kernel.clock.now()
  const mails = receivers
    .filter(({ byMail, wishes }) => byMail && (isCritical || wishes.digest === 'immediate'))
    .map(
      ({ person, wishes }): DeliveryRequest => ({
        ...{ integration: null, userId: person.id, kind: 'notification', message, notificationId: row.id },
        notBefore: isCritical ? now : sendableAt(wishes.quiet_hours, now),
      }),
    )
  const messages = targets.map(
    (integration): DeliveryRequest => ({ integration, kind: 'notification', message, notificationId: row.id }),
  )
  return queueDeliveries(kernel, tx, [...mails, ...messages])
}

function messageOf({ random, config }: PlatformServices['kernel'], row: NotificationRow) {
  const { id, tenant_id: tenantId, category, severity, title, body, resource, group_key, count, source } = row
  return messageOfOwn(
    {
      ...{ id: random.uuid(), kind: 'notification', tenantId, at: row.updated_at, severity, title, text: body },
      ...{ path: resource?.url ?? '/notifications', key: group_key ?? `platform.notification/${id}` },
      data: { tenant_id: tenantId, notification_id: id, category, severity, title, resource, group_key, count, source },
    },
    config,
  )
}
