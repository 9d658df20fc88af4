/** Questions to the lineage graph: what is upstream and downstream, what is reached, and by which ways. Tested in lineage.test.ts. */
import { createWeights, kShortestPaths, nodesOf, walk } from '@parapet/graph'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { GraphQuery, LineageGraph, NodeKind, ShownNode } from '../declared/lineage-schema.ts'
import type { Granularity, Snapshot, View } from '../engine/snapshot.ts'
import { labelsOf, levelBitOf } from '../taxonomy/taxonomy.ts'
import { keyOf } from './nodes.ts'

const defaultNodes = 500
const mostPaths = 5
const mostEdges = 20_000
const mostSinks = 200

type Answer = Omit<LineageGraph, 'elapsed_ms'>

/** @throws API-001 for ways and impact without a node, API-013 for an unknown node */
export function queryLineage(snapshot: Snapshot, query: GraphQuery): Answer {
  if (query.node === undefined) return overview(snapshot, query)
  const start = findNode(snapshot, query.node)
  const granularity = query.granularity ?? granularityOf(snapshot, start)
  const view = snapshot.view(granularity, {
    indirect: query.include_indirect ?? true,
    stopAtMasking: query.stop_at_masking ?? false,
  })
  const direction = query.direction ?? 'downstream'
  const base = { node: idOf(snapshot, start), direction, granularity }
  if (query.mode === 'paths') return { ...base, ...emptyParts, ...pathsTo(snapshot, view, { start, to: query.to }) }
  const isImpact = query.mode === 'impact'
  // The counts of an impact are complete, and it lists its ends alone.
  const walks = walksFrom(view, start, {
    ...query,
    direction,
    ...(isImpact ? { max_nodes: snapshot.nodes.length } : {}),
  })
  const nodes = isImpact ? [] : listed(snapshot, walks, start)
  const shown = new Set(nodes.map(({ id }) => id))
  return {
    ...base,
    nodes: [...nodes],
    edges: [...edgesAmong(snapshot, view, shown)],
    counts_by_depth: {
      upstream: [...(walks.upstream?.countsByDepth ?? [])],
      downstream: [...(walks.downstream?.countsByDepth ?? [])],
    },
    impact: isImpact ? impactOf(snapshot, walks, start) : null,
    paths: [],
    truncated: (walks.upstream?.truncated ?? false) || (walks.downstream?.truncated ?? false),
  }
}

/** The first nodes of a granularity and the edges among them. */
function overview(snapshot: Snapshot, { mode = 'graph', ...query }: GraphQuery): Answer {
  if (mode !== 'graph')
    throw apiErrors
      .validation({ what: `The mode ${mode} needs a node.` })
      .at([{ detail: `is required with mode=${mode}`, pointer: '?node' }])
  const granularity = query.granularity ?? 'dataset'
  const view = snapshot.view(granularity, {
    indirect: query.include_indirect ?? true,
    stopAtMasking: query.stop_at_masking ?? false,
  })
  const most = query.max_nodes ?? defaultNodes
  const numbers = [...snapshot.nodes.keys()].filter((at) => belongs(snapshot.nodes[at]?.kind, granularity))
  const nodes = numbers.slice(0, most).map((at) => shownNode(snapshot, at, 0))
  return {
    ...{ node: null, direction: query.direction ?? 'downstream', granularity, ...emptyParts, paths: [] },
    nodes,
    edges: [...edgesAmong(snapshot, view, new Set(nodes.map(({ id }) => id)))],
    truncated: numbers.length > most,
  }
}

/** Models and agents are the ends of every granularity. */
const belongs = (kind: NodeKind | undefined, granularity: Granularity): boolean =>
  kind === granularity || kind === 'model' || kind === 'agent'

const emptyParts = {
  ...{ nodes: [], edges: [], counts_by_depth: { upstream: [], downstream: [] }, impact: null, truncated: false },
}

const idOf = ({ nodes }: Snapshot, at: number): string => nodes[at]?.id ?? ''

/** By id, or by `namespace|name` and `namespace|name|field`, where each part may hold bars itself. @throws API-013 */
export function findNode(snapshot: Snapshot, text: string): number {
  const byId = snapshot.numberOf.get(text.toLowerCase())
  if (byId !== undefined) return byId
  const parts = text.split('|')
  const joined = (from: number, to: number) => parts.slice(from, to).join('|')
  for (let first = 1; first < parts.length; first += 1) {
    const place = { namespace: joined(0, first), name: joined(first, parts.length), field: null }
    for (const kind of ['dataset', 'job', 'model', 'agent'] as const) {
      const found = snapshot.byKey.get(keyOf(kind, place))
      if (found !== undefined) return found
    }
    for (let second = first + 1; second < parts.length; second += 1) {
      const column = { namespace: place.namespace, name: joined(first, second), field: joined(second, parts.length) }
      const found = snapshot.byKey.get(keyOf('column', column))
      if (found !== undefined) return found
    }
  }
  throw apiErrors.notFound({ what: 'lineage node' })
}

function granularityOf({ nodes }: Snapshot, start: number): Granularity {
  const kind = nodes[start]?.kind
  return kind === 'column' ? 'column' : kind === 'job' ? 'job' : 'dataset'
}

type Walks = { readonly [K in 'upstream' | 'downstream']: ReturnType<typeof walk> | null }

function walksFrom({ graph }: View, start: number, query: Omit<GraphQuery, 'node'>): Walks {
  const options = {
    ...(query.depth === undefined ? {} : { maximumDepth: query.depth }),
    maximumNodes: query.max_nodes ?? defaultNodes,
  }
  const { direction } = query
  return {
    upstream: direction === 'downstream' ? null : walk(graph, [start], { ...options, direction: 'backward' }),
    downstream: direction === 'upstream' ? null : walk(graph, [start], { ...options, direction: 'forward' }),
  }
}

function listed(snapshot: Snapshot, walks: Walks, start: number): readonly ShownNode[] {
  const depths = new Map<number, number>([[start, 0]])
  for (const [sign, found] of [
    [-1, walks.upstream],
    [1, walks.downstream],
  ] as const)
    for (const [at, node] of (found?.nodes ?? []).entries())
      if (!depths.has(node)) depths.set(node, sign * (found?.depths[at] ?? 0))
  return [...depths].map(([node, depth]) => shownNode(snapshot, node, depth))
}

export function shownNode(snapshot: Snapshot, at: number, depth: number): ShownNode {
  const labels = snapshot.labels()
  const bits = labels.bits[at] ?? 0
  const { level, categories } = labelsOf(bits)
  const bit = levelBitOf(bits)
  const from = bit < 0 ? null : labels.from(at, bit)
  const node = snapshot.nodes[at]
  return {
    ...{ id: node?.id ?? '', kind: node?.kind ?? 'dataset', namespace: node?.namespace ?? '', name: node?.name ?? '' },
    ...{ field: node?.field ?? null, depth, level, categories: [...categories] },
    inherited_from: from === null ? null : idOf(snapshot, from),
  }
}

function edgesAmong(snapshot: Snapshot, { graph, edgeOf }: View, shown: ReadonlySet<string>): LineageGraph['edges'] {
  const found: LineageGraph['edges'] = []
  for (const id of shown) {
    const node = snapshot.numberOf.get(id) ?? -1
    for (let place = graph.outgoing.offsets[node] ?? 0; place < (graph.outgoing.offsets[node + 1] ?? 0); place += 1) {
      const to = idOf(snapshot, graph.outgoing.ends[place] ?? -1)
      const edge = snapshot.edges[edgeOf[graph.outgoing.edges[place] ?? -1] ?? -1]
      if (!shown.has(to) || found.length >= mostEdges) continue
      found.push({
        ...{ from: id, to, type: edge?.type ?? null, subtype: edge?.subtype ?? null, masking: edge?.masking ?? false },
        ...{ job: edge?.job_id ?? null, source: edge?.source ?? 'column_of_dataset' },
      })
    }
  }
  return found
}

function impactOf(snapshot: Snapshot, all: Walks, start: number): LineageGraph['impact'] {
  const counts: Record<NodeKind, number> = { dataset: 0, column: 0, job: 0, agent: 0, model: 0 }
  const sinks: ShownNode[] = []
  for (const found of [all.upstream, all.downstream])
    for (const [at, node] of (found?.nodes ?? []).entries()) {
      const kind = snapshot.nodes[node]?.kind
      if (kind === undefined || node === start) continue
      counts[kind] += 1
      const isSink = kind === 'model' || kind === 'agent'
      if (isSink && sinks.length < mostSinks) sinks.push(shownNode(snapshot, node, found?.depths[at] ?? 0))
    }
  return { by_kind: counts, sinks }
}

/** @throws API-001 without a target, API-013 for an unknown one */
function pathsTo(
  snapshot: Snapshot,
  { graph }: View,
  { start, to }: { readonly start: number; readonly to: string | undefined },
) {
  if (to === undefined)
    throw apiErrors
      .validation({ what: 'Paths need a target.' })
      .at([{ detail: 'is required with mode=paths', pointer: '?to' }])
  const target = findNode(snapshot, to)
  if (target === start) return { paths: [] }
  const weights = createWeights(graph, new Float64Array(graph.edges).fill(1))
  const found = kShortestPaths(graph, weights, start, target, mostPaths)
  const paths = found.map((path) => nodesOf(graph, start, path))
  const shown = [...new Set(paths.flat())]
  return {
    nodes: shown.map((node) => shownNode(snapshot, node, 0)),
    paths: paths.map((path) => path.map((node) => idOf(snapshot, node))),
  }
}
