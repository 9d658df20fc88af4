import { nodesOf, type Path } from '@parapet/graph'
import type { AttackPath, NodeRef, Step } from '../declared/analysis-schema.ts'
import type { TwinNetwork } from '../model/network.ts'
import type { TwinNode } from '../model/state.ts'

export const refOf = ({ id, name, kind }: TwinNode): NodeRef => ({ id, name, kind })

/** References to numbered nodes; the attacker and AND nodes have none. */
export const refsOf = (net: TwinNetwork, numbers: readonly number[]): NodeRef[] =>
  numbers.flatMap((number) => {
    const node = net.nodes[number] ?? null
    return node === null ? [] : [refOf(node)]
  })

/** A path as it is shown, from its first real node on. */
export function pathView(net: TwinNetwork, path: Path, target: TwinNode): AttackPath {
  const passed = nodesOf(net.network.graph, net.attacker, path)
  const steps = path.edges.flatMap((edge) => stepOf(net, edge))
  return {
    target: refOf(target),
    probability: path.edges.reduce((p, edge) => p * (net.network.probabilities[edge] ?? 0), 1),
    hours: steps.reduce((sum, { hours }) => sum + hours, 0),
    steps,
    together: passed.some((number) => net.network.allOf?.[number] === 1),
  }
}

function stepOf(net: TwinNetwork, edge: number): readonly Step[] {
  const { relation = null, estimate = null } = net.edges[edge] ?? {}
  if (relation === null || estimate === null) return []
  const [from] = refsOf(net, [net.numberOf.get(relation.from) ?? -1])
  const [to] = refsOf(net, [net.numberOf.get(relation.to) ?? -1])
  if (from === undefined || to === undefined) return []
  return [
    {
      ...{ from, to, relation_id: relation.id, kind: relation.kind, technique: estimate.technique },
      ...{ probability: estimate.p, interval: { low: estimate.low, high: estimate.high } },
      ...{ basis: estimate.basis, hours: estimate.hours },
    },
  ]
}
