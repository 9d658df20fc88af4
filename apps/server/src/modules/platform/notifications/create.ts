/** A notification that somebody raises by a call. Tested in notifications.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import { isPermission } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { type Raising, raise } from './raise.ts'
import type { NewNotification, Notification, NotificationRow } from './schema.ts'
import { renderTexts } from './templates.ts'

export interface Creation {
  readonly actor: Pick<Actor, 'userId'>
  readonly input: NewNotification
}

/** @throws API-001, PLAT-001, PLAT-002, PLAT-003, PLAT-018 */
export async function createNotification(
  services: PlatformServices,
  tx: Tx,
  { actor, input }: Creation,
): Promise<Notification> {
  refuseWrong(input)
  const raised = await raise(services, tx, raisingOf(input, actor.userId))
  if (raised === null) throw errors.noRecipient().at([{ detail: 'resolves to nobody', pointer: '/recipients' }])
  const { row, recipientIds, deliveryIds, deduplicated } = raised
  const view = {
    ...notificationView(row),
    ...{ recipient_count: recipientIds.length, delivery_ids: [...deliveryIds], deduplicated },
  }
  await tx.audit('platform.notification.create', {
    target: `platform_notification:${row.id}`,
    after: { ...view, recipients: input.recipients },
  })
  return view
}

function refuseWrong({ recipients: { permission }, expires_at: expires }: NewNotification): void {
  if (permission !== undefined && !isPermission(permission))
    throw apiErrors
      .validation({ what: 'There is no such permission.' })
      .at([{ detail: 'is no permission', pointer: '/recipients/permission' }])
  if (expires !== undefined && Number.isNaN(Date.parse(expires)))
    throw apiErrors
      .validation({ what: 'The time is not valid.' })
      .at([{ detail: 'is no time', pointer: '/expires_at' }])
}

function raisingOf(input: NewNotification, actorId: string): Raising {
  const { severity, category, recipients, channels, resource, group_key, dedup_key, integration_ids } = input
  const { title, body } = renderTexts({ ...input, template: input.template, data: input.data })
  return {
    ...{ category, severity, title, body, recipients, source: 'api', actorId },
    ...(channels === undefined ? {} : { channels }),
    ...(resource === undefined ? {} : { resource }),
    ...(group_key === undefined ? {} : { groupKey: group_key }),
    ...(dedup_key === undefined ? {} : { dedupKey: dedup_key }),
    ...(integration_ids === undefined ? {} : { integrationIds: integration_ids }),
    ...(input.expires_at === undefined ? {} : { expiresAt: input.expires_at }),
  }
}

export function notificationView({ dedup_key: _key, ...shown }: NotificationRow) {
  return shown
}
