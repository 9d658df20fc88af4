/**
 * Raises a notification in the caller's transaction: receivers are resolved in the tenant and must be able to read the
 * resource; the same thing within a day is raised once, and repeats of a group are counted in one row. Everything that
 * leaves the installation is a delivery. Tested in notifications.test.ts.
 */
import { holds, type Permission } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany, insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Recipient } from '../../iam/api.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { integrations } from '../declared/integration-tables.ts'
import { type Category, type Channel, isAtLeast, type Severity } from '../declared/words.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { notificationCreated } from './events.ts'
import { queueNotificationDeliveries } from './outside.ts'
import { defaults, gets, mailedIn, preferencesOf } from './preferences.ts'
import type { NotificationRow, Preferences, Recipients, ResourceLink } from './schema.ts'
import { inbox, notifications } from './tables.ts'

/** Receivers of one notification; more are left out. */
export const mostRecipients = 1_000
const dayMs = 86_400_000

export interface Raising {
  readonly category: Category
  readonly severity: Severity
  readonly title: string
  readonly body: string
  readonly recipients: Recipients
  readonly source: NotificationRow['source']
  readonly resource?: ResourceLink
  readonly groupKey?: string
  readonly dedupKey?: string
  readonly actorId?: string
  readonly expiresAt?: string
  /** Narrows those that the receivers chose. */
  readonly channels?: readonly Channel[]
  readonly integrationIds?: readonly string[]
}

export interface Raised {
  readonly row: NotificationRow
  readonly recipientIds: readonly string[]
  readonly deliveryIds: readonly string[]
  readonly deduplicated: boolean
}

/** @returns null where nobody is left to get it. @throws API-001 for an integration that does not exist, PLAT-018 for one that is not active */
export async function raise(services: PlatformServices, tx: Tx, raising: Raising): Promise<Raised | null> {
  const { kernel, iam } = services
  const { user_ids: userIds, roles, permission } = raising.recipients
  const found = await iam.recipients(tx, {
    ...(userIds === undefined ? {} : { userIds }),
    ...(roles === undefined ? {} : { roles }),
    ...(permission === undefined ? {} : { permission }),
  })
  const people = found.filter((one) => maySee(one, raising.resource)).slice(0, mostRecipients)
  if (people.length === 0) return null
  const targets = await activeIntegrations(tx, raising.integrationIds ?? [])
  const before = await standing(tx, raising, kernel.clock.now())
  if (before?.isDuplicate === true) return { row: before.row, recipientIds: [], deliveryIds: [], deduplicated: true }
  const row = await store(services, tx, { raising, before: before?.row ?? null })
  const receivers = await receiversOf(services, tx, { people, raising })
  await fillInbox(services, tx, { row, receivers })
  const isLouder = before === null || !isAtLeast(before.row.severity, raising.severity)
  const deliveryIds = isLouder ? await queueNotificationDeliveries(services, tx, { row, receivers, targets }) : []
  await tell(tx, row, receivers)
  return { row, recipientIds: people.map(({ id }) => id), deliveryIds, deduplicated: false }
}

/** Reading a resource takes the permission to read its module. */
export const readPermission = ({ module }: Pick<ResourceLink, 'module'>): Permission => `${module}:read`

const maySee = ({ permissions }: Recipient, resource: ResourceLink | undefined): boolean =>
  resource === undefined || holds(permissions, readPermission(resource))

async function activeIntegrations(tx: Tx, ids: readonly string[]): Promise<readonly IntegrationRow[]> {
  if (ids.length === 0) return []
  const rows = await tx.query(sql<IntegrationRow>`
    select ${integrations.columns} from platform_integration where id = any(${[...ids]}::uuid[])`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(ids)].map((id, index) => {
    const row = byId.get(id)
    if (row === undefined)
      throw apiErrors
        .validation({ what: 'There is no such integration.' })
        .at([{ detail: 'names no integration', pointer: `/integration_ids/${index}` }])
    const status = row.kind === 's3' ? 'no receiver' : row.status
    if (status === 'active') return row
    throw errors
      .notActive({ status })
      .at([{ detail: 'is not an active integration that messages are sent to', pointer: `/integration_ids/${index}` }])
  })
}

interface Standing {
  readonly row: NotificationRow
  readonly isDuplicate: boolean
}

/** Notifications raised before with the same keys. Locked, so that repeats at once are one. */
async function standing(
  tx: Tx,
  { dedupKey, groupKey, category, source }: Raising,
  nowMs: number,
): Promise<Standing | null> {
  const since = new Date(nowMs - dayMs).toISOString()
  if (dedupKey !== undefined) {
    await tx.lock('platform.notification', `dedup/${dedupKey}`)
    const row = await tx.first(sql<NotificationRow>`
      select ${notifications.columns} from platform_notification
      where dedup_key = ${dedupKey} and source = ${source} and created_at > ${since} order by created_at desc limit 1`)
    if (row !== null) return { row, isDuplicate: true }
  }
  if (groupKey === undefined) return null
  await tx.lock('platform.notification', `group/${groupKey}`)
  const row = await tx.first(sql<NotificationRow>`
    select ${notifications.columns} from platform_notification
    where group_key = ${groupKey} and category = ${category} and source = ${source}
      and (expires_at is null or expires_at > ${new Date(nowMs).toISOString()})
    order by updated_at desc limit 1 for update`)
  return row === null ? null : { row, isDuplicate: false }
}

interface Storing {
  readonly raising: Raising
  readonly before: NotificationRow | null
}

async function store({ kernel }: PlatformServices, tx: Tx, { raising, before }: Storing): Promise<NotificationRow> {
  const at = kernel.clock.iso()
  const { category, severity, title, body, source } = raising
  const said = { severity, title: title.slice(0, 200), body: body.slice(0, 4_000), updated_at: at }
  if (before !== null) {
    const changes = { ...said, count: before.count + 1 }
    await notifications.patch(tx, before.id, changes)
    return { ...before, ...changes }
  }
  const row: NotificationRow = {
    ...{ id: kernel.random.uuid(), tenant_id: tx.tenantId, created_at: at, ...said, category, source, count: 1 },
    ...{ resource: raising.resource ?? null, group_key: raising.groupKey ?? null, dedup_key: raising.dedupKey ?? null },
    ...{ actor_id: raising.actorId ?? null, expires_at: raising.expiresAt ?? null },
  }
  await notifications.insert(tx, row)
  return row
}

/** Somebody who gets it, and where. */
export interface Receiver {
  readonly person: Recipient
  readonly wishes: Preferences
  readonly inInbox: boolean
  readonly byMail: boolean
}

interface Receiving {
  readonly people: readonly Recipient[]
  readonly raising: Raising
}

async function receiversOf(
  { kernel }: PlatformServices,
  tx: Tx,
  { people, raising }: Receiving,
): Promise<readonly Receiver[]> {
  const wishes = await preferencesOf(
    tx,
    people.map(({ id }) => id),
  )
  const mailed = mailedIn(kernel, tx)
  const { category, channels, severity } = raising
  const wanted = (own: Preferences, channel: Channel): boolean =>
    (channels === undefined || channels.includes(channel)) && gets(own, { category, channel, mailed })
  return people.map((person) => {
    const own = wishes.get(person.id) ?? defaults
    const isLocked = gets(
      { ...defaults, matrix: { [category]: { inbox: false } } },
      { category, channel: 'inbox', mailed },
    )
    return {
      ...{ person, wishes: own },
      inInbox: isLocked || severity === 'critical' || wanted(own, 'inbox'),
      byMail: kernel.mail.configured && person.email !== null && wanted(own, 'email'),
    }
  })
}

interface Filling {
  readonly row: NotificationRow
  readonly receivers: readonly Receiver[]
}

/** A repeat makes a copy unread again, unless its receiver has put it off; what is critical comes back all the same. */
async function fillInbox({ kernel }: PlatformServices, tx: Tx, { row, receivers }: Filling): Promise<void> {
  const at = kernel.clock.iso()
  const copies = receivers
    .filter(({ inInbox }) => inInbox)
    .map(({ person, wishes, byMail }) => ({
      ...{ id: row.id, tenant_id: tx.tenantId, user_id: person.id, created_at: at, raised_at: at, updated_at: at },
      ...{ status: 'unread' as const, snoozed_until: null },
      in_digest: byMail && wishes.digest === 'daily' && row.severity !== 'critical',
    }))
  if (copies.length === 0) return
  if (row.count === 1) {
    await insertMany(tx, inbox, copies)
    return
  }
  const isCritical = row.severity === 'critical'
  await tx.execute(sql`
    ${insertRows(inbox, copies)}
    on conflict (tenant_id, user_id, id) do update set raised_at = excluded.raised_at, updated_at = excluded.updated_at,
      in_digest = platform_inbox.in_digest or excluded.in_digest,
      status = case when platform_inbox.status = 'snoozed' and platform_inbox.snoozed_until > ${at} and not ${isCritical}
        then 'snoozed' else 'unread' end,
      snoozed_until = case when platform_inbox.snoozed_until > ${at} and not ${isCritical}
        then platform_inbox.snoozed_until end`)
}

async function tell(tx: Tx, row: NotificationRow, receivers: readonly Receiver[]): Promise<void> {
  const ids = receivers.filter(({ inInbox }) => inInbox).map(({ person }) => person.id)
  if (ids.length === 0) return
  const { id, category, severity, title, resource, group_key, count, source } = row
  await tx.emit(notificationCreated, id, {
    ...{ notification_id: id, category, severity, title, resource, group_key, count, source },
    recipient_user_ids: ids,
  })
}
