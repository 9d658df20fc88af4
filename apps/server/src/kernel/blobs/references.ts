import { identifier, join, type SqlPart, sql } from '../db/sql.ts'
import type { Table } from '../db/table.ts'

export type NamingTables = readonly Pick<Table, 'name' | 'blobs'>[]

/** A condition on a row of `blob`: a row of some table names it. Each looks into an index `(tenant_id, column)`. */
export function namedBy(tables: NamingTables): SqlPart {
  const references = tables.flatMap(({ name, blobs }) =>
    blobs.map((column) => {
      const [from, named] = [identifier(name), identifier(column)]
      return sql`exists (select from ${from} t where t.tenant_id = blob.tenant_id and t.${named} = blob.id)`
    }),
  )
  return references.length === 0 ? sql`false` : sql`(${join(references, ' or ')})`
}
