/**
 * Columns of sources that are read by a job: tables of a PostgreSQL database, an object of a bucket, tables of the platform
 * itself with their encrypted content. Samples are in memory alone. Tested in scans.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { isRecord } from '../../../kernel/base/is-record.ts'
import { identifier, sql } from '../../../kernel/db/sql.ts'
import { EgressError } from '../../../kernel/egress/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { SecretUnreadable } from '../../../kernel/named-secrets/unreadable.ts'
import { type PostgresReader, readPostgres } from '../../../kernel/postgres/reader.ts'
import { createS3Objects } from '../../../kernel/s3/objects.ts'
import { s3PlaceOf } from '../../../kernel/s3/place.ts'
import type { NewScan, ScanRow } from '../declared/scan-schema.ts'
import { errors } from '../errors/errors.ts'
import { cellText } from '../services/cells.ts'
import { readFile } from './read-file.ts'
import type { ScannedColumn } from './scan-task.ts'

/** A dataset with a sample of its columns. */
export interface SampledDataset {
  readonly namespace: string
  readonly name: string
  readonly columns: readonly ScannedColumn[]
  /** Rows there are, as far as it is known. */
  readonly population: number
}

type Source = NewScan['source']
export type Connection = Pick<Source, 'postgres' | 's3' | 'table'>

const mostBytes = 20 * 1_048_576
const mostColumns = 200

export interface Reading {
  readonly tenantId: TenantId
  readonly connection: Connection
  readonly sampling: ScanRow['sampling']
}

/** @throws DGOV-001, DGOV-002 */
export async function readSource(kernel: Kernel, reading: Reading): Promise<readonly SampledDataset[]> {
  const { postgres, s3, table } = reading.connection
  try {
    if (postgres !== undefined) return await postgresTables(kernel, reading, postgres)
    if (s3 !== undefined) return [await bucketObject(kernel, reading, s3)]
    if (table !== undefined) return [await ownTable(kernel, reading, table)]
    return []
  } catch (error) {
    throw errors.sourceUnreadable({ what: reasonOf(error) }).causedBy(error)
  }
}

/** Never an address that a name resolved to, and never a piece of a secret. */
function reasonOf(error: unknown): string {
  if (error instanceof EgressError) return `The source cannot be reached: ${error.brief}.`
  if (error instanceof SecretUnreadable) return error.message
  if (isRecord(error) && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code))
    return `The database refuses: SQLSTATE ${error.code}.`
  return error instanceof Error && /^(the bucket|must be|There is no)/.test(error.message)
    ? error.message
    : 'The source cannot be read. Check its address, its name and the rights of the account.'
}

type Postgres = NonNullable<Source['postgres']>

async function postgresTables(kernel: Kernel, { tenantId, sampling }: Reading, postgres: Postgres) {
  const { host, port = 5432, database, user, secret, tables } = postgres
  const password = await kernel.namedSecrets.read({ tenantId, text: secret })
  const namespace = `postgres://${host}:${port}`
  return readPostgres(kernel.egress, { host, port, database, user, password }, async (reader) => {
    const found: SampledDataset[] = []
    for (const table of tables) {
      const [schema, name] = table.includes('.') ? (table.split('.') as [string, string]) : ['public', table]
      const sample = await tableSample(reader, { schema, name, sampling })
      found.push({ namespace, name: `${database}.${schema}.${name}`, ...sample })
    }
    return found
  })
}

interface TableOf {
  readonly schema: string
  readonly name: string
  readonly sampling: ScanRow['sampling']
}

/** Columns as text, of a seeded sample where the table is large. */
async function tableSample(reader: PostgresReader, { schema, name, sampling: { n, seed } }: TableOf) {
  const columns = await reader.rows(
    `select column_name::text as name from information_schema.columns where table_schema = $1 and table_name = $2
     order by ordinal_position limit ${mostColumns}`,
    [schema, name],
  )
  if (columns.length === 0) throw new Error(`There is no table ${schema}.${name} that the account may read.`)
  const [size] = await reader.rows(
    `select greatest(c.reltuples, 0)::bigint::text as rows, c.relkind::text as kind from pg_catalog.pg_class c
     join pg_catalog.pg_namespace s on s.oid = c.relnamespace where s.nspname = $1 and c.relname = $2`,
    [schema, name],
  )
  const rows = Number(size?.rows ?? 0)
  const share = rows > 10 * n && size?.kind === 'r' ? Math.min(100, (150 * n) / rows) : null
  const sample = share === null ? '' : `tablesample bernoulli (${share.toFixed(6)}) repeatable (${seed})`
  const names = columns.map((column) => String(column.name))
  const list = names.map((column, at) => `${reader.identifier(column)}::text as c${at}`).join(', ')
  const from = `${reader.identifier(schema)}.${reader.identifier(name)}`
  const values = await reader.rows(`select ${list} from ${from} ${sample} limit ${n}`)
  return {
    columns: names.map((column, at) => ({
      name: column,
      texts: values.flatMap((row) => (typeof row[`c${at}`] === 'string' ? [String(row[`c${at}`])] : [])),
    })),
    population: share === null && values.length < n ? values.length : Math.max(rows, values.length + 1),
  }
}

type Bucket = NonNullable<Source['s3']>

async function bucketObject(
  kernel: Kernel,
  { tenantId }: Reading,
  { address, region, secret, object }: Bucket,
): Promise<SampledDataset> {
  const credential = await kernel.namedSecrets.read({ tenantId, text: secret })
  const place = s3PlaceOf(address, { region, credential })
  const objects = createS3Objects(kernel, place)
  const size = await objects.size(object)
  if (size === null) throw new Error('There is no such object.')
  if (size > mostBytes)
    throw new Error(`There is no reading of objects above ${mostBytes} bytes; this one has ${size}.`)
  const chunks: Uint8Array[] = []
  if (size > 0) for await (const chunk of objects.read(object)) chunks.push(chunk)
  const columns = await readFile(kernel.unpack, object, Buffer.concat(chunks))
  const namespace = `s3://${place.bucket}`
  const population = Math.max(0, ...columns.map(({ texts }) => texts.length))
  return { namespace, name: `${place.prefix}${object}`, columns, population }
}

/** Sealed columns are opened, so that the content of model calls is a sample as any other. */
async function ownTable(kernel: Kernel, { tenantId, sampling: { n } }: Reading, name: string): Promise<SampledDataset> {
  const table = kernel.tables.find((one) => one.name === name && one.scope === 'tenant')
  if (table === undefined) throw new Error(`There is no table ${name} of tenants.`)
  const rows = await kernel.db.read(
    tenantId,
    sql<Record<string, unknown>>`select ${table.columns} from ${identifier(name)} limit ${n + 1}`,
  )
  const shown = rows.slice(0, n)
  const columns = await Promise.all(
    Object.keys(table.row.properties).map(async (column) => ({
      name: column,
      texts: (await Promise.all(shown.map((row) => cellText(kernel, tenantId, { table: name, column, row })))).filter(
        (text) => text !== '',
      ),
    })),
  )
  return { namespace: 'parapet', name, columns, population: rows.length > n ? n + 1 : rows.length }
}
