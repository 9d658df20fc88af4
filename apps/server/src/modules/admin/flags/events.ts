import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { flagStatuses } from './schemas/flags.ts'
import { FlagKey } from './schemas/rules.ts'

export const flagChanged = defineEvent({
  channel: 'admin.flag.changed',
  type: 'FlagChanged',
  summary: 'A feature flag was created, changed or deleted; clients evaluate anew.',
  schema: strictObject({
    flag_id: Uuid,
    key: FlagKey,
    change: oneOf('created', 'updated', 'scheduled', 'deleted'),
    status: oneOf(...flagStatuses),
  }),
  retentionDays: 30,
})
