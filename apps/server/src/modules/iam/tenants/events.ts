import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'

const actor = { actor_id: nullable(Uuid) }

export const tenantCreated = defineEvent({
  channel: 'iam.tenant.created',
  type: 'TenantCreated',
  summary: 'A tenant was created, told to its parent.',
  schema: strictObject({ created_tenant_id: Uuid, ...actor }),
})
