import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { strictObject, Uuid } from '../../../kernel/schema/types.ts'

export const lineageReceived = defineEvent({
  channel: 'data_gov.lineage.received',
  type: 'LineageReceived',
  summary: 'Lineage events were received that were not known before.',
  schema: strictObject({ events: Type.Integer({ minimum: 1 }), first_event_id: Uuid }),
  retentionDays: 30,
})

const Name = Type.String({ maxLength: 500 })

export const flowViolated = defineEvent({
  channel: 'data_gov.flow.violated',
  type: 'FlowViolated',
  summary: 'A model call was refused because the labels of a dataset that it names are above the allowed level.',
  schema: strictObject({ dataset_id: Uuid, dataset: Name, model: Name, level: Name, allowed: Name }),
  retentionDays: 365,
})
