/**
 * Populations of checks: items that have to meet a condition, counted by one statement and listed by another, so that a
 * reader can hold one count against the other. Tested in modules/compliance/checks/populations.test.ts.
 */
import Type, { type TObject } from 'typebox'
import type { Tx } from '../db/port.ts'
import type { Sql } from '../db/sql.ts'
import { strictObject } from '../schema/types.ts'

/** Items that a fact lists; a larger population is counted in full and listed in part. */
export const mostItems = 10_000

const Count = Type.Integer({ minimum: 0 })

const counts = {
  total: { ...Count, description: 'All items, counted' },
  recount: { ...Count, description: 'The same by the statement that lists them' },
}

export const populationOf = <T extends TObject>(item: T) =>
  strictObject({ ...counts, items: Type.Array(item, { maxItems: mostItems }) })

export interface Population<Item> {
  readonly total: number
  readonly recount: number
  readonly items: Item[]
}

export interface PopulationStatements<Row> {
  /** One row. */
  readonly count: Sql<{ total: number }>
  /** At most `mostItems` rows, each with the number of all of them (`count(*) over ()`). */
  readonly items: Sql<Row>
}

export async function readPopulation<Row extends { readonly recount: number }>(
  tx: Tx,
  { count, items }: PopulationStatements<Row>,
): Promise<Population<Omit<Row, 'recount'>>> {
  const counted = await tx.first(count)
  const rows = await tx.query(items)
  return {
    total: counted?.total ?? 0,
    recount: rows[0]?.recount ?? 0,
    items: rows.map(({ recount: _recount, ...item }) => item),
  }
}
