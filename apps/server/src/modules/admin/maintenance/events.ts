import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const MaintenanceData = strictObject({
  mode: oneOf('read_only', 'full'),
  message: Type.String({ maxLength: 500 }),
  starts_at: nullable(Timestamp),
  ends_at: nullable(Timestamp),
})

export const maintenanceStarted = defineEvent({
  channel: 'admin.maintenance.started',
  type: 'MaintenanceStarted',
  summary: 'The maintenance mode was set, at once or for a time to come.',
  schema: MaintenanceData,
  retentionDays: 90,
})

export const maintenanceEnded = defineEvent({
  channel: 'admin.maintenance.ended',
  type: 'MaintenanceEnded',
  summary: 'The maintenance mode was taken back.',
  schema: strictObject({ mode: oneOf('off') }),
  retentionDays: 90,
})
