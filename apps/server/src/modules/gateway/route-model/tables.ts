import { table } from '../../../kernel/db/table.ts'
import { RouteRow } from './schemas.ts'

/** Archived and never deleted: the log refers to them. */
export const routes = table({
  name: 'gateway_route',
  inTenantCopies: true,
  row: RouteRow,
  sorts: ['created_at', 'name'],
  noun: 'route',
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})
