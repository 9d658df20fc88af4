import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { CatalogEntry, CatalogEntryRow } from '../catalog/schema.ts'
import { shippedEntry } from '../catalog/shipped.ts'
import { catalogEntries } from './tables.ts'

/** Entries of the tenant, in the order of their making: of two that name one host the newer has it. */
export const tenantEntries = (tx: Tx): Promise<readonly CatalogEntryRow[]> =>
  tx.query(sql<CatalogEntryRow>`select ${catalogEntries.columns} from aegis_catalog_entry order by created_at, id`)

/** The entry in force for a slug: the tenant's, else the shipped one. */
export function entryInForce(own: readonly CatalogEntryRow[], slug: string | null): CatalogEntry | null {
  if (slug === null) return null
  return own.find((entry) => entry.slug === slug) ?? shippedEntry(slug)
}
