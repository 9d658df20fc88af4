/**
 * The lineage of a tenant in typed arrays, with the labels that flow along it. A column edge says more than the dataset edge
 * beside it, so labels take the column edge; masking stops them, indirect influence does not carry them. Tested in
 * lineage.test.ts.
 */
import { createGraph, type Graph, propagateLabels } from '@parapet/graph'
import type { NodeKind } from '../declared/lineage-schema.ts'
import { bitsOf, type Level } from '../taxonomy/taxonomy.ts'

export interface GraphNode {
  readonly id: string
  readonly key: string
  readonly kind: NodeKind
  readonly namespace: string
  readonly name: string
  readonly field: string | null
}

export interface GraphEdge {
  readonly from_id: string
  readonly to_id: string
  readonly level: 'dataset' | 'column' | 'job'
  readonly type: string | null
  readonly subtype: string | null
  readonly masking: boolean
  readonly source: string
  readonly job_id: string | null
}

export interface OwnLabels {
  /** Key of the node. */
  readonly key: string
  readonly level: Level | null
  readonly categories: readonly string[]
}

export type Granularity = 'dataset' | 'column' | 'job'

/** Edges of one granularity as a graph; `edgeOf` gives the edge of the snapshot, or -1 for a column in its dataset. */
export interface View {
  readonly graph: Graph
  readonly edgeOf: Int32Array
}

export interface Snapshot {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly own: readonly OwnLabels[]
  readonly numberOf: ReadonlyMap<string, number>
  readonly byKey: ReadonlyMap<string, number>
  view(granularity: Granularity, options: ViewOptions): View
  /** Bits of own and inherited labels by node, and the edge that brought each bit (−1 for own). */
  labels(): Labels
}

export interface ViewOptions {
  readonly indirect: boolean
  readonly stopAtMasking: boolean
}

export interface Labels {
  readonly bits: Uint32Array
  /** The node from which a node has a bit; null for its own. */
  from(node: number, bit: number): number | null
}

export interface SnapshotInput {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly own: readonly OwnLabels[]
}

export function createSnapshot(input: SnapshotInput): Snapshot {
  const { nodes, edges } = input
  const numberOf = new Map(nodes.map(({ id }, at) => [id, at]))
  const byKey = new Map(nodes.map(({ key }, at) => [key, at]))
  const parts: Parts = { ...input, numberOf, byKey, ends: endsOf(edges, numberOf), datasetOf: datasetsOf(nodes) }
  const views = new Map<string, View>()
  let labels: Labels | null = null
  return {
    ...{ nodes, edges, own: input.own, numberOf, byKey },
    view: (granularity, options) => {
      const name = `${granularity} ${options.indirect} ${options.stopAtMasking}`
      const known = views.get(name) ?? viewOf(parts, granularity, options)
      views.set(name, known)
      return known
    },
    labels: () => {
      labels ??= labelsIn(parts)
      return labels
    },
  }
}

interface Parts extends SnapshotInput {
  readonly numberOf: ReadonlyMap<string, number>
  readonly byKey: ReadonlyMap<string, number>
  readonly ends: { readonly from: Int32Array; readonly to: Int32Array }
  /** Number of the dataset of each column, -1 for others. */
  readonly datasetOf: Int32Array
}

function endsOf(edges: readonly GraphEdge[], numberOf: ReadonlyMap<string, number>) {
  const [from, to] = [new Int32Array(edges.length), new Int32Array(edges.length)]
  for (const [at, edge] of edges.entries()) {
    from[at] = numberOf.get(edge.from_id) ?? -1
    to[at] = numberOf.get(edge.to_id) ?? -1
  }
  return { from, to }
}

function datasetsOf(nodes: readonly GraphNode[]): Int32Array {
  const named = new Map<string, number>()
  for (const [at, { kind, namespace, name }] of nodes.entries())
    if (kind === 'dataset') named.set(JSON.stringify([namespace, name]), at)
  return Int32Array.from(nodes, ({ kind, namespace, name }) =>
    kind === 'column' ? (named.get(JSON.stringify([namespace, name])) ?? -1) : -1,
  )
}

/** Models and agents take whole datasets: there a column flows with its dataset. */
const isSink = ({ kind }: GraphNode): boolean => kind === 'model' || kind === 'agent'

function viewOf({ nodes, edges, ends, datasetOf }: Parts, granularity: Granularity, options: ViewOptions): View {
  const [sources, targets, edgeOf]: [number[], number[], number[]] = [[], [], []]
  const feeding = new Set<number>()
  const add = (from: number, to: number, edge: number) => {
    sources.push(from)
    targets.push(to)
    edgeOf.push(edge)
  }
  for (const [at, edge] of edges.entries()) {
    const [from, to] = [ends.from[at] ?? -1, ends.to[at] ?? -1]
    const target = nodes[to]
    if (from < 0 || target === undefined) continue
    const toSink = isSink(target)
    if (edge.level !== granularity && !toSink) continue
    if ((!options.indirect && edge.type === 'INDIRECT') || (options.stopAtMasking && edge.masking)) continue
    if (granularity === 'column' && toSink) feeding.add(from)
    add(from, to, at)
  }
  if (granularity === 'column')
    for (const [column, dataset] of datasetOf.entries())
      if (dataset >= 0 && feeding.has(dataset)) add(column, dataset, -1)
  return { graph: createGraph(nodes.length, sources, targets), edgeOf: Int32Array.from(edgeOf) }
}

function labelsIn({ nodes, edges, ends, datasetOf, own, byKey }: Parts): Labels {
  const bits = new Uint32Array(nodes.length)
  for (const { key, level, categories } of own) {
    const at = byKey.get(key)
    if (at !== undefined) bits[at] = bitsOf(level, categories)
  }
  const { sources, targets, carries } = carryingEdges({ edges, ends, datasetOf })
  const graph = createGraph(nodes.length, sources, targets)
  const { labels, inheritedBy } = propagateLabels(graph, bits, (edge, carried) => (carries[edge] === 1 ? carried : 0))
  return {
    bits: labels,
    from: (node, bit) => {
      const edge = inheritedBy[32 * node + bit] ?? -1
      return edge < 0 ? null : (graph.sources[edge] ?? null)
    },
  }
}

interface Carrying {
  readonly sources: number[]
  readonly targets: number[]
  readonly carries: number[]
}

function carryingEdges({ edges, ends, datasetOf }: Pick<Parts, 'edges' | 'ends' | 'datasetOf'>): Carrying {
  const result: Carrying = { sources: [], targets: [], carries: [] }
  const precise = new Set<string>()
  const add = (from: number, to: number, carries: boolean) => {
    result.sources.push(from)
    result.targets.push(to)
    result.carries.push(carries ? 1 : 0)
  }
  for (const [at, edge] of edges.entries()) {
    const [from, to] = [ends.from[at] ?? -1, ends.to[at] ?? -1]
    if (edge.level !== 'column' || from < 0 || to < 0) continue
    add(from, to, !edge.masking && edge.type !== 'INDIRECT')
    precise.add(`${datasetOf[from]} ${datasetOf[to]}`)
  }
  for (const [at, edge] of edges.entries()) {
    const [from, to] = [ends.from[at] ?? -1, ends.to[at] ?? -1]
    if (edge.level !== 'dataset' || from < 0 || to < 0) continue
    add(from, to, !edge.masking && !precise.has(`${from} ${to}`))
  }
  // A dataset has the labels of its columns.
  for (const [column, dataset] of datasetOf.entries()) if (dataset >= 0) add(column, dataset, true)
  return result
}
