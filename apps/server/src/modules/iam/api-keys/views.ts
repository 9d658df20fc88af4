import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { apiKeyPrefix } from '../../../kernel/auth/api-keys.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import type { ApiKey, ApiKeyDetail, ApiKeyFilter } from '../schemas/credentials.ts'
import type { IamServices } from '../services/iam-services.ts'
import { apiKeys } from '../tables/api-keys.ts'
import { dayMs, shownEnd } from './rules.ts'

export type KeyRow = NonNullable<Awaited<ReturnType<typeof apiKeys.get>>>

export const apiKeyResource = resource({ table: apiKeys, kind: 'api_key' })

export function keyView(row: KeyRow, now: string): ApiKey {
  const {
    key_id,
    secret_hash: _never,
    used_networks: _networks,
    revoked_by: _by,
    session_id: _session,
    version: _version,
    ...shown
  } = row
  const expires_at = shownEnd(row.expires_at)
  return { ...shown, expires_at, prefix: `${apiKeyPrefix}${key_id}`, status: keyStatus(row, now) }
}

/** With how often the key was used, by day, in the last thirty days. */
export async function keyDetail({ kernel }: IamServices, tx: Tx, row: KeyRow): Promise<ApiKeyDetail> {
  const since = new Date(kernel.clock.now() - 29 * dayMs).toISOString().slice(0, 10)
  const usage = await tx.query(sql<{ day: string; requests: number }>`
    select day, requests from iam_api_key_day
    where key_id = ${row.id} and day >= ${since}
    order by day`)
  return { ...keyView(row, kernel.clock.iso()), usage: [...usage] }
}

function keyStatus(row: KeyRow, now: string): ApiKey['status'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at <= now) return 'expired'
  return row.replaced_by_id === null ? 'active' : 'rotating'
}

function statusCondition(status: ApiKey['status'], now: string): SqlPart {
  if (status === 'revoked') return sql`revoked_at is not null`
  if (status === 'expired') return sql`(revoked_at is null and expires_at <= ${now})`
  const alive = sql`revoked_at is null and expires_at > ${now}`
  return status === 'active'
    ? sql`(${alive} and replaced_by_id is null)`
    : sql`(${alive} and replaced_by_id is not null)`
}

/** Own keys; all keys with iam:read. @throws AUTH-004 when asked for another person's keys without it */
export async function listApiKeys(
  tx: Tx,
  ask: { readonly actor: Actor; readonly filter: ApiKeyFilter; readonly page: PageRequest; readonly now: string },
): Promise<Page<ApiKey>> {
  const { actor, filter, now } = ask
  const all = holds(actor.permissions, 'iam:read')
  if (!all && filter.owner_id !== undefined && filter.owner_id !== actor.userId)
    throw authErrors.forbidden({ permission: 'iam:read' })
  const owner = filter.owner_id ?? (all ? undefined : actor.userId)
  const where: SqlPart[] = [sql`true`]
  if (owner !== undefined) where.push(sql`owner_id = ${owner}`)
  if (filter.kind !== undefined) where.push(sql`kind = ${filter.kind}`)
  if (filter.sso_connection_id !== undefined) where.push(sql`sso_connection_id = ${filter.sso_connection_id}`)
  if (filter.status !== undefined) where.push(statusCondition(filter.status, now))
  if (filter.q !== undefined) where.push(searched(filter.q))
  if (filter.unused_since !== undefined)
    where.push(sql`(last_used_at is null or last_used_at < ${filter.unused_since})`)
  if (filter.expires_before !== undefined) where.push(sql`expires_at < ${filter.expires_before}`)
  const page = await apiKeys.page(tx, ask.page, join(where, ' and '))
  return { ...page, items: page.items.map((row) => keyView(row, now)) }
}

/** A person who found a key searches for its owner: of a whole key only the part shown in lists is compared. */
function searched(text: string): SqlPart {
  const byName = sql`lower(name) like ${likePrefix(text)}`
  if (!text.startsWith(apiKeyPrefix)) return byName
  const shown = text.slice(apiKeyPrefix.length).split('_', 1).join('')
  return sql`(starts_with(key_id, ${shown}) or ${byName})`
}

/** @throws API-013 also for a key the actor may not see */
export async function seeApiKey(
  tx: Tx,
  { actor, id }: { readonly actor: Actor; readonly id: string },
): Promise<KeyRow> {
  const row = await apiKeys.need(tx, id)
  if (row.owner_id !== actor.userId && !holds(actor.permissions, 'iam:read'))
    throw apiErrors.notFound({ what: apiKeys.noun })
  return row
}
