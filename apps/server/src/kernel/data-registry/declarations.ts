/**
 * The data declaration of each table, completed from its columns and from defaults. Refuses contradictions at
 * start. Tested in declarations.test.ts.
 */
import type { AliasColumn, DataDeclaration, LegalBasis } from '../db/data-declaration.ts'
import type { Table } from '../db/table.ts'
import { daysOf } from './durations.ts'

/** A table, as far as its data declaration is concerned. */
export type DeclaredTable = Pick<Table, 'name' | 'scope' | 'row' | 'key' | 'blobs' | 'data' | 'appendOnly'>

export interface RegisteredData {
  readonly table: string
  readonly scope: Table['scope']
  readonly category: string
  /** The column of the user id whose row it is; null where the rows belong to no person. */
  readonly owner: string | null
  /** Columns of other user ids: people who changed, granted or decided something. */
  readonly others: readonly string[]
  readonly aliases: readonly AliasColumn[]
  /** Null where the table says nothing about a person. */
  readonly basis: LegalBasis | null
  /** ISO 8601 duration, or `tenant`. */
  readonly retention: string
  readonly minimum: string | null
  readonly erasure: DataDeclaration['erasure']
  readonly isCopy: boolean
  /** The column that says how old a row is; null where none does. */
  readonly time: string | null
  /** Columns that name files of the blob store. */
  readonly blobs: readonly string[]
  /** Columns whose bytes are encrypted under a key of the tenant. */
  readonly binary: readonly string[]
  readonly caches: readonly string[]
}

/** @throws TypeError for a declaration that contradicts its table or itself */
export function registeredData(table: DeclaredTable): RegisteredData {
  const { data } = table
  const [owner = null, ...others] = data.subject
  const aliases = data.aliases ?? []
  refuseContradictions(table, aliases)
  const isPersonal = owner !== null || aliases.length > 0
  const columns = Object.keys(table.row.properties)
  return {
    ...{ table: table.name, scope: table.scope, category: data.category, owner, others, aliases },
    basis: data.basis ?? (isPersonal ? 'legitimate_interest' : null),
    ...{ retention: data.retention, minimum: data.minimum ?? null, erasure: data.erasure },
    isCopy: data.isCopy ?? false,
    time: ['created_at', 'at', 'time', 'updated_at'].find((column) => columns.includes(column)) ?? null,
    blobs: table.blobs,
    binary: columns.filter((column) => isBinary(table.row.properties[column])),
    caches: data.caches ?? [],
  }
}

function refuseContradictions({ name, row, data }: DeclaredTable, aliases: readonly AliasColumn[]): void {
  const refuse = (text: string): never => {
    throw new TypeError(`The data declaration of ${name} ${text}`)
  }
  for (const column of [...data.subject, ...aliases.map((alias) => alias.column)])
    if (!(column in row.properties)) refuse(`names the column ${column}, which the table does not have`)
  if (new Set(data.subject).size !== data.subject.length) refuse('names a column twice')
  if (data.category === '') refuse('has no category')
  const retention = data.retention === 'tenant' ? Number.POSITIVE_INFINITY : daysOf(data.retention)
  if (data.minimum !== undefined && daysOf(data.minimum) > retention)
    refuse(`keeps rows for ${data.retention} and at least for ${data.minimum}`)
}

/** Bytes are declared without a type: `Type.Unsafe<Uint8Array>`. */
function isBinary(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) return schema.anyOf.some(isBinary)
  return 'description' in schema && typeof schema.description === 'string' && schema.description.startsWith('AES-256')
}

/** How a column holds user ids. */
export type ColumnForm = 'uuid' | 'text' | 'uuids'

export function formOf({ row }: Pick<DeclaredTable, 'row'>, column: string): ColumnForm {
  return formOfSchema(row.properties[column])
}

function formOfSchema(schema: unknown): ColumnForm {
  if (typeof schema !== 'object' || schema === null) return 'text'
  if ('format' in schema && schema.format === 'uuid') return 'uuid'
  if ('type' in schema && schema.type === 'array') return 'uuids'
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf)) return 'text'
  return schema.anyOf.map(formOfSchema).find((form) => form !== 'text') ?? 'text'
}
