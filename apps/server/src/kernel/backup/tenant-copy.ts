/**
 * The rows of one tenant of a backup as rows of another tenant: every id anew, wherever it is named, and every encrypted
 * value under the keys and the address of its new place. Only tables that say so go along. Promises that a copy shares no
 * id and no key with its source. Tested in the admin module's copy.test.ts.
 */
import type { TenantId } from '../access/actor.ts'
import type { Random } from '../crypto/random.ts'
import type { OwnerRun } from '../db/owner.ts'
import type { Tx } from '../db/port.ts'
import { readCatalog } from '../db/schema/catalog.ts'
import { identifier, type Sql, sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import type { SealedColumn, TenantKeys } from '../keys/port.ts'
import type { RestoredState } from './replace.ts'
import { insertRows, readTypes } from './rows.ts'

export interface TenantCopy {
  readonly source: TenantId
  readonly into: TenantId
  readonly tables: readonly Table[]
  readonly sealed: readonly SealedColumn[]
  readonly random: Pick<Random, 'uuid'>
  readonly tenantKeys: Pick<TenantKeys, 'encrypt'>
}

interface CopiedTable {
  readonly table: Table
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Writes the rows into the transaction's tenant, which has its keys; answers how many. */
export async function copyTenant(state: RestoredState, tx: Tx, copy: TenantCopy): Promise<number> {
  const tables = copy.tables.filter(({ inTenantCopies }) => inTenantCopies)
  const read = await Promise.all(tables.map((table) => readRows(state, copy.source, table)))
  const ids = newIds(copy, read)
  const run: OwnerRun = (statement) => tx.query<Record<string, unknown>>(statement as Sql)
  const types = await readTypes(run)
  let count = 0
  for (const { table, columns, rows } of parentsFirst(read, await parents(run))) {
    const made = []
    for (const row of rows) made.push(await renewed({ state, copy, ids, table, columns }, row))
    await insertRows(run, { table: table.name, columns, types, rows: made })
    count += made.length
  }
  return count
}

async function readRows(state: RestoredState, source: TenantId, table: Table): Promise<CopiedTable> {
  const columns = Object.keys(table.row.properties)
  const texts = columns.map((name) => `${identifier(name).text}::text as ${name}`).join(', ')
  const rows = await state.db.read<Record<string, string | null>>(source, {
    text: `select ${texts} from ${identifier(table.name).text}`,
    values: [],
    name: '',
  })
  return { table, columns, rows: rows.map((row) => columns.map((name) => row[name] ?? null)) }
}

/** The time in an id stays, so that what is sorted by id stays sorted. */
function newIds({ source, into, random }: TenantCopy, tables: readonly CopiedTable[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>([[source, into]])
  for (const { columns, rows } of tables) {
    const place = columns.indexOf('id')
    for (const row of rows) {
      const id = row[place] ?? null
      if (id !== null) ids.set(id, `${id.slice(0, 20)}${random.uuid().slice(20)}`)
    }
  }
  return ids
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

interface Renewal {
  readonly state: RestoredState
  readonly copy: TenantCopy
  readonly ids: ReadonlyMap<string, string>
  readonly table: Table
  readonly columns: readonly string[]
}

async function renewed(renewal: Renewal, row: readonly (string | null)[]): Promise<readonly (string | null)[]> {
  const { copy, ids, table, columns } = renewal
  const made = row.map((text) => text?.replaceAll(uuids, (id) => ids.get(id) ?? id) ?? null)
  for (const sealed of copy.sealed.filter((column) => column.table === table.name)) {
    const place = columns.indexOf(sealed.column)
    const name = columns.indexOf(sealed.rowId ?? 'id')
    const [from, to] = [row[name] ?? '', made[name] ?? '']
    made[place] = await resealed(renewal, sealed, { value: row[place] ?? null, from, to })
  }
  return made
}

interface Move {
  /** As PostgreSQL writes bytes. */
  readonly value: string | null
  readonly from: string
  readonly to: string
}

async function resealed({ state, copy }: Renewal, sealed: SealedColumn, { value, from, to }: Move) {
  if (value === null) return null
  const address = sealed.address ?? { table: sealed.table, column: sealed.column }
  const bytes = Buffer.from(value.slice(2), 'hex')
  const plain = await state.tenantKeys.decrypt(copy.source, { ...address, rowId: from }, bytes)
  const anew = await copy.tenantKeys.encrypt(copy.into, { ...address, rowId: to }, plain)
  return `\\x${Buffer.from(anew).toString('hex')}`
}

async function parents(run: OwnerRun): Promise<ReadonlyMap<string, readonly string[]>> {
  const catalog = await readCatalog(run)
  return new Map(catalog.map(({ name, references }) => [name, references.map(({ to }) => to)]))
}

/** Rows that point to rows of their own table are written by one statement, which is checked at its end. */
function parentsFirst(
  tables: readonly CopiedTable[],
  parentsOf: ReadonlyMap<string, readonly string[]>,
): readonly CopiedTable[] {
  const ordered: CopiedTable[] = []
  let left = [...tables]
  while (left.length > 0) {
    const waiting = new Set(left.map(({ table }) => table.name))
    const ready = left.filter(({ table }) =>
      (parentsOf.get(table.name) ?? []).every((to) => to === table.name || !waiting.has(to)),
    )
    if (ready.length === 0) throw new Error(`foreign keys of ${[...waiting].join(', ')} form a circle`)
    ordered.push(...ready)
    left = left.filter((one) => !ready.includes(one))
  }
  return ordered
}

/** How far the tenant's log went in the backup. */
export async function logHead(state: RestoredState, source: TenantId) {
  const [head] = await state.db.read(
    source,
    sql<{ size: number; hash: string }>`select seq as size, hash from audit_seal order by seq desc limit 1`,
  )
  return head ?? null
}
