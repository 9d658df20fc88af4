/** Wishes of people about notifications, over the tenant's defaults. Tested in inbox.test.ts. */
import Type from 'typebox'
import { isTimeZone } from '../../../kernel/base/time-zone.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { armSchedule, disarmSchedule } from '../../../kernel/schedules/schedules.ts'
import { oneOf } from '../../../kernel/schema/types.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'
import { type Category, type Channel, categories, lockedCategories, mailedByDefault } from '../declared/words.ts'
import { errors } from '../errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import type { PatchInbox, PreferenceRow, Preferences } from './schema.ts'
import { preferences } from './tables.ts'

export const digestJobKind = 'platform.digest'
/** Local time of the daily digest. */
const digestCron = '0 8 * * *'

export const mailedCategories = defineSetting({
  key: 'platform.mailed_categories',
  schema: Type.Array(oneOf(...categories), { maxItems: categories.length }),
  default: [...mailedByDefault],
  scope: 'tenant',
  description: 'Categories of notifications that people get by mail too, where they say nothing themselves.',
})

export const defaults: Preferences = { matrix: {}, quiet_hours: null, digest: 'immediate', locale: 'en' }

/** Of those who have said something. */
export async function preferencesOf(tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, Preferences>> {
  if (userIds.length === 0) return new Map()
  const rows = await tx.query(sql<PreferenceRow>`
    select ${preferences.columns} from platform_preference where user_id = any(${[...userIds]}::uuid[])`)
  return new Map(rows.map((row) => [row.user_id, viewOf(row)]))
}

const viewOf = ({ matrix, quiet_hours, digest, locale }: PreferenceRow): Preferences => ({
  ...{ matrix, quiet_hours, digest, locale },
})

export interface Wish {
  readonly category: Category
  readonly channel: Channel
  /** The tenant's `platform.mailed_categories`. */
  readonly mailed: readonly Category[]
}

/** Whether a person with these wishes gets a category on a channel. */
export function gets({ matrix }: Preferences, { category, channel, mailed }: Wish): boolean {
  if (channel === 'inbox' && lockedCategories.has(category)) return true
  const said = matrix[category]?.[channel]
  return said ?? (channel === 'inbox' || mailed.includes(category))
}

type Patch = NonNullable<PatchInbox['preferences']>

export interface PreferenceChange {
  readonly userId: string
  readonly patch: Patch
}

/** @throws PLAT-004, PLAT-005 */
export async function changePreferences(
  services: PlatformServices,
  tx: Tx,
  { userId, patch }: PreferenceChange,
): Promise<Preferences> {
  const { kernel } = services
  refusePatch(patch)
  await tx.lock('platform.preference', userId)
  const row = await tx.first(
    sql<PreferenceRow>`select ${preferences.columns} from platform_preference where user_id = ${userId} for update`,
  )
  const before = row === null ? defaults : viewOf(row)
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const after: Preferences = { ...before, ...given, matrix: { ...before.matrix, ...patch.matrix } }
  const at = kernel.clock.iso()
  if (row === null)
    await preferences.insert(tx, {
      ...{ id: kernel.random.uuid(), tenant_id: tx.tenantId, version: 1, created_at: at, updated_at: at },
      ...{ user_id: userId, ...after },
    })
  else await preferences.patchVersion(tx, row.id, { ...after, updated_at: at })
  await scheduleDigest(services, tx, { userId, after })
  return after
}

function refusePatch({ matrix = {}, quiet_hours: quiet }: Patch): void {
  const locked = [...lockedCategories].find((category) => matrix[category]?.inbox === false)
  if (locked !== undefined)
    throw errors
      .categoryLocked({ category: locked })
      .at([{ detail: 'cannot be muted in the inbox', pointer: `/preferences/matrix/${locked}/inbox` }])
  if (quiet === undefined || quiet === null) return
  if (!isTimeZone(quiet.time_zone))
    throw errors
      .windowInvalid({ what: 'There is no such time zone. Use an IANA name such as Europe/Berlin.' })
      .at([{ detail: 'is no time zone', pointer: '/preferences/quiet_hours/time_zone' }])
  if (quiet.start === quiet.end)
    throw errors
      .windowInvalid({ what: 'The quiet hours begin and end at the same time. Leave a time between, or send null.' })
      .at([{ detail: 'is equal to start', pointer: '/preferences/quiet_hours/end' }])
}

interface DigestPlan {
  readonly userId: string
  readonly after: Preferences
}

async function scheduleDigest({ kernel, iam }: PlatformServices, tx: Tx, { userId, after }: DigestPlan): Promise<void> {
  const place = { owner: 'platform', key: `digest/${userId}` } as const
  if (after.digest === 'immediate') {
    await disarmSchedule(tx, place)
    await tx.enqueue({ kind: digestJobKind, key: userId, payload: { user_id: userId } })
    return
  }
  const timeZone = after.quiet_hours?.time_zone ?? (await iam.timeZone(tx))
  await armSchedule(kernel, tx, {
    ...{ ...place, kind: digestJobKind, payload: { user_id: userId } },
    timing: { cron: digestCron, timeZone },
  })
}

/** The tenant's default, as it is now. */
export const mailedIn = ({ settings }: Pick<Kernel, 'settings'>, tx: Pick<Tx, 'tenantId'>): readonly Category[] =>
  settings.get(mailedCategories, tx.tenantId)
