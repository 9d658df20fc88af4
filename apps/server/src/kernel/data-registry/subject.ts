/**
 * A person, as rows name one, and the conditions that find the rows. A person has several user ids after a merge of
 * accounts, and aliases such as e-mail addresses and ids of a directory. Tested in data-registry.test.ts.
 */
import { identifier, join, type SqlPart, sql } from '../db/sql.ts'
import { type DeclaredTable, formOf } from './declarations.ts'

export interface DataSubject {
  readonly userIds: readonly string[]
  /** Of any kind; case does not matter. */
  readonly aliases?: readonly string[]
}

/** `owned`: rows of the person. `named`: rows of others, and of the tenant, that name the person by user id. */
export type Relation = 'owned' | 'named'

/** The values a row is compared with: parameters, or columns of a hold. */
export interface SubjectValues {
  /** Of `uuid[]`. */
  readonly userIds: SqlPart
  /** Of `text[]`, in lower case. */
  readonly aliases: SqlPart
}

export function valuesOf({ userIds, aliases = [] }: DataSubject): SubjectValues {
  return {
    userIds: sql`${[...userIds]}::uuid[]`,
    aliases: sql`${aliases.map((alias) => alias.toLowerCase())}::text[]`,
  }
}

/**
 * A condition on rows of a table.
 * @param as the table's name or alias in the statement
 * @returns null where no row can meet it
 */
export function concerns(
  table: DeclaredTable,
  relation: Relation,
  { values, as = table.name }: { readonly values: SubjectValues; readonly as?: string },
): SqlPart | null {
  const [owner, ...others] = table.data.subject
  const ids = relation === 'named' ? others : owner === undefined ? [] : [owner]
  const aliases = relation === 'named' ? [] : (table.data.aliases ?? [])
  const parts = [
    ...ids.map((column) => holdsUser(table, column, { values, as })),
    ...aliases.map(({ column }) => sql`lower(${identifier(as)}.${identifier(column)}) = any(${values.aliases})`),
  ]
  return parts.length === 0 ? null : sql`(${join(parts, ' or ')})`
}

function holdsUser(
  table: DeclaredTable,
  column: string,
  { values, as }: { readonly values: SubjectValues; readonly as: string },
): SqlPart {
  const place = sql`${identifier(as)}.${identifier(column)}`
  const form = formOf(table, column)
  if (form === 'uuids') return sql`${place} && ${values.userIds}`
  return form === 'uuid' ? sql`${place} = any(${values.userIds})` : sql`${place} = any((${values.userIds})::text[])`
}
