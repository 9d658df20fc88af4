/** A state as it is shown: whole, around a node, or of some kinds of assets. Tested in attack-paths.test.ts. */

import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Graph, GraphEdge, GraphQuery } from '../declared/graph-schema.ts'
import type { SnapshotRow } from '../declared/relation-schema.ts'
import { errors } from '../errors/errors.ts'
import type { Attacker } from '../model/edge.ts'
import { buildNetwork } from '../model/network.ts'
import type { TwinNode, TwinState } from '../model/state.ts'
import { digestOf } from './load-state.ts'

const defaultNodes = 2_000
const defaultHops = 2
const defaultAttacker: Attacker = { profile: 'criminal', horizonDays: 365 }

export type GraphHeader = Pick<
  Graph,
  'id' | 'tenant_id' | 'created_at' | 'label' | 'trigger' | 'sha256' | 'parent_id' | 'import_id'
>

export function headerOf({ nodes: _nodes, edges: _edges, blob_id: _blob, ...row }: SnapshotRow): GraphHeader {
  return row
}

export const currentHeader = (state: TwinState, tenantId: string, now: string): GraphHeader => ({
  ...{ id: 'current', tenant_id: tenantId, created_at: now, label: null, trigger: null, sha256: digestOf(state) },
  ...{ parent_id: null, import_id: null },
})

export function statsOf({ nodes, edges }: TwinState): Graph['stats'] {
  const kinds = new Map<TwinNode['kind'], number>()
  for (const { kind } of nodes) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return {
    ...{ nodes: nodes.length, edges: edges.length },
    by_kind: [...kinds].map(([kind, count]) => ({ kind, nodes: count })).sort((a, b) => b.nodes - a.nodes),
    entry_points: nodes.filter((node) => node.entry_point).length,
    crown_jewels: nodes.filter((node) => node.crown_jewel).length,
  }
}

/** @throws API-013 for an unknown root, TWIN-007 for more nodes than the answer holds */
export function partOf(state: TwinState, query: GraphQuery): TwinState {
  const kinds = query.kinds === undefined ? null : new Set(query.kinds.split(','))
  const near = query.root === undefined ? null : around(state, query.root, query.hops ?? defaultHops)
  const nodes = state.nodes.filter(({ id, kind }) => (near?.has(id) ?? true) && (kinds?.has(kind) ?? true))
  const limit = query.max_nodes ?? defaultNodes
  if (nodes.length > limit) throw errors.graphTooLarge({ nodes: nodes.length, limit })
  const ids = new Set(nodes.map(({ id }) => id))
  return { nodes, edges: state.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) }
}

/** Nodes within some hops of a root, in both directions. */
function around({ nodes, edges }: TwinState, root: string, hops: number): ReadonlySet<string> {
  if (!nodes.some(({ id }) => id === root)) throw apiErrors.notFound({ what: 'asset of the graph' })
  const seen = new Set([root])
  for (let hop = 0; hop < hops; hop += 1) {
    const found = edges.flatMap(({ from, to }) => (seen.has(from) !== seen.has(to) ? [from, to] : []))
    for (const id of found) seen.add(id)
  }
  return seen
}

/** Nodes, and edges with the probabilities that they have for a criminal attacker within a year. */
export function partView(part: TwinState, whole: TwinState): Required<Pick<Graph, 'nodes' | 'edges'>> {
  const net = buildNetwork({ state: whole, attacker: defaultAttacker, sourceIds: null })
  const estimates = new Map(net.edges.flatMap(({ relation, estimate }) => (relation ? [[relation.id, estimate]] : [])))
  return {
    nodes: part.nodes.map(({ capability: _capability, value: _value, vulnerabilities, controls, ...node }) => ({
      ...{ ...node, vulnerabilities: vulnerabilities.length, controls: controls.length },
    })),
    edges: part.edges.map(({ id, from, to, kind, technique }): GraphEdge => {
      const estimate = estimates.get(id) ?? null
      const { p = 0, low = 0, high = 0, basis = 'default' } = estimate ?? {}
      const shown = { technique: estimate?.technique ?? technique ?? '', probability: p }
      return { id, from, to, kind, ...shown, interval: { low, high }, basis }
    }),
  }
}
