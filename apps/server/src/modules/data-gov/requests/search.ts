/**
 * Looks for a person by the text of identifiers in everything that is stored: whole rows of every table, values that are
 * encrypted, and files. It shares nothing with the locators of the registry, by which data is erased, so that it finds what
 * they miss. Tested in erasure.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { identifier, join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SealedColumn } from '../../../kernel/keys/port.ts'
import { contentText } from '../services/cells.ts'
import { holdsNeedle, needlesOf } from './needles.ts'

/** Milliseconds a statement may run. */
const longest = 60_000
const pageRows = 200
const chunkOverlap = 512

export interface Mention {
  readonly table: Table
  /** Primary keys of the rows, without the tenant, as text. */
  readonly keys: readonly (readonly string[])[]
}

export interface Search {
  readonly mentions: readonly Mention[]
  /** Files that hold an identifier. */
  readonly blobIds: readonly string[]
  readonly counts: {
    readonly tables: number
    readonly rows: number
    readonly sealed: number
    readonly blobs: number
    readonly bytes: number
  }
}

export interface Wanted {
  readonly tenantId: TenantId
  readonly values: readonly string[]
  /** Of the request itself, which names the person until it ends. */
  readonly runId: string
  readonly withFiles: boolean
}

export async function searchEverywhere(kernel: Kernel, wanted: Wanted): Promise<Search> {
  const needles = needlesOf(wanted.values)
  const tables = kernel.tables.filter(({ scope }) => scope === 'tenant')
  if (needles.length === 0)
    return { mentions: [], blobIds: [], counts: { tables: 0, rows: 0, sealed: 0, blobs: 0, bytes: 0 } }
  const found = new Map<string, Map<string, readonly string[]>>()
  let rows = 0
  for (const table of tables) {
    const result = await searchRows(kernel, wanted, { table, needles })
    rows += result.rows
    add(found, table, result.keys)
  }
  let sealedValues = 0
  for (const sealed of kernel.sealed) {
    const table = tables.find(({ name }) => name === sealed.table)
    if (table === undefined) continue
    const result = await searchSealed(kernel, wanted, { table, sealed, needles })
    sealedValues += result.values
    add(found, table, result.keys)
  }
  const files = wanted.withFiles ? await searchBlobs(kernel, wanted, needles) : { ids: [], blobs: 0, bytes: 0 }
  return {
    mentions: tables.flatMap((table) => {
      const keys = [...(found.get(table.name)?.values() ?? [])]
      return keys.length === 0 ? [] : [{ table, keys }]
    }),
    blobIds: files.ids,
    counts: { tables: tables.length, rows, sealed: sealedValues, blobs: files.blobs, bytes: files.bytes },
  }
}

type Found = Map<string, Map<string, readonly string[]>>

function add(found: Found, { name }: Table, keys: readonly (readonly string[])[]): void {
  const known = found.get(name) ?? new Map<string, readonly string[]>()
  for (const key of keys) known.set(key.join('\n'), key)
  found.set(name, known)
}

export const keysOf = ({ key }: Table): SqlPart =>
  key.length === 0
    ? sql`array[]::text[]`
    : sql`array[${join(
        key.map((name) => sql`${identifier(name)}::text`),
        ', ',
      )}]::text[]`

const notThisRun = ({ name }: Table, runId: string): SqlPart =>
  name === 'data_gov_run' ? sql`id <> ${runId}` : sql`true`

interface Rows {
  readonly table: Table
  readonly needles: readonly string[]
}

async function searchRows({ db }: Kernel, { tenantId, runId }: Wanted, { table, needles }: Rows) {
  return db.tenant({ tenantId, readOnly: true }, async (tx) => {
    await slowly(tx)
    const [counted] = await tx.query(sql<{ n: number }>`select count(*)::int as n from ${table.from}`)
    const hits = await tx.query(sql<{ keys: readonly string[] }>`
      select ${keysOf(table)} as keys from ${table.from} as searched
      where ${notThisRun(table, runId)} and exists (
        select from unnest(${[...needles]}::text[]) needle where position(needle in lower(searched::text)) > 0)`)
    return { rows: counted?.n ?? 0, keys: hits.map(({ keys }) => keys) }
  })
}

export const slowly = (tx: Tx) => tx.execute(sql`select set_config('statement_timeout', ${String(longest)}, true)`)

interface SealedRows extends Rows {
  readonly sealed: SealedColumn
}

export interface SealedRow {
  readonly keys: readonly string[]
  readonly place: string
  readonly value: Uint8Array
}

async function searchSealed(kernel: Kernel, { tenantId, runId }: Wanted, { table, sealed, needles }: SealedRows) {
  const keys: (readonly string[])[] = []
  const [column, rowId] = [identifier(sealed.column), identifier(sealed.rowId ?? 'id')]
  let values = 0
  for (let after = ''; ; ) {
    const page = await kernel.db.read(
      tenantId,
      sql<SealedRow>`
        select ${keysOf(table)} as keys, ${rowId}::text as place, ${column} as value from ${table.from}
        where ${column} is not null and ${rowId}::text > ${after} and ${notThisRun(table, runId)}
        order by ${rowId}::text limit ${pageRows}`,
    )
    for (const row of page) {
      const text = await opened(kernel, tenantId, { sealed, row })
      if (holdsNeedle(text, needles)) keys.push(row.keys)
    }
    values += page.length
    after = page.at(-1)?.place ?? ''
    if (page.length < pageRows) return { keys, values }
  }
}

export interface OneSealed {
  readonly sealed: SealedColumn
  readonly row: SealedRow
}

/** Empty where the key is destroyed: nobody can read it any more. */
export async function opened(kernel: Kernel, tenantId: TenantId, { sealed, row }: OneSealed): Promise<string> {
  const { table, column } = sealed.address ?? sealed
  try {
    const bytes = await kernel.tenantKeys.decrypt(tenantId, { table, column, rowId: row.place }, row.value)
    return await contentText(kernel, bytes)
  } catch {
    return ''
  }
}

async function searchBlobs(kernel: Kernel, { tenantId }: Wanted, needles: readonly string[]) {
  const table = kernel.tables.find(({ name }) => name === 'blob')
  const rows =
    table === undefined
      ? []
      : await kernel.db.read(tenantId, sql<{ id: string }>`select id from ${table.from} order by id`)
  const ids: string[] = []
  let bytes = 0
  for (const { id } of rows) {
    const blob = await kernel.db
      .tenant({ tenantId, readOnly: true }, (tx) => kernel.blobs.open(tx, id))
      .catch(() => null)
    if (blob === null) continue
    bytes += blob.bytes
    if (await streamHolds(blob.read(), needles)) ids.push(id)
  }
  return { ids, blobs: rows.length, bytes }
}

async function streamHolds(chunks: AsyncIterable<Uint8Array>, needles: readonly string[]): Promise<boolean> {
  let tail = ''
  for await (const chunk of chunks) {
    const text = tail + Buffer.from(chunk).toString('utf8')
    if (holdsNeedle(text, needles)) return true
    tail = text.slice(-chunkOverlap)
  }
  return false
}
