/**
 * People as a directory sees them: the human accounts of the tenant, whatever their origin, in the form of userSchema.
 * Attributes a directory never wrote are shown from the account. Changes nothing. Tested in scim.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { nameKey } from '../roles/roles.ts'
import type { UserStatus } from '../schemas/user-states.ts'
import { users } from '../tables/users.ts'
import type { Filter } from './filter.ts'
import { type FilterTarget, filterSql, type IndexedEquality } from './filter-sql.ts'
import type { Document } from './match.ts'

export interface PersonRow {
  readonly id: string
  readonly version: number
  readonly status: UserStatus
  readonly created_at: string
  readonly updated_at: string
  /** All but `groups`, `schemas` and the parts of `meta` that clients receive. */
  readonly document: Document
}

/** Times as the filter's reader writes them. */
const isoTime = (column: SqlPart): SqlPart =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const unwritten = sql`jsonb_strip_nulls(jsonb_build_object(
  'userName', u.email, 'displayName', u.display_name, 'locale', u.locale, 'timezone', u.time_zone,
  'emails', jsonb_build_array(jsonb_build_object('value', u.email, 'type', 'work', 'primary', true))))`

/** Suspended by an administrator is not active; locked after failed sign-ins is, for it passes. */
const documentOf = sql`(coalesce(s.profile, ${unwritten}) || jsonb_build_object(
  'id', u.id, 'active', u.status in ('active', 'invited', 'locked'),
  'meta', jsonb_build_object('created', ${isoTime(sql`u.created_at`)}, 'lastModified', ${isoTime(sql`u.updated_at`)})))`

const visible = sql`
  iam_user u
  left join iam_scim_user s on s.tenant_id = u.tenant_id and s.id = u.id
  where u.type = 'human' and u.email is not null and s.removed_at is null`

const columns = sql`u.id, u.version, u.status, u.created_at, u.updated_at, ${documentOf} as document`

const indexed: IndexedEquality = (name, value) => {
  if (name === 'id') return sql`u.id::text = ${value}`
  if (name === 'externalId') return sql`(u.external_id is not null and u.external_id = ${value})`
  if (name !== 'userName') return null
  const key = nameKey(value)
  return sql`u.id in (
    select id from iam_scim_user where user_name_key = ${key}
    union all
    select id from iam_user own where email_key = ${key}
      and not exists (select from iam_scim_user written where written.tenant_id = own.tenant_id and written.id = own.id))`
}

const target: FilterTarget = { document: documentOf, indexed }

const conditionOf = (filter: Filter | null): SqlPart => (filter === null ? sql`true` : filterSql(filter, target))

export async function countPeople(tx: Tx, filter: Filter | null): Promise<number> {
  const row = await tx.first(
    sql<{ total: number }>`select count(*)::int as total from ${visible} and ${conditionOf(filter)}`,
  )
  return row?.total ?? 0
}

export interface Span {
  /** Ids after this one. */
  readonly after: string | null
  readonly offset: number
  readonly limit: number
}

export function findPeople(tx: Tx, filter: Filter | null, span: Span): Promise<readonly PersonRow[]> {
  const after = span.after === null ? sql`true` : sql`u.id > ${span.after}`
  return tx.query(sql<PersonRow>`
    select ${columns} from ${visible} and ${conditionOf(filter)} and ${after}
    order by u.id offset ${span.offset} limit ${span.limit}`)
}

/** @throws API-013 */
export async function needPerson(tx: Tx, id: string): Promise<PersonRow> {
  const row = await tx.first(sql<PersonRow>`select ${columns} from ${visible} and u.id = ${id}`)
  if (row === null) throw apiErrors.notFound({ what: users.noun })
  return row
}

export interface GroupName {
  readonly value: string
  readonly display: string
  readonly type: 'direct'
}

export async function groupsOf(tx: Tx, userIds: readonly string[]): Promise<(userId: string) => readonly GroupName[]> {
  const rows = await tx.query(sql<{ user_id: string; id: string; display_name: string }>`
    select m.user_id, g.id, g.display_name
    from iam_group_member m
    join iam_group g on g.tenant_id = m.tenant_id and g.id = m.group_id
    where m.user_id = any(${userIds}::uuid[])
    order by g.id`)
  return (userId) =>
    rows
      .filter((row) => row.user_id === userId)
      .map(({ id, display_name }) => ({ value: id, display: display_name, type: 'direct' }))
}
