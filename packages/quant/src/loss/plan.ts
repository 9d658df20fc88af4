import { lawOf } from '../distributions/law.ts'
import { type Distribution, type Law, ModelError } from '../distributions/specification.ts'
import {
  type FairModel,
  type FairNodes,
  type LossNode,
  lossForms,
  type NamedDistribution,
  type NodeName,
  type ScenarioPlan,
} from './fair-model.ts'
import { vulnerabilityOf } from './vulnerability.ts'

/** Children of each derived node; `secondary_loss` alone may be missing. */
const children: Readonly<Partial<Record<NodeName, readonly NodeName[]>>> = {
  risk: ['loss_event_frequency', 'loss_magnitude'],
  loss_event_frequency: ['threat_event_frequency', 'vulnerability'],
  threat_event_frequency: ['contact_frequency', 'probability_of_action'],
  vulnerability: ['threat_capability', 'resistance_strength'],
  loss_magnitude: ['primary_loss', 'secondary_loss'],
  secondary_loss: ['secondary_loss_event_frequency', 'secondary_loss_magnitude'],
}
const optional: ReadonlySet<NodeName> = new Set(['secondary_loss'])
const probabilities: ReadonlySet<NodeName> = new Set([
  'probability_of_action',
  'vulnerability',
  'secondary_loss_event_frequency',
])
const scales: ReadonlySet<NodeName> = new Set(['threat_capability', 'resistance_strength'])

/**
 * Checks a model and brings it into the form that the engines evaluate.
 * @throws ModelError for a node given together with its children, a missing node, or invalid parameters.
 */
export function planOf(model: FairModel, pointer = ''): ScenarioPlan {
  const { nodes } = model
  checkTree(nodes, 'risk', `${pointer}/nodes`)
  checkBounds(nodes, `${pointer}/nodes`)
  const count = model.count ?? { law: 'poisson' }
  if (count.law === 'negative_binomial' && !(count.dispersion > 0 && count.dispersion <= 1_000))
    throw new ModelError(`${pointer}/count/dispersion`, 'The dispersion must be above 0, at most 1,000.')
  if (nodes.risk !== undefined) return annualLossPlan(nodes.risk, `${pointer}/nodes/risk`)
  const plan = { count, ...rateOf(model, pointer), ...lossesOf(nodes, `${pointer}/nodes`) }
  if (count.law === 'bernoulli' && largestRate(plan) > 1)
    throw new ModelError(`${pointer}/count`, 'With at most one event a year the rate must be at most 1.')
  return plan
}

function annualLossPlan(distribution: Distribution, pointer: string): ScenarioPlan {
  return {
    count: { law: 'annual_loss' },
    rateFactors: [],
    rateScale: 1,
    yearlyResistance: null,
    losses: [{ pointer, distribution }],
    secondary: null,
  }
}

function largestRate(plan: Pick<ScenarioPlan, 'rateFactors' | 'rateScale'>): number {
  return plan.rateFactors.reduce((rate, { distribution }) => rate * lawOf(distribution).high, plan.rateScale)
}

/** Whether a node or any node below it is given. */
function givenBelow(nodes: FairNodes, node: NodeName): readonly NodeName[] {
  return (children[node] ?? []).flatMap((child) => [
    ...(nodes[child] === undefined ? [] : [child]),
    ...givenBelow(nodes, child),
  ])
}

function checkTree(nodes: FairNodes, node: NodeName, pointer: string): void {
  const below = givenBelow(nodes, node)
  if (nodes[node] !== undefined) {
    if (below.length > 0)
      throw new ModelError(`${pointer}/${node}`, `Overdetermined: ${node} is given together with ${below.join(', ')}.`)
    return
  }
  if (below.length === 0 && optional.has(node)) return
  if (below.length === 0 || children[node] === undefined)
    throw new ModelError(`${pointer}/${node}`, `Underdetermined: ${node} is neither given nor derived.`)
  for (const child of children[node] ?? []) checkTree(nodes, child, pointer)
}

function isForms(node: LossNode): node is Exclude<LossNode, Distribution> {
  return 'forms' in node
}

function distributionsOf(node: LossNode, pointer: string): readonly NamedDistribution[] {
  if (!isForms(node)) return [{ pointer, distribution: node }]
  const named = lossForms.flatMap((form) => {
    const distribution = node.forms[form]
    return distribution === undefined ? [] : [{ pointer: `${pointer}/forms/${form}`, distribution }]
  })
  if (named.length === 0) throw new ModelError(`${pointer}/forms`, 'At least one form of loss must be given.')
  return named
}

function checkBounds(nodes: FairNodes, pointer: string): void {
  const check = (name: NodeName, node: LossNode | undefined): void => {
    if (node === undefined) return
    for (const { pointer: at, distribution } of distributionsOf(node, `${pointer}/${name}`)) {
      const law: Law = lawOf(distribution, at)
      if (!scales.has(name) && law.low < 0) throw new ModelError(at, `${name} must not be negative.`)
      if (probabilities.has(name) && law.high > 1) throw new ModelError(at, `${name} is a probability: at most 1.`)
    }
  }
  check('primary_loss', nodes.primary_loss)
  check('secondary_loss_magnitude', nodes.secondary_loss_magnitude)
  const { primary_loss: _, secondary_loss_magnitude: __, ...plain } = nodes
  for (const name of ['risk', ...givenBelow(nodes, 'risk')] satisfies NodeName[])
    if (name !== 'primary_loss' && name !== 'secondary_loss_magnitude') check(name, plain[name])
}

function rateOf(
  { nodes, resistance_scope: scope = 'per_event' }: FairModel,
  pointer: string,
): Pick<ScenarioPlan, 'rateFactors' | 'rateScale' | 'yearlyResistance'> {
  const names = [
    'loss_event_frequency',
    'threat_event_frequency',
    'contact_frequency',
    'probability_of_action',
    'vulnerability',
  ] as const
  let rateScale = 1
  const rateFactors: NamedDistribution[] = []
  for (const name of names) {
    const distribution = nodes[name]
    if (distribution === undefined) continue
    const law = lawOf(distribution)
    if (law.low === law.high) rateScale *= law.low
    else rateFactors.push({ pointer: `${pointer}/nodes/${name}`, distribution })
  }
  const { threat_capability: capability, resistance_strength: resistance } = nodes
  if (capability === undefined || resistance === undefined) return { rateFactors, rateScale, yearlyResistance: null }
  if (scope === 'per_year') return { rateFactors, rateScale, yearlyResistance: { capability, resistance } }
  const vulnerability = vulnerabilityOf(lawOf(capability), lawOf(resistance))
  return { rateFactors, rateScale: rateScale * vulnerability, yearlyResistance: null }
}

function lossesOf(nodes: FairNodes, pointer: string): Pick<ScenarioPlan, 'losses' | 'secondary'> {
  const at = (name: NodeName): string => `${pointer}/${name}`
  if (nodes.loss_magnitude !== undefined)
    return { losses: [{ pointer: at('loss_magnitude'), distribution: nodes.loss_magnitude }], secondary: null }
  const primary = nodes.primary_loss === undefined ? [] : distributionsOf(nodes.primary_loss, at('primary_loss'))
  if (nodes.secondary_loss !== undefined)
    return {
      losses: [...primary, { pointer: at('secondary_loss'), distribution: nodes.secondary_loss }],
      secondary: null,
    }
  const { secondary_loss_event_frequency: probability, secondary_loss_magnitude: magnitude } = nodes
  if (probability === undefined || magnitude === undefined) return { losses: primary, secondary: null }
  return {
    losses: primary,
    secondary: {
      probability: { pointer: at('secondary_loss_event_frequency'), distribution: probability },
      losses: distributionsOf(magnitude, at('secondary_loss_magnitude')),
    },
  }
}
