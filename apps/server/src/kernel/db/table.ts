/**
 * A table is declared once: its row schema, its sort orders and its kind of data. Typed helpers for the
 * ordinary statements derive from it, the catalog check compares it with the database, and the border test uses it
 * to find the owner of each table in a statement. Tested in table.test.ts and by the contract suite.
 */
import type { Static, TObject } from 'typebox'
import { apiErrors } from '../errors/errors.ts'
import type { DataDeclaration } from './data-declaration.ts'
import { keysetPage } from './keyset.ts'
import type { Tx } from './port.ts'
import { identifier, join, json, type Sql, type SqlPart, sql } from './sql.ts'

export interface TableInput<S extends TObject> {
  readonly name: string
  /** One entry per column, `tenant_id` included. */
  readonly row: S
  /** Columns a list may be sorted by; each has an index `(tenant_id, column, id)`. `id` needs none. */
  readonly sorts?: readonly string[]
  /** `tenant`: row-level security by tenant. `platform`: one for the installation, with no tenant column. */
  readonly scope?: 'tenant' | 'platform'
  /** Kernel jobs may see all tenants' rows. */
  readonly system?: boolean
  /** Columns beside `tenant_id` that a job's `due` condition may read across tenants, to find those with work. */
  readonly dueBy?: readonly (keyof S['properties'] & string)[]
  /**
   * Columns that name a blob, which is kept while a row does. Each has a foreign key `(tenant_id, column)` to `blob` and an
   * index that begins with these two.
   */
  readonly blobs?: readonly (keyof S['properties'] & string)[]
  /** The insert-only role may add rows for any tenant (group commit). */
  readonly append?: boolean
  /** The insert-only role may read all tenants' rows, which decide whether rows of other tables may still be added. */
  readonly appendAsks?: boolean
  /** Rows are never changed or removed by the application role. */
  readonly appendOnly?: boolean
  /** Rows stay when a backup takes the place of everything else: they say what must not be turned back. */
  readonly outlivesRestore?: boolean
  /** Rows go along when a tenant is restored beside itself: people, rights and configuration, no history. */
  readonly inTenantCopies?: boolean
  /** The turn in which rows move on to another table; a permanent removal holds it meanwhile. */
  readonly movesIn?: string
  /** Columns after `tenant_id` in the primary key; default `['id']`. */
  readonly key?: readonly string[]
  /** Name of one row in a 404. */
  readonly noun?: string
  readonly data: DataDeclaration
}

export interface PageRequest {
  readonly limit: number
  readonly sort: string
  readonly descending: boolean
  readonly after: { readonly value: unknown; readonly id: string } | null
  /** Counted on the first page of a walk and carried in the cursor. */
  readonly total: number | null
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly hasMore: boolean
  /** Position of the last item; null on an empty page. */
  readonly last: { readonly value: unknown; readonly id: string } | null
}

export interface Table<S extends TObject = TObject> {
  readonly name: string
  readonly row: S
  readonly sorts: readonly string[]
  readonly scope: 'tenant' | 'platform'
  readonly system: boolean
  readonly dueBy: readonly string[]
  readonly blobs: readonly string[]
  readonly append: boolean
  readonly appendAsks: boolean
  readonly appendOnly: boolean
  readonly outlivesRestore: boolean
  readonly inTenantCopies: boolean
  readonly movesIn: string | null
  readonly key: readonly string[]
  readonly noun: string
  readonly data: DataDeclaration
  /** All columns, for `select ${table.columns}`. */
  readonly columns: SqlPart
  readonly from: SqlPart
  insert(tx: Tx, row: Static<S>): Promise<void>
  get(tx: Tx, id: string): Promise<Static<S> | null>
  /** As `get`, but a missing row is `API-013`. */
  need(tx: Tx, id: string): Promise<Static<S>>
  /** As `need`, and the row stays locked until the transaction ends. */
  needForUpdate(tx: Tx, id: string): Promise<Static<S>>
  patch(tx: Tx, id: string, changes: Partial<Static<S>>): Promise<void>
  /** As `patch`, and the row's `version` is one higher after it. Gives the new one. */
  patchVersion(tx: Tx, id: string, changes: Partial<Static<S>>): Promise<number>
  remove(tx: Tx, id: string): Promise<boolean>
  /**
   * One keyset page; `where` is a condition without the tenant, which row-level security adds.
   * @param total an expression that gives how many rows meet it, where that is known without counting
   */
  page(tx: Tx, request: PageRequest, where?: SqlPart, total?: SqlPart): Promise<Page<Static<S>>>
}

export function table<S extends TObject>(input: TableInput<S>): Table<S> {
  const names = Object.keys(input.row.properties)
  const from = identifier(input.name)
  const columns = join(names.map(identifier), ', ')
  const noun = input.noun ?? input.name.replaceAll('_', ' ')
  const encode = encoder(input.row)
  type Row = Static<S>
  const byId = (id: string): SqlPart<Row> => sql<Row>`select ${columns} from ${from} where id = ${id}`
  const need = async <R>(tx: Tx, statement: Sql<R>): Promise<R> => {
    const row = await tx.first(statement)
    if (row === null) throw apiErrors.notFound({ what: noun })
    return row
  }
  return {
    name: input.name,
    row: input.row,
    sorts: ['id', ...(input.sorts ?? [])],
    scope: input.scope ?? 'tenant',
    system: input.system ?? false,
    dueBy: input.dueBy ?? [],
    blobs: input.blobs ?? [],
    append: input.append ?? false,
    appendAsks: input.appendAsks ?? false,
    appendOnly: input.appendOnly ?? false,
    outlivesRestore: input.outlivesRestore ?? false,
    inTenantCopies: input.inTenantCopies ?? false,
    movesIn: input.movesIn ?? null,
    key: input.key ?? ['id'],
    noun,
    data: input.data,
    columns,
    from,
    insert: async (tx, row) => {
      await tx.execute(insertStatement(from, encode(row)))
    },
    get: (tx, id) => tx.first(byId(id)),
    need: (tx, id) => need(tx, byId(id)),
    needForUpdate: (tx, id) => need(tx, sql<Row>`${byId(id)} for update`),
    patch: async (tx, id, changes) => {
      const set = assignments(encode(changes))
      if (set.length > 0) await tx.execute(sql`update ${from} set ${join(set, ', ')} where id = ${id}`)
    },
    patchVersion: async (tx, id, changes) => {
      const set = [sql`version = version + 1`, ...assignments(encode(changes))]
      const patched = sql<{ version: number }>`update ${from} set ${join(set, ', ')} where id = ${id} returning version`
      return (await need(tx, patched)).version
    },
    remove: async (tx, id) => (await tx.execute(sql`delete from ${from} where id = ${id}`)) > 0,
    page: (tx, request, where = sql`true`, total) => keysetPage<Row>(tx, { columns, from, where, request, total }),
  }
}

function assignments(columns: Readonly<Record<string, unknown>>): readonly SqlPart[] {
  return Object.entries(columns).map(([name, value]) => sql`${identifier(name)} = ${value}`)
}

/** `insert into … values …`; keys are column names of a declaration. */
export function insertStatement(from: SqlPart, row: Readonly<Record<string, unknown>>): SqlPart {
  const entries = Object.entries(row)
  const names = join(
    entries.map(([name]) => identifier(name)),
    ', ',
  )
  const values = join(
    entries.map(([, value]) => sql`${value}`),
    ', ',
  )
  return sql`insert into ${from} (${names}) values (${values})`
}

/** Columns whose schema is an object, or an array of objects, are `jsonb` and travel as JSON text. */
function encoder(schema: TObject): (row: object) => Record<string, unknown> {
  const jsonColumns = new Set(
    Object.entries(schema.properties)
      .filter(([, column]) => isJson(column))
      .map(([name]) => name),
  )
  return (row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, jsonColumns.has(name) && value !== null ? json(value) : value]),
    )
}

function isJson(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if ('jsonb' in schema && schema.jsonb === true) return true
  if ('type' in schema && schema.type === 'object') return true
  if ('type' in schema && schema.type === 'array' && 'items' in schema) return isJson(schema.items)
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) return schema.anyOf.some(isJson)
  return false
}
