/**
 * Puts the content of a backup into an empty database. Promises that it is the content that was signed, row by row, and
 * that the database is as this version declares it afterwards: a backup of an older version is loaded into its own schema
 * and migrated then. It overwrites nothing: a database with tenants is refused. Tested in the admin
 * module's backups.test.ts.
 */

import { createHash, type Hash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { DatabaseError } from '../db/errors.ts'
import { asOwner, type OwnerRun, script } from '../db/owner.ts'
import type { Driver } from '../db/port.ts'
import { migrate } from '../db/schema/migrate.ts'
import { prepareDatabase, type Schema } from '../db/schema/prepare.ts'
import { ensureRoles } from '../db/schema/roles.ts'
import { identifier, json, sql } from '../db/sql.ts'
import { BackupRefused } from './refused.ts'
import { insertRows, pageRows, readTypes, type Types } from './rows.ts'
import type { Manifest, Part, Preface } from './snapshot.ts'
import { unguarded } from './unguarded.ts'

export interface Loaded {
  readonly preface: Preface
  readonly manifest: Manifest
  readonly kid: string
  readonly signature: string
}

export interface LoadInput {
  readonly driver: Driver
  readonly schema: Schema
  readonly clock: Pick<Clock, 'iso' | 'after'>
  readonly lines: AsyncIterable<string>
  /** Looks at what was loaded and at the public keys in it before it is kept. @throws BackupRefused */
  readonly accept?: (loaded: Loaded, keys: readonly PublicKey[]) => void
}

/** A key that signs files, as the loaded database has it. */
export interface PublicKey {
  readonly kid: string
  readonly x: string
}

/** @throws BackupRefused */
export async function loadBackup({ driver, schema, clock, lines, accept }: LoadInput): Promise<Loaded> {
  const reader = lines[Symbol.asyncIterator]()
  const preface = asPreface(await next(reader))
  const known = new Set(schema.migrations.map(({ id }) => id))
  const unknown = preface.migrations.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new BackupRefused('version', `it is of a newer version (${unknown.join(', ')})`)
  const then = new Set(preface.migrations)
  await ensureRoles(driver)
  await migrate(
    driver,
    clock,
    schema.migrations.filter(({ id }) => then.has(id)),
  )
  const loaded = await asOwner(driver, async (run) => {
    // A tenant's backup has no rows of the tenants around it.
    const unchecked = new Set(preface.kind === 'tenant' ? ['iam_tenant'] : [])
    const load = async () => {
      const types = await emptied(run)
      return { preface, ...(await loadTables(run, reader, types)) }
    }
    const all = await unguarded(run, load, unchecked)
    accept?.(all, await exportKeys(run))
    return all
  }).catch(refusal)
  await prepareDatabase(driver, clock, schema)
  return loaded
}

async function exportKeys(run: OwnerRun): Promise<readonly PublicKey[]> {
  const rows = await run(sql`select kid, public_x from signing_key where purpose = 'export'`)
  return rows.map(({ kid, public_x: x }) => ({ kid: String(kid), x: String(x) }))
}

function refusal(error: unknown): never {
  if (error instanceof DatabaseError) throw new BackupRefused('rows', `the database refuses one (${error.code})`, error)
  throw error
}

type Reader = AsyncIterator<string>

async function next(reader: Reader): Promise<unknown> {
  const { value, done } = await reader.next()
  if (done === true) throw new BackupRefused('content', 'it ends too early')
  return JSON.parse(value)
}

function asPreface(value: unknown): Preface {
  const preface = value as Preface
  if (preface?.format !== 1 || !Array.isArray(preface.migrations))
    throw new BackupRefused('content', 'it does not begin as a backup does')
  return preface
}

/** Rows of the migrations themselves are in the backup as well. */
async function emptied(run: OwnerRun): Promise<Types> {
  const [row] = await run(sql`select count(*)::int as count from tenant_data_key`)
  if (Number(row?.count) > 0) throw new BackupRefused('target', 'the database is not empty')
  const types = await readTypes(run)
  await run(script(`truncate ${[...types.keys()].map((name) => identifier(name).text).join(', ')}`))
  return types
}

interface Loading {
  readonly table: string
  readonly columns: readonly string[]
  readonly hash: Hash
  rows: number
  batch: unknown[]
}

async function loadTables(run: OwnerRun, reader: Reader, types: Types): Promise<Omit<Loaded, 'preface'>> {
  const parts: Part[] = []
  let current: Loading | null = null
  const finish = async (): Promise<void> => {
    if (current === null) return
    await store(run, current, types)
    parts.push({ table: current.table, rows: current.rows, sha256: current.hash.digest('hex') })
  }
  for (;;) {
    const { value: text, done } = await reader.next()
    if (done === true) throw new BackupRefused('content', 'it ends too early')
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) {
      if (current === null) throw new BackupRefused('content', 'a row stands before its table')
      current.hash.update(`${text}\n`)
      current.rows += 1
      current.batch.push(value)
      if (current.batch.length >= pageRows) await store(run, current, types)
    } else if (isRecord(value) && 'table' in value) {
      await finish()
      current = begin(value, types)
    } else if (isRecord(value) && 'manifest' in value) {
      await finish()
      const { manifest, kid, signature } = value as unknown as Omit<Loaded, 'preface'>
      if (json(manifest.parts) !== json(parts)) throw new BackupRefused('manifest', 'the tables are not those it names')
      return { manifest, kid, signature }
    }
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function begin(value: Record<string, unknown>, types: Types): Loading {
  const { table, columns } = value as { table: string; columns: readonly string[] }
  const known = types.get(table)
  const strange = columns.filter((name) => known?.has(name) !== true)
  if (strange.length > 0) throw new BackupRefused('content', `${table} has no ${strange.join(', ')}`)
  return { table, columns, hash: createHash('sha256'), rows: 0, batch: [] }
}

async function store(run: OwnerRun, loading: Loading, types: Types): Promise<void> {
  const { table, columns, batch } = loading
  loading.batch = []
  await insertRows(run, { table, columns, types, rows: batch })
}
