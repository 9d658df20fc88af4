/** Variants of a state, compared with the state itself by the same random numbers. Pure. Tested in analyze.test.ts. */
import { reachProbabilities } from '@parapet/graph'
import type { AnalysisInputs, AnalysisResult, Reach, WhatIf } from '../declared/analysis-schema.ts'
import { buildNetwork, type TwinNetwork } from '../model/network.ts'
import type { TwinNode, TwinState } from '../model/state.ts'
import { refOf } from './refs.ts'

export interface WhatIfsInput {
  readonly state: TwinState
  readonly inputs: AnalysisInputs
  readonly targets: readonly TwinNode[]
  readonly reach: readonly Reach[]
  readonly options: { readonly seed: string; readonly worlds: number }
}

export function tryWhatIfs(input: WhatIfsInput): AnalysisResult['what_if'] {
  const { state, inputs, targets, reach, options } = input
  const attacker = { profile: inputs.profile, horizonDays: inputs.horizon_days }
  return inputs.what_if.map((change) => {
    const changed = changedState(state, change)
    const net = buildNetwork({ state: changed, attacker, sourceIds: inputs.source_ids })
    const network = { ...net.network, probabilities: scaled(net, change) }
    const present = targets.flatMap(({ id }) => net.numberOf.get(id) ?? [])
    const after = reachProbabilities(network, present, options)
    let place = 0
    return {
      op: change.op,
      reach: targets.map((target, index) => {
        const probability = net.numberOf.has(target.id) ? (after[place++]?.probability ?? 0) : 0
        return { target: refOf(target), before: reach[index]?.probability ?? 0, after: probability }
      }),
    }
  })
}

/** The state with the change, where it is one of nodes, relations or controls. */
function changedState(state: TwinState, change: WhatIf): TwinState {
  const { op, asset_id: asset, source_id: from, target_id: to, kind, probability } = change
  if (op === 'remove_asset') return { ...state, nodes: state.nodes.filter(({ id }) => id !== asset) }
  if (op === 'add_relation' && from !== undefined && to !== undefined) {
    const id = '00000000-0000-4000-8000-000000000000'
    const added = { id, from, to, technique: null, hours: null, requires: null }
    const edge = { ...added, kind: kind ?? ('network_reach' as const), p_override: probability ?? null }
    return { ...state, edges: [...state.edges, edge] }
  }
  if (op === 'harden_relation')
    return {
      ...state,
      edges: state.edges.map((edge) =>
        edge.from === from && edge.to === to && (kind === undefined || edge.kind === kind)
          ? { ...edge, p_override: probability ?? edge.p_override }
          : edge,
      ),
    }
  return state
}

/** Probabilities with the change, where it is a factor on the steps into an asset. */
function scaled({ network, edges }: TwinNetwork, change: WhatIf): Float64Array {
  const { op, asset_id: asset, factor = 0, efficacy = 0.9 } = change
  if (op !== 'harden_asset' && op !== 'guardrail') return network.probabilities
  return network.probabilities.map((p, edge) => {
    const { relation, estimate } = edges[edge] ?? { relation: null, estimate: null }
    if (relation === null || estimate === null || relation.to !== asset) return p
    if (op === 'harden_asset') return p * factor
    return estimate.technique.startsWith('AML.T0051') ? p * (1 - efficacy) : p
  })
}
