import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'

const statuses = oneOf('pass', 'warn', 'fail')
const schema = strictObject({
  check: Type.String({ maxLength: 100 }),
  node: Type.String({ maxLength: 300 }),
  from: statuses,
  to: statuses,
})

export const healthDegraded = defineEvent({
  channel: 'admin.health.degraded',
  type: 'HealthDegraded',
  summary: 'A check of the installation has become worse, as one instance sees it.',
  schema,
  retentionDays: 30,
})

export const healthRecovered = defineEvent({
  channel: 'admin.health.recovered',
  type: 'HealthRecovered',
  summary: 'A check of the installation has become better, as one instance sees it.',
  schema,
  retentionDays: 30,
})
