/** States of the graph and their differences as they are shown. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Share } from './asset-schema.ts'
import { assetKinds, assetStatuses, exposures, relationKinds, snapshotTriggers } from './words.ts'

const Count = Type.Integer({ minimum: 0 })

const GraphNode = strictObject({
  id: Uuid,
  kind: oneOf(...assetKinds),
  name: Type.String(),
  criticality: Type.Integer(),
  crown_jewel: Type.Boolean(),
  entry_point: Type.Boolean(),
  exposure: oneOf(...exposures),
  status: oneOf(...assetStatuses),
  vulnerabilities: Count,
  controls: Count,
})
const GraphEdge = strictObject({
  id: Uuid,
  from: Uuid,
  to: Uuid,
  kind: oneOf(...relationKinds),
  technique: Type.String(),
  probability: Share,
  interval: strictObject({ low: Share, high: Share }),
  basis: oneOf('override', 'vulnerabilities', 'measured', 'default'),
})
export type GraphNode = Static<typeof GraphNode>
export type GraphEdge = Static<typeof GraphEdge>

const EdgeRef = strictObject({ id: Uuid, from: Uuid, to: Uuid, kind: oneOf(...relationKinds) })
const NodeRef = strictObject({ id: Uuid, kind: oneOf(...assetKinds), name: Type.String() })

export const GraphDiff = strictObject({
  against: Type.String(),
  nodes: strictObject({ added: Type.Array(NodeRef), removed: Type.Array(NodeRef), changed: Type.Array(NodeRef) }),
  edges: strictObject({ added: Type.Array(EdgeRef), removed: Type.Array(EdgeRef), changed: Type.Array(EdgeRef) }),
  truncated: Type.Boolean({ description: 'A list had more than 1,000 items; the counts are complete' }),
  counts: strictObject({
    nodes_added: Count,
    nodes_removed: Count,
    nodes_changed: Count,
    edges_added: Count,
    edges_removed: Count,
    edges_changed: Count,
  }),
})
export type GraphDiff = Static<typeof GraphDiff>

export const Graph = strictObject({
  id: Type.String({ maxLength: 36, description: 'Id of the snapshot, or `current`' }),
  tenant_id: Uuid,
  created_at: Timestamp,
  label: nullable(Type.String()),
  trigger: nullable(oneOf(...snapshotTriggers)),
  sha256: Type.String(),
  parent_id: nullable(Uuid),
  import_id: nullable(Uuid),
  stats: strictObject({
    nodes: Count,
    edges: Count,
    by_kind: Type.Array(strictObject({ kind: oneOf(...assetKinds), nodes: Count })),
    entry_points: Count,
    crown_jewels: Count,
  }),
  nodes: Type.Optional(Type.Array(GraphNode)),
  edges: Type.Optional(Type.Array(GraphEdge)),
  diff: Type.Optional(GraphDiff),
})
export type Graph = Static<typeof Graph>

export const NewGraph = strictObject({ label: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) })

export const GraphQuery = strictObject({
  root: Type.Optional(Uuid),
  hops: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Around `root`, default 2' })),
  kinds: Type.Optional(
    Type.String({ pattern: '^[a-z_]+(,[a-z_]+)*$', maxLength: 300, description: 'Kinds of assets, with commas' }),
  ),
  max_nodes: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000, description: 'Default 2,000' })),
  diff_against: Type.Optional(
    Type.String({
      pattern: '^(current|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
      maxLength: 36,
      description: 'An earlier snapshot, or `current`: the answer has `diff` instead of nodes',
    }),
  ),
  format: Type.Optional(oneOf('json', 'stix')),
})
export type GraphQuery = Static<typeof GraphQuery>
