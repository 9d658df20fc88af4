import { table } from '../../../kernel/db/table.ts'
import { InboxRow, NotificationRow, PreferenceRow } from './schema.ts'

const data = { category: 'notifications', retention: 'P90D' } as const

export const notifications = table({
  name: 'platform_notification',
  noun: 'notification',
  row: NotificationRow,
  sorts: ['created_at'],
  dueBy: ['updated_at', 'expires_at'],
  data: { ...data, subject: ['actor_id'], erasure: 'keep_pseudonymous' },
})

export const inbox = table({
  name: 'platform_inbox',
  noun: 'notification',
  row: InboxRow,
  key: ['user_id', 'id'],
  sorts: ['raised_at'],
  data: { ...data, subject: ['user_id'], erasure: 'delete' },
})

export const preferences = table({
  name: 'platform_preference',
  noun: 'preference',
  row: PreferenceRow,
  data: { category: 'preferences', subject: ['user_id'], retention: 'tenant', erasure: 'delete' },
})
