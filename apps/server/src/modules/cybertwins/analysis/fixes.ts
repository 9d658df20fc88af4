/**
 * Changes that a defender can make to the ways an attacker has, each a control on one asset with the steps that it acts
 * on, its cost and its efficacy. Pure. Tested in analyze.test.ts.
 */
import type { Change } from '@parapet/graph'
import type { AnalysisInputs, Fix } from '../declared/analysis-schema.ts'
import { actsOn } from '../model/edge.ts'
import type { Focus } from '../model/focus.ts'
import type { NetworkEdge, TwinNetwork } from '../model/network.ts'
import type { TwinNode } from '../model/state.ts'

type ControlName = Fix['control']

interface Measure {
  readonly cost: number
  /** Share of attempts that it is taken to stop. */
  readonly efficacy: number
}

/** Costs are relative: 1 is a switch, 5 a project. */
const measures: Readonly<Record<ControlName, Measure>> = {
  injection_guardrail: { cost: 2, efficacy: 0.9 },
  tool_approval: { cost: 1, efficacy: 0.9 },
  least_privilege: { cost: 3, efficacy: 0.9 },
  egress_allowlist: { cost: 2, efficacy: 0.9 },
  patch: { cost: 2, efficacy: 1 },
  second_factor: { cost: 1, efficacy: 0.9 },
  segmentation: { cost: 4, efficacy: 0.95 },
  secret_vault: { cost: 3, efficacy: 0.8 },
  signed_tool_definitions: { cost: 2, efficacy: 0.9 },
  supplier_review: { cost: 5, efficacy: 0.5 },
}

const injections = { techniques: ['AML.T0051', 'AML.T0070', 'AML.T0080'] }
/** Attempts of which a measured guardrail of this tenant tells enough to be the efficacy of another one. */
const enoughAttempts = 20

/** A change with the edges of the focus that it acts on. */
export interface Candidate extends Change {
  readonly control: ControlName
  readonly asset: TwinNode
  readonly efficacy: number
  readonly basis: Fix['basis']
  readonly relationIds: readonly string[]
}

/** Controls that would act on steps of the focus, each on one asset. */
export function candidatesOf(net: TwinNetwork, focus: Focus): readonly Candidate[] {
  const measured = bestMeasured(net)
  const groups = new Map<string, { control: ControlName; asset: TwinNode; edges: number[] }>()
  for (const [place, edge] of focus.edges.entries()) {
    const found = net.edges[edge]
    const control = found === undefined ? null : controlFor(found)
    const asset = found?.relation == null ? null : (net.nodes[net.numberOf.get(found.relation.to) ?? -1] ?? null)
    if (control === null || asset === null) continue
    const key = `${control} ${asset.id}`
    const group = groups.get(key) ?? { control, asset, edges: [] }
    group.edges.push(place)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap((group) => candidateOf(net, focus, { ...group, measured }))
}

function controlFor({ relation, estimate }: NetworkEdge): ControlName | null {
  if (relation === null || estimate === null) return null
  if (estimate.basis === 'vulnerabilities') return 'patch'
  if (actsOn(injections, estimate.technique)) return 'injection_guardrail'
  return byKind[relation.kind] ?? null
}

const byKind: Partial<Record<NonNullable<NetworkEdge['relation']>['kind'], ControlName>> = {
  network_reach: 'segmentation',
  exploits: 'segmentation',
  authenticates_as: 'second_factor',
  member_of: 'least_privilege',
  admin_of: 'least_privilege',
  contains_secret: 'secret_vault',
  reads: 'least_privilege',
  writes: 'least_privilege',
  trusts: 'supplier_review',
  depends_on: 'supplier_review',
  invokes_tool: 'tool_approval',
  serves_tool: 'signed_tool_definitions',
  egress_to: 'egress_allowlist',
}

interface Group {
  readonly control: ControlName
  readonly asset: TwinNode
  readonly edges: readonly number[]
  readonly measured: number | null
}

/** None where the control would change nothing, because as much is stopped already. */
function candidateOf(net: TwinNetwork, focus: Focus, { control, asset, edges, measured }: Group): Candidate[] {
  const isMeasured = control === 'injection_guardrail' && measured !== null
  const efficacy = isMeasured ? measured : measures[control].efficacy
  const factors = edges.flatMap((edge) => {
    const { estimate = null } = net.edges[focus.edges[edge] ?? -1] ?? {}
    const factor = estimate === null ? 1 : factorOf(control, estimate, efficacy)
    return factor < 1 ? [{ edge, factor }] : []
  })
  if (factors.length === 0) return []
  const relationIds = factors.flatMap(({ edge }) => net.edges[focus.edges[edge] ?? -1]?.relation?.id ?? [])
  const basis = isMeasured ? ('measured' as const) : ('assumed' as const)
  return [{ control, asset, efficacy, basis, relationIds, cost: measures[control].cost, factors }]
}

/** Factor on a step: up to the efficacy of the control, less what is stopped there already. */
function factorOf(
  control: ControlName,
  { p, patched, stopped }: NonNullable<NetworkEdge['estimate']>,
  efficacy: number,
): number {
  if (control === 'patch') return p === 0 ? 1 : Math.min(1, patched / p)
  return stopped >= 1 ? 1 : Math.min(1, (1 - efficacy) / (1 - stopped))
}

/** Best efficacy of a guardrail that was measured on enough attempts in this twin. */
function bestMeasured({ nodes }: TwinNetwork): number | null {
  const found = nodes
    .flatMap((node) => node?.controls ?? [])
    .filter(({ measured }) => measured !== null && measured.blocked + measured.passed >= enoughAttempts)
    .map(({ efficacy }) => efficacy)
  return found.length === 0 ? null : Math.max(...found)
}

export const costOfIsolation = (costs: AnalysisInputs['costs'], id: string): number =>
  costs.find(({ asset_id: asset }) => asset === id)?.cost ?? 1
