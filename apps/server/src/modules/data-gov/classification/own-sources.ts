/**
 * Tables of the platform and the content of model calls as columns of text, with sealed values opened. Rows are drawn by
 * hashes of their keys and the seed. Tested in source-scans.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'
import { identifier, join, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { cellText } from '../services/cells.ts'
import type { Reading, SampledDataset } from './reading.ts'

const namespace = 'parapet'
const callContent = 'gateway_request_payload'

/** @throws DGOV-001 */
export async function ownTable(kernel: Kernel, reading: Reading, name: string): Promise<SampledDataset> {
  const table = tableOf(kernel, name)
  const { rows, population } = await sampleRows(kernel, reading, table)
  const columns = await Promise.all(
    Object.keys(table.row.properties).map(async (column) => ({
      name: column,
      texts: (await textsOf(kernel, reading, { table, column, rows })).filter((text) => text !== ''),
    })),
  )
  return { namespace, name, columns, population }
}

/** Prompts and answers of kept model calls: one text of each for a call, so that shares are shares of calls. */
export async function gatewaySample(kernel: Kernel, reading: Reading): Promise<SampledDataset> {
  const table = tableOf(kernel, callContent)
  const { rows, population } = await sampleRows(kernel, reading, table)
  const calls = (await textsOf(kernel, reading, { table, column: 'sealed', rows })).flatMap((text) => {
    const content = parsed(text)
    return content === null ? [] : [content]
  })
  const part = (name: string, pick: (content: Record<string, unknown>) => unknown) => ({
    name,
    texts: calls.map((content) => stringsIn(pick(content)).join('\n')).filter((text) => text !== ''),
  })
  const columns = [part('prompt', ({ answer: _answer, ...rest }) => rest), part('answer', ({ answer }) => answer)]
  return { namespace, name: callContent, columns, population }
}

function tableOf({ tables }: Kernel, name: string): Table {
  const table = tables.find((one) => one.name === name && one.scope === 'tenant')
  if (table === undefined)
    throw errors.sourceUnreadable({ what: `There is no table ${name} of tenants. See \`include=registry\`.` })
  return table
}

type Row = Readonly<Record<string, unknown>>

/** By hashes of keys, so that neither the newest nor the oldest rows stand for all. */
async function sampleRows({ db }: Kernel, { tenantId, sampling: { n, seed } }: Reading, table: Table) {
  const keys = table.key.length === 0 ? Object.keys(table.row.properties) : table.key
  const key = join(keys.map(identifier), ', ')
  return db.tenant({ tenantId, readOnly: true }, async (tx) => {
    const rows = await tx.query(sql<Row>`
      select ${table.columns} from ${table.from} order by md5(row(${key})::text || ${String(seed)}::text) limit ${n}`)
    const [counted] = await tx.query(sql<{ n: number }>`select count(*)::int as n from ${table.from}`)
    return { rows, population: counted?.n ?? rows.length }
  })
}

interface Cells {
  readonly table: Table
  readonly column: string
  readonly rows: readonly Row[]
}

const textsOf = (kernel: Kernel, { tenantId }: Reading, { table, column, rows }: Cells): Promise<readonly string[]> =>
  Promise.all(rows.map((row) => cellText(kernel, tenantId, { table: table.name, column, row })))

function parsed(text: string): Record<string, unknown> | null {
  if (text === '') return null
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? { ...value } : null
}

/** Texts of a value, in order; numbers and names of members are none. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : []
}
