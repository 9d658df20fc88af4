/**
 * The content of a backup: every table as lines of JSON, read in one snapshot. Promises that what is read belongs
 * together, that rows are read under the roles of the program (so that row-level security says what a tenant's backup may
 * hold), and that it needs no more memory than a page. The same lines load into either kind of database.
 * Tested in the admin
 * module's backups.test.ts.
 */
import { createHash, type Hash } from 'node:crypto'
import type { TenantId } from '../access/actor.ts'
import { platformTenant } from '../access/platform-tenant.ts'
import { script } from '../db/owner.ts'
import type { Driver, Session } from '../db/port.ts'
import type { Schema } from '../db/schema/prepare.ts'
import { rollback, systemScope, tenantScope } from '../db/scope.ts'
import { identifier, type Sql, sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'
import { leftOut, pageRows } from './rows.ts'

export interface Part {
  readonly table: string
  readonly rows: number
  /** Over the lines of the rows. */
  readonly sha256: string
}

export interface AuditHead {
  readonly tenant_id: string
  readonly size: number
  readonly hash: string
}

/** The first line. */
export interface Preface {
  readonly backup: string
  readonly format: 1
  readonly kind: 'full' | 'tenant'
  readonly created_at: string
  /** Ids of the migrations of the database that was read. */
  readonly migrations: readonly string[]
}

/** Summary of all lines in the last one, which is signed. */
export interface Manifest {
  readonly backup: string
  readonly parts: readonly Part[]
  readonly audit_heads: readonly AuditHead[]
}

export interface SnapshotInput {
  readonly driver: Driver
  readonly schema: Schema
  readonly preface: Preface
  /** The tenant; null for the whole installation. */
  readonly tenantId: TenantId | null
  readonly signal: AbortSignal
  /** Told after each table which share is done. */
  readonly done: (fraction: number) => void
}

/** Yields lines; answers what they hold. */
export async function* readSnapshot(input: SnapshotInput): AsyncGenerator<string, Manifest> {
  const session = await input.driver.acquire()
  try {
    await session.run([script('begin transaction isolation level repeatable read read only')])
    const tenants = input.tenantId === null ? await everyTenant(session) : [input.tenantId]
    yield line(input.preface)
    const parts: Part[] = []
    const tables = input.schema.tables.filter(({ scope }) => scope === 'tenant' || input.tenantId === null)
    for (const table of tables) {
      parts.push(yield* readTable(session, table, { ...input, tenants }))
      input.done(parts.length / tables.length)
    }
    return { backup: input.preface.backup, parts, audit_heads: await readHeads(session, tenants) }
  } finally {
    await session.run([rollback]).catch(() => undefined)
    session.release()
  }
}

export const line = (value: unknown): string => `${JSON.stringify(value)}\n`

async function everyTenant(session: Session): Promise<readonly TenantId[]> {
  // The installation has keys of its own as soon as it keeps a setting, and may not be read twice.
  const statement = sql<{ tenant_id: TenantId }>`
    select distinct tenant_id from tenant_data_key where tenant_id <> ${platformTenant} order by tenant_id`
  const [, result] = await session.run([systemScope(), statement])
  return [platformTenant, ...(result?.rows ?? []).map((row) => String(row.tenant_id) as TenantId)]
}

/** The roles under which all rows that are wanted are seen, each once. */
function scopesOf(table: Table, whose: TenantId | null, tenants: readonly TenantId[]): readonly Sql[] {
  const known = table.scope === 'platform' || table.system
  return whose === null && known ? [systemScope()] : tenants.map((tenant) => tenantScope(tenant))
}

interface Reading extends SnapshotInput {
  readonly tenants: readonly TenantId[]
}

async function* readTable(session: Session, table: Table, input: Reading): AsyncGenerator<string, Part> {
  const columns = Object.keys(table.row.properties).filter((name) => !leftOut.has(name))
  yield line({ table: table.name, columns })
  const names = columns.map((name) => identifier(name).text)
  const cursor = script(
    `declare backup_rows no scroll cursor for select ${names.map((name) => `${name}::text as ${name}`).join(', ')} from ${identifier(table.name).text}`,
  )
  const part = { rows: 0, hash: createHash('sha256') }
  for (const scope of scopesOf(table, input.tenantId, input.tenants)) {
    await session.run([scope, cursor])
    yield* readRows(session, { columns, part, signal: input.signal })
    await session.run([script('close backup_rows')])
  }
  return { table: table.name, rows: part.rows, sha256: part.hash.digest('hex') }
}

interface Rows {
  readonly columns: readonly string[]
  readonly part: { rows: number; readonly hash: Hash }
  readonly signal: AbortSignal
}

async function* readRows(session: Session, { columns, part, signal }: Rows): AsyncGenerator<string> {
  for (;;) {
    signal.throwIfAborted()
    const [page] = await session.run([script(`fetch ${pageRows} from backup_rows`)])
    const rows = page?.rows ?? []
    const text = rows.map((row) => line(columns.map((name) => row[name] ?? null))).join('')
    part.rows += rows.length
    part.hash.update(text)
    if (text !== '') yield text
    if (rows.length < pageRows) return
  }
}

async function readHeads(session: Session, tenants: readonly TenantId[]): Promise<readonly AuditHead[]> {
  const heads: AuditHead[] = []
  for (const tenant of tenants) {
    const statement = sql<AuditHead>`select tenant_id, seq as size, hash from audit_seal order by seq desc limit 1`
    const [, result] = await session.run([tenantScope(tenant), statement])
    for (const row of result?.rows ?? [])
      heads.push({ tenant_id: String(row.tenant_id), size: Number(row.size), hash: String(row.hash) })
  }
  return heads
}
