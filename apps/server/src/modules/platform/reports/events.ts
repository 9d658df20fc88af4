import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { reportFormats, reportKinds } from '../declared/report-words.ts'

export const reportCompleted = defineEvent({
  channel: 'platform.report.completed',
  type: 'ReportCompleted',
  summary: 'The files of a report are ready.',
  schema: strictObject({
    report_id: Uuid,
    kind: oneOf(...reportKinds),
    formats: Type.Array(oneOf(...reportFormats), { maxItems: 5 }),
    sha256: Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 5,
      description: 'Of each format, in the same order',
    }),
    created_by: Uuid,
  }),
  retentionDays: 90,
})
