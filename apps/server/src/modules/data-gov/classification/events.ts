import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { scanKinds } from '../declared/scan-schema.ts'
import { levels } from '../taxonomy/taxonomy.ts'

const Count = Type.Integer({ minimum: 0 })

export const scanCompleted = defineEvent({
  channel: 'data_gov.scan.completed',
  type: 'ScanCompleted',
  summary: 'A scan has ended and its labels are in the inventory.',
  schema: strictObject({
    scan_id: Uuid,
    source: oneOf(...scanKinds),
    assets: Count,
    proposed: Count,
    restricted: Count,
  }),
  retentionDays: 90,
})

export const labelChanged = defineEvent({
  channel: 'data_gov.label.changed',
  type: 'LabelChanged',
  summary: 'The level or the categories of a data asset have changed.',
  schema: strictObject({
    asset_id: Uuid,
    level: nullable(oneOf(...levels)),
    previous: nullable(oneOf(...levels)),
    categories: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 60 }),
    origin: oneOf('detected', 'manual'),
  }),
  retentionDays: 365,
})
