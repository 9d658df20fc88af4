import Type from 'typebox'
import { defineEvent } from '../../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../../kernel/schema/types.ts'
import { logFormats } from '../formats/formats.ts'
import { serviceTypes } from './service-states.ts'

const Count = Type.Integer({ minimum: 0 })

export const serviceDiscovered = defineEvent({
  channel: 'aegis.shadow_ai_service.discovered',
  type: 'ShadowAiServiceDiscovered',
  summary: 'A log showed the use of an AI service for the first time.',
  schema: strictObject({
    service_id: Uuid,
    catalog_slug: nullable(Type.String({ maxLength: 63 })),
    name: Type.String({ maxLength: 253 }),
    type: oneOf(...serviceTypes),
    risk_score: Type.Number({ minimum: 0, maximum: 100 }),
    users: Count,
    departments: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }),
  }),
  retentionDays: 90,
})

export const ingestionCompleted = defineEvent({
  channel: 'aegis.shadow_ai_ingestion.completed',
  type: 'ShadowAiIngestionCompleted',
  summary: 'A log was read for AI services.',
  schema: strictObject({
    ingestion_id: Uuid,
    format: oneOf(...logFormats),
    lines: Count,
    matched: Count,
    services_new: Count,
  }),
  retentionDays: 30,
})
