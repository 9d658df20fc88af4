/**
 * Tables of a PostgreSQL database as columns of text. A sample is drawn by hashes of the rows and a seed, so that the same
 * seed gives the same rows whatever their order on disk; a large table is thinned by `tablesample` first. One read-only
 * transaction, with a time limit for each statement. Tested in source-scans.test.ts.
 */
import type { Kernel } from '../../../kernel/kernel.ts'
import { type PostgresReader, readPostgres } from '../../../kernel/postgres/reader.ts'
import type { NewScan } from '../declared/scan-schema.ts'
import { errors } from '../errors/errors.ts'
import type { Reading, SampledDataset } from './reading.ts'

export type PostgresSource = NonNullable<NewScan['source']['postgres']>

const mostColumns = 200
/** Values are cut, so that one wide row does not fill the memory. */
const mostCharacters = 20_000
/** Times the sample size from which a table is thinned before it is sampled. */
const large = 10
/** Relation kinds that `tablesample` takes: tables, partitioned tables, materialized views. */
const thinned = new Set(['r', 'p', 'm'])

/** @throws EgressError, SecretUnreadable, DGOV-001, and the database's own error */
export async function postgresTables(
  kernel: Pick<Kernel, 'egress' | 'namedSecrets'>,
  { tenantId, sampling }: Pick<Reading, 'tenantId' | 'sampling'>,
  { host, port = 5432, database, user, secret, tables }: PostgresSource,
): Promise<readonly SampledDataset[]> {
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
  readonly sampling: Reading['sampling']
}

async function tableSample(reader: PostgresReader, { schema, name, sampling: { n, seed } }: TableOf) {
  const columns = await reader.rows(
    `select column_name::text as name from information_schema.columns where table_schema = $1 and table_name = $2
     order by ordinal_position limit ${mostColumns}`,
    [schema, name],
  )
  if (columns.length === 0)
    throw errors.sourceUnreadable({
      what: `There is no table ${schema}.${name} that the account may read. Check its name and grant it \`select\`.`,
    })
  const names = columns.map((column) => String(column.name))
  const from = `${reader.identifier(schema)}.${reader.identifier(name)}`
  const estimate = await estimateOf(reader, { schema, name })
  const drawn = { reader, from, names, n, seed }
  const share = estimate.canThin && estimate.rows > large * n ? (300 * n) / estimate.rows : null
  const thin =
    share === null ? [] : await draw(drawn, `tablesample bernoulli (${share.toFixed(6)}) repeatable (${seed})`)
  // An estimate that was far too high leaves too few rows; the table is small then.
  const isThin = thin.length >= n
  const rows = isThin ? thin : await draw(drawn, '')
  const population = isThin ? Math.max(estimate.rows, rows.length + 1) : await countOf(reader, from)
  return {
    columns: names.map((column, at) => ({
      name: column,
      texts: rows.flatMap((row) => (typeof row[`c${at}`] === 'string' ? [String(row[`c${at}`])] : [])),
    })),
    population: Math.max(population, rows.length),
  }
}

async function estimateOf(reader: PostgresReader, { schema, name }: Pick<TableOf, 'schema' | 'name'>) {
  const [size] = await reader.rows(
    `select c.relkind::text as kind, (case when c.relkind = 'p'
       then (select coalesce(sum(greatest(p.reltuples, pg_relation_size(p.oid) / 64)), 0) from pg_catalog.pg_class p
         join pg_catalog.pg_inherits i on i.inhrelid = p.oid where i.inhparent = c.oid)
       when c.reltuples > 0 then c.reltuples else pg_relation_size(c.oid) / 64 end)::bigint::text as rows
     from pg_catalog.pg_class c join pg_catalog.pg_namespace s on s.oid = c.relnamespace
     where s.nspname = $1 and c.relname = $2`,
    [schema, name],
  )
  return { rows: Number(size?.rows ?? 0), canThin: thinned.has(String(size?.kind)) }
}

interface Drawing {
  readonly reader: PostgresReader
  readonly from: string
  readonly names: readonly string[]
  readonly n: number
  readonly seed: number
}

/** A column that the account may read is enough: the hash is that of the values read. */
function draw({ reader, from, names, n, seed }: Drawing, sample: string) {
  const list = names
    .map((column, at) => `left(${reader.identifier(column)}::text, ${mostCharacters}) as c${at}`)
    .join(', ')
  return reader.rows(
    `select * from (select ${list} from ${from} ${sample}) drawn order by md5(drawn::text || $1) limit ${n}`,
    [String(seed)],
  )
}

async function countOf(reader: PostgresReader, from: string): Promise<number> {
  const [counted] = await reader.rows(`select count(*)::text as rows from ${from}`)
  return Number(counted?.rows ?? 0)
}
