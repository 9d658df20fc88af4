import { type Graph, requireNodes } from '../structure/graph.ts'
import { type Candidates, createCandidates } from './candidates.ts'
import { createGuidedSearch, type GuidedSearch } from './guided-search.ts'
import { comparePaths, nodesOf, type Path } from './path.ts'
import { pathTo, shortestPaths } from './shortest-paths.ts'
import type { Weights } from './weights.ts'

/** Largest number of paths. */
export const maximumPaths = 1_000

/**
 * Path that is still to be searched: the first `spur` edges of a known path, then a deviation that avoids `blocked`
 * edges. Its length is a lower bound until the search is done.
 */
interface Deviation {
  readonly prefix: readonly number[]
  readonly blocked: ReadonlySet<number>
}

interface Candidate extends Path {
  /** First edge that may differ in further deviations (Lawler's refinement). */
  readonly spur: number
  /** Null for a complete path. */
  readonly deviation: Deviation | null
  /** Blocked edges at the spur, inherited by deviations at the same node. */
  readonly blocked: ReadonlySet<number>
}

/**
 * The shortest paths without repeated nodes between two nodes, shortest first, one by one (Yen 1971 with the refinement
 * of Lawler 1972). Deviations wait under a lower bound from the exact distances to the target and are searched by A* only
 * when their turn comes.
 */
export function* shortestSimplePaths(graph: Graph, weights: Weights, from: number, to: number): Generator<Path> {
  requireNodes(graph, [from, to])
  const backward = shortestPaths(graph, weights, [to], { direction: 'backward' })
  const first = pathTo(graph, backward, from, 'backward')
  if (first === null || from === to) return
  const search = createGuidedSearch(graph, weights, to, backward.distances)
  const space: Space = { graph, weights, from, remaining: backward.distances, search }
  const candidates = createCandidates<Candidate>(compareCandidates)
  candidates.push({ ...pathOf(weights, first), spur: 0, deviation: null, blocked: new Set() })
  for (let next = candidates.pop(); next !== null; next = candidates.pop()) {
    if (next.deviation !== null) {
      const complete = searchDeviation(space, next, next.deviation)
      if (complete !== null) candidates.push(complete)
      continue
    }
    yield { length: next.length, edges: next.edges }
    pushDeviations(space, next, candidates)
  }
}

/** The k shortest paths without repeated nodes, at most 1,000. */
export function kShortestPaths(graph: Graph, weights: Weights, from: number, to: number, k: number): readonly Path[] {
  if (!(Number.isInteger(k) && k >= 1 && k <= maximumPaths))
    throw new RangeError(`k must be 1..${maximumPaths}, got ${k}`)
  const paths: Path[] = []
  for (const path of shortestSimplePaths(graph, weights, from, to)) if (paths.push(path) === k) break
  return paths
}

export interface DiversityOptions {
  readonly k: number
  /** Largest share (0..1) of a path's edges that an earlier path may contain. */
  readonly maximumOverlap: number
}

/** The k shortest paths that differ enough from each other, among the 1,000 shortest ones. */
export function diversePaths(paths: Iterable<Path>, { k, maximumOverlap }: DiversityOptions): readonly Path[] {
  const chosen: Path[] = []
  let seen = 0
  for (const path of paths) {
    if (!chosen.some((earlier) => overlap(path, earlier) > maximumOverlap)) chosen.push(path)
    if (chosen.length >= k || ++seen >= maximumPaths) break
  }
  return chosen
}

function overlap(path: Path, earlier: Path): number {
  const known = new Set(earlier.edges)
  return path.edges.filter((edge) => known.has(edge)).length / path.edges.length
}

interface Space {
  readonly graph: Graph
  readonly weights: Weights
  readonly from: number
  readonly remaining: Float64Array
  readonly search: GuidedSearch
}

/** Complete paths before deviations of the same bound, so that a path is told as soon as nothing can precede it. */
function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.length !== b.length) return a.length - b.length
  if ((a.deviation === null) !== (b.deviation === null)) return a.deviation === null ? 1 : -1
  return comparePaths(a, b)
}

function pathOf(weights: Weights, edges: readonly number[]): Path {
  return { length: edges.reduce((sum, edge) => sum + (weights.byEdge[edge] ?? 0), 0), edges }
}

function pushDeviations(space: Space, path: Candidate, candidates: Candidates<Candidate>): void {
  const nodes = nodesOf(space.graph, space.from, path)
  const passed = new Set(nodes.slice(0, path.spur))
  let length = 0
  for (let spur = 0; spur < path.edges.length; spur++) {
    const node = nodes[spur] ?? 0
    passed.add(node)
    if (spur >= path.spur) {
      const inherited = spur === path.spur ? path.blocked : []
      const blocked = new Set([...inherited, path.edges[spur] ?? -1])
      const bound = length + shortestStep(space, node, passed, blocked)
      const prefix = path.edges.slice(0, spur)
      if (bound < Number.POSITIVE_INFINITY) {
        candidates.push({ length: bound, edges: prefix, spur, deviation: { prefix, blocked }, blocked })
      }
    }
    length += space.weights.byEdge[path.edges[spur] ?? 0] ?? 0
  }
}

/** Lower bound of a deviation at a node: its best allowed edge, followed by the shortest way on. */
function shortestStep(
  { graph, weights, remaining }: Space,
  node: number,
  passed: ReadonlySet<number>,
  blocked: ReadonlySet<number>,
): number {
  const { offsets, edges, ends } = graph.outgoing
  let bound = Number.POSITIVE_INFINITY
  for (let place = offsets[node] ?? 0; place < (offsets[node + 1] ?? 0); place++) {
    const step = (weights.outgoing[place] ?? 0) + (remaining[ends[place] ?? 0] ?? 0)
    if (step < bound && !blocked.has(edges[place] ?? 0) && !passed.has(ends[place] ?? 0)) bound = step
  }
  return bound
}

function searchDeviation(space: Space, candidate: Candidate, { prefix, blocked }: Deviation): Candidate | null {
  const nodes = nodesOf(space.graph, space.from, { length: 0, edges: prefix })
  const passed = new Set(nodes)
  const rest = space.search.find(nodes.at(-1) ?? space.from, (node) => passed.has(node), blocked)
  if (rest === null) return null
  const path = pathOf(space.weights, [...prefix, ...rest])
  return { ...path, spur: candidate.spur, deviation: null, blocked }
}
