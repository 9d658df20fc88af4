/** A tool of an MCP server with its pin. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { Finding } from './finding-schema.ts'
import { toolLabels, toolStatuses } from './words.ts'

const Hash = nullable(Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 }))
const Labels = Type.Array(oneOf(...toolLabels), { maxItems: toolLabels.length, uniqueItems: true })
const Definition = nullable(
  Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { additionalProperties: true })),
)

const stored = {
  server_id: Uuid,
  name: Type.String({ maxLength: 256 }),
  definition: Definition,
  candidate: Definition,
  pin_sha256: Hash,
  candidate_sha256: Hash,
  labels: Labels,
  suggested_labels: Labels,
  findings: Type.Array(Finding, { maxItems: 50 }),
  poison_score: Type.Number({ minimum: 0, maximum: 1 }),
  status: oneOf(...toolStatuses),
  renamed_from: nullable(Uuid),
  decided_by: nullable(Uuid),
  decided_at: nullable(Timestamp),
}

export const ToolRow = strictObject({
  ...resource(stored).properties,
  version: Type.Integer({ minimum: 1 }),
  /** Place in the server's own list. */
  position: Type.Integer({ minimum: 0 }),
})
export type ToolRow = Static<typeof ToolRow>

const DiffStep = strictObject({
  op: oneOf('add', 'remove', 'replace'),
  path: Type.String({ maxLength: 1024 }),
  value: Type.Optional(Type.Unknown()),
})

const Usage = strictObject({
  calls_24h: Type.Integer({ minimum: 0 }),
  denied_24h: Type.Integer({ minimum: 0 }),
  agents: Type.Array(Uuid, { maxItems: 20 }),
})

export const McpTool = resource({
  ...stored,
  diff: Type.Array(DiffStep, { maxItems: 200, description: 'RFC 6902, from the definition to the candidate' }),
  usage: Usage,
})
export type McpTool = Static<typeof McpTool>
export const ListedTool = listed(McpTool)

export const PatchTool = strictObject({
  decision: Type.Optional(oneOf('approve', 'deny')),
  pin_sha256: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      maxLength: 64,
      description: 'To approve: the `candidate_sha256` that was looked at',
    }),
  ),
  labels: Type.Optional(Labels),
  suggested_labels: Type.Optional(
    Type.Array(oneOf(...toolLabels), {
      maxItems: toolLabels.length,
      uniqueItems: true,
      description: 'Those that stay',
    }),
  ),
})
export type PatchTool = Static<typeof PatchTool>

export const ToolFilter = strictObject({
  status: Type.Optional(oneOf(...toolStatuses)),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
})
export type ToolFilter = Static<typeof ToolFilter>
