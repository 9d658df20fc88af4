import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { reportFormats, reportKinds } from '../declared/report-words.ts'

export const reportStatuses = ['queued', 'running', 'completed', 'failed'] as const

const Title = Type.String({ minLength: 1, maxLength: 200 })
const FactName = Type.String({ minLength: 3, maxLength: 80, pattern: '^[a-z][a-z_]*\\.[a-z][a-z0-9_]*$' })
const Parameters = strictObject({
  days: Type.Integer({ minimum: 1, maximum: 400, description: 'Window of what is counted over time' }),
  sections: Type.Array(FactName, { maxItems: 20, description: 'Names of facts; the kind gives them but for `custom`' }),
})

const fields = {
  kind: oneOf(...reportKinds),
  title: Title,
  parameters: Parameters,
  formats: Type.Array(oneOf(...reportFormats), { minItems: 1, maxItems: 5 }),
  status: oneOf(...reportStatuses),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  snapshot_at: nullable(Timestamp),
  failure: nullable(Type.String({ maxLength: 500 })),
  // Sections that the requester may not read.
  omitted: Type.Array(FactName, { maxItems: 20 }),
  workflow_id: nullable(Uuid),
  created_by: Uuid,
}

export const ReportRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  // Of all sections in it: whoever reads a file holds them.
  permissions: Type.Array(Type.String()),
})
export type ReportRow = Static<typeof ReportRow>

export const FileRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, report_id: Uuid },
  format: oneOf(...reportFormats),
  bytes: Type.Integer(),
  sha256: Type.String(),
  // Detached JWS (RFC 7797) over the bytes.
  signature: Type.String(),
  blob_id: nullable(Uuid),
  expires_at: Timestamp,
})
export type FileRow = Static<typeof FileRow>

const ShownFile = strictObject({
  format: oneOf(...reportFormats),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ maxLength: 64 }),
  signature: Type.String({
    maxLength: 1_000,
    description: 'Detached JWS (RFC 7797, EdDSA) over the bytes of the file',
  }),
  url: Type.String({ maxLength: 200 }),
  expires_at: Timestamp,
})

const Schedule = strictObject({
  cron: Type.String({ maxLength: 100 }),
  time_zone: nullable(Type.String({ maxLength: 60 })),
})

export const Report = resource({
  ...fields,
  files: Type.Array(ShownFile),
  schedule: nullable(Schedule),
})
export type Report = Static<typeof Report>

export const NewReport = strictObject({
  kind: oneOf(...reportKinds),
  title: Type.Optional(Title),
  parameters: Type.Optional(
    strictObject({
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 400 })),
      sections: Type.Optional(Type.Array(FactName, { minItems: 1, maxItems: 20 })),
    }),
  ),
  formats: Type.Array(oneOf(...reportFormats), { minItems: 1, maxItems: 5 }),
  schedule: Type.Optional(
    strictObject({
      cron: Type.String({ minLength: 1, maxLength: 100 }),
      time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    }),
  ),
})
export type NewReport = Static<typeof NewReport>

export const ReportFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  kind: Type.Optional(oneOf(...reportKinds)),
  status: Type.Optional(oneOf(...reportStatuses)),
  created_after: Type.Optional(Timestamp),
  workflow_id: Type.Optional(Uuid),
})
export type ReportFilter = Static<typeof ReportFilter>
