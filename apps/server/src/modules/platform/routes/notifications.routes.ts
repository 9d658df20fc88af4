import { apiErrors } from '../../../kernel/errors/errors.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import { changeInbox } from '../notifications/change-inbox.ts'
import { createNotification } from '../notifications/create.ts'
import { countUnread, listInbox } from '../notifications/inbox.ts'
import { defaults, preferencesOf } from '../notifications/preferences.ts'
import {
  InboxChange,
  InboxFilter,
  InboxItem,
  NewNotification,
  Notification,
  PatchInbox,
} from '../notifications/schema.ts'
import { inbox } from '../notifications/tables.ts'
import type { PlatformServices } from '../services/platform-services.ts'

const route = routesOf<PlatformServices>()

export const notificationRoutes = [
  route.get('/notifications', {
    permission: 'platform:read',
    summary: 'List your own notifications',
    description:
      'Those that are not archived, newest first; what you may no longer read is left out. `meta.inbox` has the unread counts and your preferences.',
    query: InboxFilter,
    returns: [200, InboxItem],
    list: { table: inbox, default: '-raised_at' },
    handler: async ({ tx, kernel, actor, page, query }) => {
      const now = kernel.clock.iso()
      const found = await listInbox(tx, { actor, page, filter: query, now })
      const own = await preferencesOf(tx, [actor.userId])
      const unread = await countUnread(tx, { actor, now })
      return new Answer(found, { meta: { inbox: { unread, preferences: own.get(actor.userId) ?? defaults } } })
    },
  }),
  route.post('/notifications', {
    permission: 'platform:write',
    summary: 'Raise a notification',
    description:
      'Receivers are the active people of the tenant who are named, hold one of the roles or the permission, and may read the module of the `resource`. A `dedup_key` counts for 24 hours; repeats of a `group_key` are one notification with a count. With `template` (`plain`, `incident`, `maintenance`) or `data`, title and body are Liquid.',
    body: NewNotification,
    returns: [201, Notification],
    audit: 'platform.notification.create',
    errors: [apiErrors.validation, errors.noRecipient, errors.templateUnknown, errors.templateFailed, errors.notActive],
    handler: ({ tx, services, actor, body }) => createNotification(services, tx, { actor, input: body }),
  }),
  route.patch('/notifications', {
    permission: 'platform:read',
    summary: 'Mark your notifications, or change your preferences',
    description:
      '`mark` is for `ids`, or for everything up to the one `up_to_id`. Locked categories cannot be muted in the inbox; what is critical comes in spite of quiet hours, digests and muting.',
    body: PatchInbox,
    returns: [200, InboxChange],
    audit: 'platform.inbox.update',
    errors: [apiErrors.validation, errors.categoryLocked, errors.windowInvalid],
    handler: ({ tx, services, actor, body }) => changeInbox(services, tx, { actor, input: body }),
  }),
]
