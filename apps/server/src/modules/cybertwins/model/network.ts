/**
 * The attack network of a state: nodes by number, an edge for each relation that is a step of an attack, one attacker
 * before all entries, and an AND node for relations that count only together. Pure. Tested in edge.test.ts.
 */
import { type AttackNetwork, createGraph } from '@parapet/graph'
import { defenses } from './defaults.ts'
import { type Attacker, type EdgeEstimate, estimateEdge } from './edge.ts'
import type { TwinEdge, TwinNode, TwinState, TwinVulnerability } from './state.ts'

/** An edge of the network. */
export interface NetworkEdge {
  /** Null for edges from the attacker and out of AND nodes, which are certain. */
  readonly relation: TwinEdge | null
  readonly estimate: EdgeEstimate | null
}

export interface TwinNetwork {
  readonly network: AttackNetwork
  /** Null for the attacker and for AND nodes. */
  readonly nodes: readonly (TwinNode | null)[]
  readonly edges: readonly NetworkEdge[]
  readonly numberOf: ReadonlyMap<string, number>
  readonly attacker: number
  readonly sources: readonly number[]
  readonly low: Float64Array
  readonly high: Float64Array
}

export interface NetworkInput {
  readonly state: TwinState
  readonly attacker: Attacker
  /** Ids of the nodes where the attacker begins; by default all entry points. */
  readonly sourceIds: readonly string[] | null
}

/** Levels of software below a node whose vulnerabilities count as its own. */
const softwareLevels = 5

export function buildNetwork({ state, attacker, sourceIds }: NetworkInput): TwinNetwork {
  const building = new Building(state, attacker)
  const starts = sourceIds ?? state.nodes.filter((node) => node.entry_point).map(({ id }) => id)
  const sources = starts.flatMap((id) => building.numberOf.get(id) ?? [])
  return building.finish(sources)
}

class Building {
  readonly numberOf: ReadonlyMap<string, number>
  readonly #nodes: (TwinNode | null)[]
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #edges: NetworkEdge[] = []
  readonly #and = new Map<string, number>()

  constructor(state: TwinState, attacker: Attacker) {
    this.#nodes = [...state.nodes]
    this.numberOf = new Map(state.nodes.map(({ id }, number) => [id, number]))
    const exposedBy = softwareOf(state)
    for (const relation of state.edges) {
      const [from, to] = [this.numberOf.get(relation.from), this.numberOf.get(relation.to)]
      const [source, target] = [state.nodes[from ?? -1], state.nodes[to ?? -1]]
      if (from === undefined || to === undefined || source === undefined || target === undefined) continue
      if (defenses.has(relation.kind)) continue
      const estimate = estimateEdge(relation, { source, target, vulnerabilities: exposedBy(target) }, attacker)
      this.#add(from, this.#endOf(relation, to), { relation, estimate })
    }
  }

  #add(from: number, to: number, edge: NetworkEdge): void {
    this.#from.push(from)
    this.#to.push(to)
    this.#edges.push(edge)
  }

  /** The target, or the AND node before it. */
  #endOf({ requires, to: id }: TwinEdge, to: number): number {
    if (requires === null) return to
    const key = `${id} ${requires}`
    const known = this.#and.get(key)
    if (known !== undefined) return known
    const made = this.#nodes.push(null) - 1
    this.#and.set(key, made)
    this.#add(made, to, { relation: null, estimate: null })
    return made
  }

  finish(sources: readonly number[]): TwinNetwork {
    const attacker = this.#nodes.push(null) - 1
    for (const source of sources) this.#add(attacker, source, { relation: null, estimate: null })
    const graph = createGraph(this.#nodes.length, this.#from, this.#to)
    const allOf = new Uint8Array(graph.nodes)
    for (const node of this.#and.values()) allOf[node] = 1
    const values = (of: (estimate: EdgeEstimate) => number) =>
      Float64Array.from(this.#edges, ({ estimate }) => (estimate === null ? 1 : of(estimate)))
    return {
      network: {
        graph,
        probabilities: values(({ p }) => p),
        entries: [attacker],
        ...(this.#and.size === 0 ? {} : { allOf }),
      },
      ...{ nodes: this.#nodes, edges: this.#edges, numberOf: this.numberOf, attacker, sources },
      low: values(({ low }) => low),
      high: values(({ high }) => high),
    }
  }
}

/** Vulnerabilities of a node with those of the software that runs on it or that it is built of. */
function softwareOf({ nodes, edges }: TwinState): (node: TwinNode) => readonly TwinVulnerability[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parts = new Map<string, TwinNode[]>()
  for (const { from, to, kind } of edges) {
    const source = byId.get(from)
    if ((kind !== 'depends_on' && kind !== 'runs_on') || source?.kind !== 'software') continue
    const known = parts.get(to)
    if (known === undefined) parts.set(to, [source])
    else known.push(source)
  }
  const found = new Map<string, readonly TwinVulnerability[]>()
  return (node) => {
    const known = found.get(node.id)
    if (known !== undefined) return known
    const collected = collect(node, parts)
    found.set(node.id, collected)
    return collected
  }
}

function collect(node: TwinNode, parts: ReadonlyMap<string, readonly TwinNode[]>): readonly TwinVulnerability[] {
  const seen = new Set([node])
  let level: readonly TwinNode[] = [node]
  for (let depth = 0; depth < softwareLevels && level.length > 0; depth += 1) {
    const next = level.flatMap(({ id }) => parts.get(id) ?? []).filter((part) => !seen.has(part))
    for (const part of next) seen.add(part)
    level = next
  }
  return [...seen].flatMap(({ vulnerabilities }) => vulnerabilities)
}
