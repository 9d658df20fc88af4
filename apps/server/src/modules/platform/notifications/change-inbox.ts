/** Changes of a person's own inbox and wishes. Tested in inbox.test.ts. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { countUnread } from './inbox.ts'
import { changePreferences, defaults, preferencesOf } from './preferences.ts'
import type { InboxChange, PatchInbox } from './schema.ts'

export interface Change {
  readonly actor: Pick<Actor, 'userId' | 'permissions'>
  readonly input: PatchInbox
}

/** @throws API-001, PLAT-004, PLAT-005 */
export async function changeInbox(services: PlatformServices, tx: Tx, { actor, input }: Change): Promise<InboxChange> {
  const { kernel } = services
  const { mark, preferences: patch } = input
  if (mark === undefined && patch === undefined)
    throw apiErrors
      .validation({ what: 'Send `mark`, `preferences` or both.' })
      .at([{ detail: 'This field is required.', pointer: '/mark' }])
  const { userId } = actor
  const before = (await preferencesOf(tx, [userId])).get(userId) ?? defaults
  const updated = mark === undefined ? 0 : await markOwn(services, tx, { userId, mark })
  const wishes = patch === undefined ? before : await changePreferences(services, tx, { userId, patch })
  await tx.audit('platform.inbox.update', {
    target: `platform_inbox:${userId}`,
    before: { wishes: before },
    after: { wishes, updated, status: mark?.status ?? null },
  })
  return { updated, unread: await countUnread(tx, { actor, now: kernel.clock.iso() }), preferences: wishes }
}

type Mark = NonNullable<PatchInbox['mark']>

interface Marking {
  readonly userId: string
  readonly mark: Mark
}

/** @throws API-001 unless it names ids or the last one, and a future time where it is put off */
async function markOwn({ kernel }: PlatformServices, tx: Tx, { userId, mark }: Marking): Promise<number> {
  const { status, snoozed_until: until } = mark
  const wrong = (what: string, pointer: string) =>
    apiErrors.validation({ what }).at([{ detail: what, pointer: `/mark/${pointer}` }])
  if ((mark.ids === undefined) === (mark.up_to_id === undefined))
    throw wrong('Name `ids` or `up_to_id`: one of them.', 'ids')
  if ((status === 'snoozed') !== (until !== undefined))
    throw wrong('`snoozed_until` goes with the status snoozed.', 'snoozed_until')
  if (until !== undefined && !(Date.parse(until) > kernel.clock.now()))
    throw wrong('`snoozed_until` is not in the future.', 'snoozed_until')
  return tx.execute(sql`
    update platform_inbox set status = ${status}, snoozed_until = ${until ?? null}, updated_at = ${kernel.clock.iso()}
    where user_id = ${userId} and ${chosen(mark, userId)} and (status, snoozed_until) is distinct from
      (${status}::text, ${until ?? null}::timestamptz)`)
}

function chosen({ ids, up_to_id: last, status }: Mark, userId: string): SqlPart {
  if (ids !== undefined) return sql`id = any(${[...ids]}::uuid[])`
  const open = status === 'read' ? sql`status = 'unread'` : sql`status <> 'archived'`
  return sql`${open} and (raised_at, id) <= (
    select raised_at, id from platform_inbox where user_id = ${userId} and id = ${last ?? ''})`
}
