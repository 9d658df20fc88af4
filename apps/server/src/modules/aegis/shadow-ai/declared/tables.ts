import Type from 'typebox'
import { table } from '../../../../kernel/db/table.ts'
import { nullable, Uuid } from '../../../../kernel/schema/types.ts'
import { CatalogEntryRow } from '../catalog/schema.ts'
import { IngestionRow } from './ingestion-schema.ts'
import { ServiceRow } from './service-schema.ts'

/** Logs that were read. The log itself is not kept. */
export const ingestions = table({
  name: 'aegis_shadow_ai_ingestion',
  noun: 'ingestion',
  row: IngestionRow,
  data: { category: 'operation', subject: [], retention: 'tenant', erasure: 'none' },
})

export const services = table({
  name: 'aegis_shadow_ai_service',
  noun: 'service',
  row: ServiceRow,
  sorts: ['created_at', 'last_seen', 'risk_score'],
  dueBy: ['status', 'tolerated_until'],
  data: { category: 'security', subject: ['owner_user_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

const Count = Type.Integer({ minimum: 0 })

/** Accesses of one user to one service on one day, for 180 days. */
export const uses = table({
  name: 'aegis_shadow_ai_use',
  noun: 'use',
  key: ['service_id', 'day', 'user_key'],
  row: Type.Object({
    tenant_id: Uuid,
    service_id: Uuid,
    /** Days since 1970-01-01, UTC. */
    day: Type.Integer(),
    /** The id of a user of the tenant, else the name or address in the log or its pseudonym; empty where there is none. */
    user_key: Type.String({ maxLength: 200 }),
    user_id: nullable(Uuid),
    user_name: nullable(Type.String({ maxLength: 200 })),
    department: nullable(Type.String({ maxLength: 100 })),
    requests: Count,
    bytes_up: Count,
    bytes_down: Count,
  }),
  dueBy: ['day'],
  data: { category: 'usage', subject: ['user_id'], retention: 'P180D', erasure: 'delete' },
})

export const catalogEntries = table({
  name: 'aegis_catalog_entry',
  noun: 'catalog entry',
  row: CatalogEntryRow,
  inTenantCopies: true,
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})
