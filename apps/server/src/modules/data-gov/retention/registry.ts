/** The data registry as policies see it: categories with their tables, and which of them a schedule can shorten. */

import type { DataRegistry } from '../../../kernel/data-registry/data-registry.ts'
import type { RegisteredData } from '../../../kernel/data-registry/declarations.ts'
import { daysOf } from '../../../kernel/data-registry/durations.ts'
import type { Table } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DataCategory } from '../declared/retention-schema.ts'

type Registry = Pick<DataRegistry, 'declarations'>

export function dataCategories({ declarations }: Registry): readonly DataCategory[] {
  const found = new Map<string, DataCategory['tables']>()
  for (const { category, scope, table, retention, minimum, erasure } of declarations)
    if (scope === 'tenant')
      found.set(category, [...(found.get(category) ?? []), { table, retention, minimum, erasure }])
  return [...found]
    .map(([category, tables]) => ({ category, tables }))
    .toSorted((a, b) => (a.category < b.category ? -1 : 1))
}

/** A table whose rows a schedule may remove by their age. */
export interface Purgeable {
  readonly table: Table
  readonly category: string
  readonly time: string
}

/**
 * Tables of the categories whose rows may go by their age: those that are kept for a time, not for as long as the tenant
 * exists, and that their owner declares as erasable or as copies. State that something works with (balances, revocations,
 * queues) is none of them.
 */
export function purgeable(
  { dataRegistry, tables }: Pick<Kernel, 'dataRegistry' | 'tables'>,
  categories: readonly string[],
): readonly Purgeable[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  return dataRegistry.declarations.flatMap((declared) => {
    const table = byName.get(declared.table)
    return table !== undefined && isPurgeable(declared, table) && categories.includes(declared.category)
      ? [{ table, category: declared.category, time: declared.time ?? '' }]
      : []
  })
}

const isPurgeable = ({ scope, retention, time }: RegisteredData, table: Table): boolean =>
  scope === 'tenant' && retention !== 'tenant' && time !== null && isErasable(table) && table.key.includes('id')

/** Whether rows of a table may go at all because of their age or of a person. */
export const isErasable = ({ scope, appendOnly, data }: Table): boolean =>
  scope === 'tenant' &&
  !appendOnly &&
  (data.erasure === 'delete' || data.erasure === 'crypto_shred' || data.isCopy === true)

/** The longest minimum of the tables of categories, in days; 0 for none. */
export const longestMinimum = ({ declarations }: Registry, categories: readonly string[]): number =>
  Math.max(
    0,
    ...declarations
      .filter(({ category, scope }) => scope === 'tenant' && categories.includes(category))
      .map(({ minimum }) => (minimum === null ? 0 : daysOf(minimum))),
  )
