/**
 * Logged calls as Parquet: the columns of the CSV with their types, compressed page by page. At most one row group is
 * in memory. Every column may be null; decimals are text, so that no reader rounds them. Tested in formats.test.ts.
 */
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { version as productVersion } from '../../../../version.ts'
import { type Column, type ColumnKind, columnsFor } from './columns.ts'
import type { ExportedCall, Pages } from './exported-call.ts'

/**
 * Calls per row group: enough for readers to skip groups, few enough for memory. Content may be ten megabytes per call.
 */
const groupSize = { plain: 5000, withPayload: 20 } as const

const elements: Readonly<Record<ColumnKind, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

export async function* writeParquet(pages: Pages, withPayload: boolean): AsyncGenerator<Uint8Array> {
  const columns = columnsFor(withPayload)
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(columns), createdBy: `Parapet ${productVersion}` })
  const most = withPayload ? groupSize.withPayload : groupSize.plain
  let held: ExportedCall[] = []
  const writeGroup = async (): Promise<Uint8Array> => {
    const calls = held.splice(0)
    await writer.write({
      columnData: columns.map(([name, kind, cell]) => ({
        name,
        data: calls.map((call) => storedValue(kind, cell(call))),
      })),
      rowGroupSize: Math.max(1, calls.length),
    })
    return taken(bytes)
  }
  for await (const page of pages) {
    held = [...held, ...page]
    if (held.length >= most) yield await writeGroup()
  }
  if (held.length > 0) yield await writeGroup()
  await writer.finish()
  yield taken(bytes)
}

/** Bytes written since the last time; the writer continues from there. */
function taken(bytes: ByteWriter): Uint8Array {
  const written = bytes.getBytes().slice()
  bytes.index = 0
  return written
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(([name, kind]): SchemaElement => ({ ...elements[kind], name, repetition_type: 'OPTIONAL' })),
  ]
}

function storedValue(kind: ColumnKind, value: ReturnType<Column[2]>): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'integer') return BigInt(value)
  if (kind === 'time') return new Date(String(value))
  return kind === 'text' ? String(value) : value
}
