/** How a resource is declared; the functions on it, and how they go together, are in resource.ts. */
import type { DeclaredTable } from '../data-registry/declarations.ts'
import type { Tx } from '../db/port.ts'
import type { Table } from '../db/table.ts'
import type { ProblemError } from '../errors/problem.ts'

/** Columns that the kit writes; every resource's table has them. */
export interface Stamps {
  readonly id: string
  /** 1 at first. `If-Match` is compared with it. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** The used part of a declared table, in terms of its rows. */
interface RowTable<Row> extends DeclaredTable, Pick<Table, 'noun' | 'columns' | 'from'> {
  insert(tx: Tx, row: Row): Promise<void>
  get(tx: Tx, id: string): Promise<Row | null>
  patchVersion(tx: Tx, id: string, changes: object): Promise<number>
  remove(tx: Tx, id: string): Promise<boolean>
}

export interface ResourceInput<Row extends Stamps> {
  readonly table: RowTable<Row>
  /** The first part of an audit entry's target: `<kind>:<id>`. */
  readonly kind: string
  /** The second part, where it is not the id. */
  readonly name?: (row: Row) => string
  /** Topic that announces every write to all instances, with the name as key. */
  readonly announces?: string
  /** The error for a row that a unique index of this name refuses. */
  readonly unique?: Readonly<Record<string, (row: Row) => ProblemError>>
}

export interface Resource<Row extends Stamps> extends Required<Omit<ResourceInput<Row>, 'announces'>> {
  readonly announces: string | null
}

/** Declares a resource once; the functions below take it. */
export function resource<Row extends Stamps>(input: ResourceInput<Row>): Resource<Row> {
  return { name: ({ id }) => id, unique: {}, ...input, announces: input.announces ?? null }
}
