import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { RequestFilter } from '../../schemas/request.ts'

export const exportFormats = ['jsonl', 'csv', 'ocsf', 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportStatuses = ['queued', 'running', 'completed', 'failed'] as const

const { include: _include, ...filters } = RequestFilter.properties

export const NewExport = strictObject({
  ...filters,
  format: Type.Unsafe<ExportFormat>({
    ...oneOf(...exportFormats),
    description:
      '`jsonl`: calls as they are listed. `ocsf`: events of the OCSF class API Activity (6003), one a line. `parquet`: the columns of `csv`.',
  }),
  gzip: Type.Optional(Type.Boolean({ description: 'Default true, but for Parquet, which compresses by itself.' })),
  include_payload: Type.Optional(
    Type.Boolean({
      description: 'Also the content as it was kept, which is the redacted one; originals never. Default false.',
    }),
  ),
})
export type NewExport = Static<typeof NewExport>

/** A report of kind `gateway_requests`. */
export const RequestExport = resource({
  report_id: Uuid,
  kind: oneOf('gateway_requests'),
  status: oneOf(...exportStatuses),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  format: oneOf(...exportFormats),
  gzip: Type.Boolean(),
  include_payload: Type.Boolean(),
  filter: RequestFilter,
  snapshot_at: Type.Unsafe<string>({ ...Timestamp, description: 'Calls that ended later are not in the file.' }),
  row_count: nullable(Type.Integer({ minimum: 0 })),
  bytes: nullable(Type.Integer({ minimum: 0 })),
  sha256: nullable(Type.String({ maxLength: 64, description: 'Of the file as it is downloaded.' })),
  url: nullable(Type.String({ maxLength: 200, description: 'Null until there is a file and after it was removed.' })),
  expires_at: nullable(Timestamp),
  failure: nullable(Type.String({ maxLength: 300 })),
  created_by: Uuid,
})
export type RequestExport = Static<typeof RequestExport>
