import { reachProbabilities, simulateReach } from '@parapet/graph'
import type { AnalysisResult } from '../declared/analysis-schema.ts'
import type { TwinNetwork } from '../model/network.ts'
import { refOf } from './refs.ts'

const mostReached = 100
/** Nodes whose probabilities are computed one by one, exactly where that is possible. */
const mostExact = 200

/** Everything that an attacker who holds a node reaches from it, most probable and most critical first. */
export function blastRadius(
  net: TwinNetwork,
  of: string | null,
  options: { readonly seed: string; readonly worlds: number },
): AnalysisResult['blast_radius'] {
  const number = of === null ? undefined : net.numberOf.get(of)
  const root = number === undefined ? null : (net.nodes[number] ?? null)
  if (number === undefined || root === null) return null
  const from = { ...net.network, entries: [number] }
  const { reached, worlds } = simulateReach(from, options)
  const candidates = [...reached.keys()]
    .filter((node) => (reached[node] ?? 0) > 0 && node !== number && net.nodes[node] !== null)
    .sort((a, b) => (reached[b] ?? 0) - (reached[a] ?? 0))
  const exact = candidates.length <= mostExact ? reachProbabilities(from, candidates, options) : null
  return {
    of: refOf(root),
    reached: candidates
      .flatMap((node, index) => {
        const asset = net.nodes[node] ?? null
        const probability = exact?.[index]?.probability ?? (reached[node] ?? 0) / worlds
        return asset === null ? [] : [{ node: refOf(asset), probability, criticality: asset.criticality }]
      })
      .sort((a, b) => b.probability * b.criticality - a.probability * a.criticality)
      .slice(0, mostReached),
  }
}
