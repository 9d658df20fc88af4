/**
 * The registry of data about people: contents, data subjects, legal basis and retention of every table, and the rows of
 * a person for access, export and erasure. It reads the declarations of the tables, so a table that is not in it cannot
 * exist. It moves and removes nothing itself. Tested in data-registry.test.ts.
 */
import type { Tx } from '../db/port.ts'
import { identifier, join, type SqlPart, sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import { apiErrors } from '../errors/errors.ts'
import { type RegisteredData, registeredData } from './declarations.ts'
import type { Holds } from './holds.ts'
import { concerns, type DataSubject, type Relation, valuesOf } from './subject.ts'

export interface DataRegistry {
  /** Every table, in the order of modules; those of the installation, which have no tenant, included. */
  readonly declarations: readonly RegisteredData[]
  readonly holds: Holds
  /**
   * A condition on rows of a tenant's table that are the person's, or that name the person otherwise.
   * @returns null where the table can have none
   * @throws TypeError for a table that is not declared or has no tenant
   */
  locate(table: string, subject: DataSubject, relation: Relation): SqlPart | null
  /** Rows by table in the transaction's tenant; tables without any are left out. */
  counts(tx: Tx, subject: DataSubject): Promise<readonly SubjectCount[]>
  /**
   * A page of the rows of one table that are the person's or name the person, in the order of the primary key. Encrypted
   * columns come as they are stored.
   */
  rowsOf(tx: Tx, subject: DataSubject, page: SubjectPage): Promise<SubjectRows>
  /** Tables whose rows go with a row of a table, by that table: foreign keys that cascade. */
  dependents(tx: Tx): Promise<ReadonlyMap<string, readonly string[]>>
}

export interface SubjectCount {
  readonly table: string
  readonly category: string
  /** Rows of the person. */
  readonly owned: number
  /** Other rows that name the person by user id. */
  readonly named: number
}

export interface SubjectPage {
  readonly table: string
  readonly relation: Relation
  /** 1 to 1,000. */
  readonly limit: number
  /** The `next` of the page before. */
  readonly after?: readonly string[] | null
}

export interface SubjectRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Primary key of the last row as text; null where nothing follows. */
  readonly next: readonly string[] | null
}

/** @throws TypeError for a declaration that contradicts itself */
export function createDataRegistry(tables: readonly Table[], holds: Holds): DataRegistry {
  const declarations = tables.map(registeredData)
  const ofTenants = new Map(tables.filter(({ scope }) => scope === 'tenant').map((table) => [table.name, table]))
  const tableOf = (name: string): Table => {
    const table = ofTenants.get(name)
    if (table === undefined) throw new TypeError(`${name} is no table of tenants`)
    return table
  }
  const locate: DataRegistry['locate'] = (name, subject, relation) =>
    concerns(tableOf(name), relation, { values: valuesOf(subject) })
  return {
    declarations,
    holds,
    locate,
    counts: async (tx, subject) => {
      const counted = [...ofTenants.values()].flatMap((table) => countOf(table, subject))
      const rows = counted.length === 0 ? [] : await tx.query(unionOf(counted))
      return rows.filter(({ owned, named }) => owned + named > 0)
    },
    rowsOf: (tx, subject, page) => {
      const condition = locate(page.table, subject, page.relation)
      if (condition === null) return Promise.resolve({ rows: [], next: null })
      return pageOf(tx, tableOf(page.table), { ...page, condition })
    },
    dependents,
  }
}

function countOf(table: Table, subject: DataSubject): readonly SqlPart<SubjectCount>[] {
  const values = valuesOf(subject)
  const owned = concerns(table, 'owned', { values })
  const named = concerns(table, 'named', { values })
  if (owned === null && named === null) return []
  const isOwned = owned ?? sql`false`
  const isNamed = named ?? sql`false`
  return [
    sql<SubjectCount>`
      select ${table.name}::text as "table", ${table.data.category}::text as category,
        count(*) filter (where ${isOwned})::int as owned,
        count(*) filter (where (${isNamed}) and (${isOwned}) is not true)::int as named
      from ${table.from} where ${isOwned} or ${isNamed}`,
  ]
}

const unionOf = (parts: readonly SqlPart<SubjectCount>[]): SqlPart<SubjectCount> =>
  parts.reduce((all, part) => sql<SubjectCount>`${all} union all ${part}`)

interface ConditionedPage extends SubjectPage {
  readonly condition: SqlPart
}

const mostRows = 1_000

async function pageOf(
  tx: Tx,
  { key, columns, from }: Table,
  { condition, limit, after = null }: ConditionedPage,
): Promise<SubjectRows> {
  if (!Number.isInteger(limit) || limit < 1 || limit > mostRows)
    throw apiErrors.validation({ what: `A page has 1 to ${mostRows} rows.` })
  // As text, so that one order and one form of cursor do for keys of all types.
  const keys = key.map((name) => sql`${identifier(name)}::text`)
  const place = keys.length === 0 ? sql`''` : join(keys, ', ')
  const since =
    after === null || keys.length === 0 ? sql`true` : sql`row(${place}) > row(${join(textsOf(after), ', ')})`
  const rows = await tx.query(sql<Record<string, unknown> & { subject_key: readonly string[] }>`
    select ${columns}, array[${place}]::text[] as subject_key from ${from}
    where (${condition}) and ${since} order by ${place} limit ${limit + 1}`)
  const shown = rows.slice(0, limit)
  return {
    rows: shown.map(({ subject_key: _key, ...row }) => row),
    next: rows.length > limit ? (shown.at(-1)?.subject_key ?? null) : null,
  }
}

const textsOf = (values: readonly string[]): readonly SqlPart[] => values.map((value) => sql`${value}::text`)

async function dependents(tx: Tx): Promise<ReadonlyMap<string, readonly string[]>> {
  const keys = await tx.query(sql<{ parent: string; child: string }>`
    select distinct parent.relname::text as parent, child.relname::text as child
    from pg_catalog.pg_constraint c
    join pg_catalog.pg_class parent on parent.oid = c.confrelid
    join pg_catalog.pg_class child on child.oid = c.conrelid
    where c.contype = 'f' and c.confdeltype = 'c' and parent.relnamespace = 'public'::regnamespace
    order by 1, 2`)
  const found = new Map<string, string[]>()
  for (const { parent, child } of keys) found.set(parent, [...(found.get(parent) ?? []), child])
  return found
}
