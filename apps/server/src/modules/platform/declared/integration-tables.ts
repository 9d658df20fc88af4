import { table } from '../../../kernel/db/table.ts'
import { DeliveryRow } from './delivery-schema.ts'
import { IntegrationRow, SubscriptionRow, VersionRow } from './integration-schema.ts'

const data = { category: 'integrations', subject: [], retention: 'tenant', erasure: 'none' } as const

export const integrations = table({
  name: 'platform_integration',
  noun: 'integration',
  row: IntegrationRow,
  sorts: ['created_at', 'name'],
  data,
})

/** Every configuration there was, without credentials. */
export const integrationVersions = table({
  name: 'platform_integration_version',
  noun: 'version',
  row: VersionRow,
  appendOnly: true,
  system: true,
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})

export const subscriptions = table({
  name: 'platform_subscription',
  noun: 'subscription',
  row: SubscriptionRow,
  dueBy: ['owner', 'pattern'],
  data,
})

export const deliveries = table({
  name: 'platform_delivery',
  noun: 'delivery',
  row: DeliveryRow,
  sorts: ['created_at'],
  dueBy: ['created_at'],
  data: { category: 'deliveries', subject: ['user_id'], retention: 'P90D', erasure: 'delete' },
})
