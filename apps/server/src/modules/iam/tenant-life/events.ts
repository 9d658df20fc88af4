import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const named = { subject_tenant_id: Uuid, actor_id: nullable(Uuid) }

export const tenantSuspended = defineEvent({
  channel: 'iam.tenant.suspended',
  type: 'TenantSuspended',
  summary: 'A tenant was suspended; told to it and to the tenant above it.',
  schema: strictObject({ ...named, reason: nullable(Type.String({ maxLength: 500 })) }),
})

export const tenantDeletionScheduled = defineEvent({
  channel: 'iam.tenant.deletion_scheduled',
  type: 'TenantDeletionScheduled',
  summary: 'A tenant will be deleted; told to it and to the tenant above it.',
  schema: strictObject({ ...named, deletion_scheduled_for: Timestamp }),
})

export const tenantDeleted = defineEvent({
  channel: 'iam.tenant.deleted',
  type: 'TenantDeleted',
  summary: 'A tenant’s keys were destroyed and its rows removed; told to the tenant above it.',
  schema: strictObject(named),
})

export const tenantLifeEvents = [tenantSuspended, tenantDeletionScheduled, tenantDeleted] as const
