import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { includedIn } from '../../../kernel/schema/include.ts'
import type { ServiceFilter, ServiceObjectives, ServiceRow } from '../declared/model-schema.ts'
import { services } from '../declared/model-tables.ts'

export async function listServices(
  tx: Tx,
  { page, filter }: { readonly page: PageRequest; readonly filter: ServiceFilter },
): Promise<Page<ServiceObjectives>> {
  const { q, service, verdict, criticality_min: least, include } = filter
  const where = [
    sql`true`,
    ...(q === undefined ? [] : [sql`lower(name) like ${likePrefix(q)}`]),
    ...(service === undefined ? [] : [sql`key = ${service}`]),
    ...(verdict === undefined ? [] : [sql`verdict = ${verdict}`]),
    ...(least === undefined ? [] : [sql`criticality >= ${least}`]),
  ]
  const found = await services.page(tx, page, join(where, ' and '))
  const included = includedIn(include)
  return { ...found, items: found.items.map((row) => viewOf(row, included)) }
}

function viewOf(row: ServiceRow, included: ReadonlySet<string>): ServiceObjectives {
  const { document, prediction, ...shown } = row
  return {
    ...shown,
    objectives: document.objectives ?? {},
    single_points: prediction.single_points,
    ...(included.has('model') ? { model: document } : {}),
    ...(included.has('cut_sets') ? { cut_sets: prediction.cut_sets } : {}),
    ...(included.has('importance') ? { importance: prediction.importance } : {}),
  }
}
