/**
 * Groups of a directory and their members. The roles a group gives are in ../rights/group-roles.ts. For large groups
 * only the difference is written. Tested in scim.test.ts and dialects.test.ts.
 */

import { isUuid } from '../../../kernel/base/uuid.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { add, hold, newRow, remove, resource, write } from '../../../kernel/resource/resource.ts'
import { groupsTopic, memberIds, roleNamed, syncGroupRoles } from '../rights/group-roles.ts'
import { nameKey } from '../roles/roles.ts'
import { type Directory, scimPrecondition } from './caller.ts'
import type { Filter } from './filter.ts'
import { type FilterTarget, filterSql } from './filter-sql.ts'
import { type Document, isDocument } from './match.ts'
import type { Span } from './people.ts'
import { scimProblem } from './problems.ts'
import { groups } from './tables.ts'

export interface GroupRow {
  readonly id: string
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  readonly display_name: string
  readonly external_id: string | null
  readonly document: Document
}

const isoTime = (column: SqlPart): SqlPart =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const members = sql`(
  select jsonb_agg(jsonb_build_object('value', m.user_id, 'display', coalesce(u.display_name, u.email), 'type', 'User') order by m.user_id)
  from iam_group_member m
  join iam_user u on u.tenant_id = m.tenant_id and u.id = m.user_id
  where m.tenant_id = g.tenant_id and m.group_id = g.id)`

const documentOf = sql`jsonb_strip_nulls(jsonb_build_object(
  'id', g.id, 'displayName', g.display_name, 'externalId', g.external_id, 'members', ${members},
  'meta', jsonb_build_object('created', ${isoTime(sql`g.created_at`)}, 'lastModified', ${isoTime(sql`g.updated_at`)})))`

const columns = sql`g.id, g.version, g.created_at, g.updated_at, g.display_name, g.external_id, ${documentOf} as document`

const target: FilterTarget = {
  document: documentOf,
  indexed: (name, value) => {
    if (name === 'id') return sql`g.id::text = ${value}`
    return name === 'displayName' ? sql`g.display_name_key = ${nameKey(value)}` : null
  },
}

const conditionOf = (filter: Filter | null): SqlPart => (filter === null ? sql`true` : filterSql(filter, target))

export async function countGroups(tx: Tx, filter: Filter | null): Promise<number> {
  const row = await tx.first(
    sql<{ total: number }>`select count(*)::int as total from iam_group g where ${conditionOf(filter)}`,
  )
  return row?.total ?? 0
}

export function findGroups(tx: Tx, filter: Filter | null, span: Span): Promise<readonly GroupRow[]> {
  const after = span.after === null ? sql`true` : sql`g.id > ${span.after}`
  return tx.query(sql<GroupRow>`
    select ${columns} from iam_group g where ${conditionOf(filter)} and ${after}
    order by g.id offset ${span.offset} limit ${span.limit}`)
}

/** @throws API-013 */
export async function needGroup(tx: Tx, id: string): Promise<GroupRow> {
  const row = await tx.first(sql<GroupRow>`select ${columns} from iam_group g where g.id = ${id}`)
  if (row === null) throw apiErrors.notFound({ what: groups.noun })
  return row
}

const groupResource = resource({
  table: groups,
  kind: 'group',
  unique: { iam_group_name: () => apiErrors.conflict({ what: 'Another group has this name.' }) },
})

interface GroupFields {
  readonly name: string
  readonly externalId: string | null
  readonly memberIds: readonly string[]
}

/** @throws API-001 with scimType invalidValue */
function fieldsOf(document: Document): GroupFields {
  const { displayName, externalId, members: listed } = document
  if (typeof displayName !== 'string') throw scimProblem('invalidValue', 'displayName is required.')
  const ids = (Array.isArray(listed) ? listed : []).flatMap((one) => (isDocument(one) ? [String(one.value)] : []))
  return {
    name: displayName,
    externalId: typeof externalId === 'string' ? externalId : null,
    memberIds: [...new Set(ids)],
  }
}

/** @throws API-001, API-011, IAM-003 */
export async function createGroup(directory: Directory, document: Document): Promise<GroupRow> {
  const { tx, services } = directory
  const fields = fieldsOf(document)
  const key = nameKey(fields.name)
  const names = { display_name: fields.name, display_name_key: key, external_id: fields.externalId }
  const row = { ...newRow(services.kernel, tx), ...names, role_id: await roleNamed(tx, key) }
  const { id } = row
  await add(tx, groupResource, row)
  await setMembers(directory, id, fields.memberIds)
  const made = await needGroup(tx, id)
  await tx.audit('iam.scim.group_create', { target: `group:${id}`, after: logged(made.document) })
  return made
}

export interface GroupChange {
  readonly id: string
  readonly change: (before: Document) => Document
}

/** @throws API-001, API-011, API-012, API-013, IAM-003, IAM-005 */
export async function changeGroup(directory: Directory, { id, change }: GroupChange): Promise<GroupRow> {
  const { tx, services } = directory
  const held = await hold(tx, groupResource, { id, precondition: scimPrecondition(directory) })
  const { row } = held
  const before = await needGroup(tx, id)
  const fields = fieldsOf(change(before.document))
  const key = nameKey(fields.name)
  const roleId = key === row.display_name_key ? row.role_id : await roleNamed(tx, key)
  await write(services.kernel, tx, held, {
    display_name: fields.name,
    display_name_key: key,
    external_id: fields.externalId,
    role_id: roleId,
  })
  await setMembers(directory, id, fields.memberIds)
  const after = await needGroup(tx, id)
  await tx.audit('iam.scim.group_change', {
    target: `group:${id}`,
    before: logged(before.document),
    after: logged(after.document),
  })
  return after
}

/** Makes these the members; all old and new members get the roles their groups give now. */
async function setMembers(directory: Directory, groupId: string, wanted: readonly string[]): Promise<void> {
  const { tx, services, now, grantor, ownerId } = directory
  if (wanted.some((id) => !isUuid(id))) throw unknownMember()
  const before = await memberIds(tx, [groupId])
  const known = new Set(before)
  const added = wanted.filter((id) => !known.has(id))
  const kept = new Set(wanted)
  const gone = before.filter((id) => !kept.has(id))
  const found = await tx.execute(sql`
    insert into iam_group_member (group_id, user_id, added_at)
    select ${groupId}::uuid, u.id, ${now}::timestamptz
    from iam_user u
    left join iam_scim_user s on s.tenant_id = u.tenant_id and s.id = u.id
    where u.id = any(${added}::uuid[]) and u.type = 'human' and u.email is not null and s.removed_at is null`)
  if (found !== added.length) throw unknownMember()
  if (added.length + gone.length > 0) await tx.announce(groupsTopic, groupId)
  await tx.execute(sql`
    delete from iam_group_member where group_id = ${groupId} and user_id = any(${gone}::uuid[])`)
  const userIds = [...new Set([...before, ...wanted])]
  await syncGroupRoles(services, tx, { userIds, by: { grantor, userId: ownerId } })
}

function unknownMember() {
  return scimProblem('invalidValue', 'A member is nobody here; send the ids this server gave.')
}

/** @throws API-012, API-013, IAM-003, IAM-005 */
export async function removeGroup(directory: Directory, id: string): Promise<void> {
  const { tx, services, grantor, ownerId } = directory
  const held = await hold(tx, groupResource, { id, precondition: scimPrecondition(directory) })
  const before = await needGroup(tx, id)
  const userIds = await memberIds(tx, [id])
  await remove(tx, held, { action: 'iam.scim.group_remove', before: logged(before.document) })
  await tx.announce(groupsTopic, id)
  await syncGroupRoles(services, tx, { userIds, by: { grantor, userId: ownerId } })
}

/** As it is in the audit log: members by their ids, since an entry about a group outlives the people in it. */
function logged({ members: listed, ...document }: Document): Document {
  const ids = (Array.isArray(listed) ? listed : []).map((one: unknown) => (isDocument(one) ? one.value : null))
  return { ...document, members: ids }
}
