import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { exportFormats } from './formats/schema.ts'

const schema = strictObject({
  export_id: Uuid,
  format: oneOf(...exportFormats),
  include_payload: Type.Boolean(),
  row_count: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ maxLength: 64 }),
  by: Uuid,
})

export const exportCompleted = defineEvent({
  channel: 'gateway.export.completed',
  type: 'ExportCompleted',
  summary: 'A file of logged calls is ready.',
  schema,
})

export const exportDownloaded = defineEvent({
  channel: 'gateway.export.downloaded',
  type: 'ExportDownloaded',
  summary: 'Somebody began to download a file of logged calls.',
  schema,
})
