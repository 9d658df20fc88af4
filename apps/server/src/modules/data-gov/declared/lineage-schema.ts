import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const nodeKinds = ['dataset', 'column', 'job', 'agent', 'model'] as const
export type NodeKind = (typeof nodeKinds)[number]

export const NodeRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  /** Digest of kind and names, which may be long. */
  key: Type.String(),
  kind: oneOf(...nodeKinds),
  namespace: Type.String(),
  name: Type.String(),
  field: nullable(Type.String()),
  dropped_at: nullable(Timestamp),
  /** Of jobs: the run whose flows are the current ones, and its time. */
  run_id: nullable(Type.String()),
  run_at: nullable(Timestamp),
})
export type NodeRow = Static<typeof NodeRow>

export const EdgeRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, updated_at: Timestamp },
  key: Type.String(),
  from_id: Uuid,
  to_id: Uuid,
  level: oneOf('dataset', 'column', 'job'),
  type: nullable(Type.String()),
  subtype: nullable(Type.String()),
  masking: Type.Boolean(),
  source: oneOf('event', 'column_facet', 'lineage_facet', 'gateway'),
  job_id: nullable(Uuid),
  run_id: nullable(Type.String()),
  valid_from: Timestamp,
  valid_to: nullable(Timestamp),
})
export type EdgeRow = Static<typeof EdgeRow>

export const EventRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp },
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  kind: oneOf('run', 'job', 'dataset'),
  event_type: nullable(Type.String()),
  event_time: Timestamp,
  job_key: nullable(Type.String()),
  run_id: nullable(Type.String()),
  event: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
})
export type EventRow = Static<typeof EventRow>

/** The body, for the documents: one event or a list of them, as OpenLineage 2-0-2 says. */
export const LineageBody = Type.Unsafe<unknown>({
  description: 'An OpenLineage 2-0-2 event (RunEvent, JobEvent or DatasetEvent), or a list of at most 1,000',
  anyOf: [{ type: 'object' }, { type: 'array', maxItems: 1000, items: { type: 'object' } }],
})

const Warnings = Type.Array(Type.String({ maxLength: 3000 }))
export const Received = strictObject({ event_id: Uuid, duplicate: Type.Boolean(), warnings: Warnings })
export const ReceivedBatch = strictObject({
  status: oneOf('success', 'partial_success'),
  summary: strictObject({
    received: Type.Integer({ minimum: 0 }),
    successful: Type.Integer({ minimum: 0 }),
    duplicates: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    retriable: Type.Integer({ minimum: 0 }),
    non_retriable: Type.Integer({ minimum: 0 }),
  }),
  failed_events: Type.Array(
    strictObject({
      index: Type.Integer({ minimum: 0 }),
      reason: Type.String({ maxLength: 5000 }),
      retriable: Type.Boolean(),
    }),
  ),
  warnings: Warnings,
})

const Text = Type.String({ maxLength: 4000 })
const ShownNode = strictObject({
  id: Uuid,
  kind: oneOf(...nodeKinds),
  namespace: Text,
  name: Text,
  field: nullable(Text),
  depth: Type.Integer({ description: 'Steps from the start; negative upstream' }),
  level: nullable(Type.String({ description: 'Highest level of its own and inherited labels' })),
  categories: Type.Array(Type.String()),
  inherited_from: nullable(Uuid),
})
const ShownEdge = strictObject({
  from: Uuid,
  to: Uuid,
  type: nullable(Text),
  subtype: nullable(Text),
  masking: Type.Boolean(),
  job: nullable(Uuid),
  source: Text,
})
const Count = Type.Integer({ minimum: 0 })
export const LineageGraph = strictObject({
  node: nullable(Uuid),
  direction: oneOf('upstream', 'downstream', 'both'),
  granularity: oneOf('dataset', 'column', 'job'),
  nodes: Type.Array(ShownNode),
  edges: Type.Array(ShownEdge),
  counts_by_depth: strictObject({ upstream: Type.Array(Count), downstream: Type.Array(Count) }),
  impact: nullable(
    strictObject({
      by_kind: strictObject({ dataset: Count, column: Count, job: Count, agent: Count, model: Count }),
      sinks: Type.Array(ShownNode, { description: 'Models and agents that are reached' }),
    }),
  ),
  paths: Type.Array(Type.Array(Uuid)),
  truncated: Type.Boolean(),
  elapsed_ms: Type.Number({ minimum: 0 }),
})
export type LineageGraph = Static<typeof LineageGraph>
export type ShownNode = Static<typeof ShownNode>

export const GraphQuery = strictObject({
  node: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 6000 },
      description: 'Id of a node, or `namespace|name` or `namespace|name|field`; without it the whole graph is listed',
    }),
  ),
  direction: Type.Optional(oneOf('upstream', 'downstream', 'both')),
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  granularity: Type.Optional(oneOf('dataset', 'column', 'job')),
  mode: Type.Optional(oneOf('graph', 'impact', 'paths')),
  to: Type.Optional(Type.String({ minLength: 1, maxLength: 6000, description: 'Target of `paths`, as `node`' })),
  include_indirect: Type.Optional(Type.Boolean()),
  stop_at_masking: Type.Optional(Type.Boolean()),
  as_of: Type.Optional(Timestamp),
  max_nodes: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000 })),
})
export type GraphQuery = Static<typeof GraphQuery>
