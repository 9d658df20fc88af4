import { lawOf } from '../distributions/law.ts'
import type { Law } from '../distributions/specification.ts'
import { betaRule, type Rule, reduceRule } from '../numeric/quadrature.ts'
import type { ScenarioPlan } from './fair-model.ts'

/** Nodes of each factor of a product, at least. */
const fineNodes = 32
const mostNodes = 128

/** Nodes and weights of a law: Gauss–Jacobi for a beta law; for others the Gauss rule of 4,096 equal parts. */
export function ruleOf(law: Law, n: number): Rule {
  if (law.low === law.high) return { nodes: [law.low], weights: [1] }
  if (law.beta !== undefined) {
    const { nodes, weights } = betaRule(law.beta.alpha, law.beta.beta, n)
    return { nodes: nodes.map((t) => law.low + t * (law.high - law.low)), weights }
  }
  if (law.atoms !== undefined) return reduceRule({ nodes: law.atoms.values, weights: law.atoms.probabilities }, n)
  return reduceRule(conditionalMeans(law), n)
}

/** Midpoints of equal parts of the probability scale, halving towards both ends. */
function conditionalMeans(law: Law): Rule {
  const nodes: number[] = []
  const weights: number[] = []
  const part = (p: number, width: number): void => {
    nodes.push(p < 0.5 ? law.quantile(p) : law.upperQuantile(1 - p))
    weights.push(width)
  }
  for (let i = 4; i < 2_044; i += 1) part((i + 0.5) / 2_048, 1 / 2_048)
  for (let octave = 0; octave < 40; octave += 1) {
    const start = 2 ** -(octave + 10)
    for (let i = 0; i < 16; i += 1) {
      const p = start * (1 + (i + 0.5) / 16)
      nodes.push(law.quantile(p), law.upperQuantile(p))
      weights.push(start / 16, start / 16)
    }
  }
  return { nodes, weights }
}

/** Rule of the year's rate Λ: the product of its factors, reduced to n nodes. */
export function rateRule(plan: ScenarioPlan, n: number): Rule {
  const fine = Math.max(fineNodes, n)
  let rule: Rule = { nodes: [plan.rateScale], weights: [1] }
  for (const { distribution } of plan.rateFactors) rule = product(rule, ruleOf(lawOf(distribution), fine), fine)
  if (plan.yearlyResistance !== null) {
    const capability = lawOf(plan.yearlyResistance.capability)
    const resistance = conditionalMeans(lawOf(plan.yearlyResistance.resistance))
    const law = lawOf(plan.yearlyResistance.resistance)
    const { nodes, weights } =
      law.atoms === undefined ? resistance : { nodes: law.atoms.values, weights: law.atoms.probabilities }
    rule = product(rule, reduceRule({ nodes: nodes.map((x) => 1 - capability.cdf(x)), weights }, fine), fine)
  }
  return reduceRule(rule, n)
}

/** Law of the product of two independent variables. */
function product(a: Rule, b: Rule, n: number): Rule {
  const nodes: number[] = []
  const weights: number[] = []
  a.nodes.forEach((x, i) => {
    b.nodes.forEach((y, j) => {
      nodes.push(x * y)
      weights.push((a.weights[i] ?? 0) * (b.weights[j] ?? 0))
    })
  })
  return reduceRule({ nodes, weights }, n)
}

/** Mean and variance of a rule. */
export function ruleMoments({ nodes, weights }: Rule): { readonly mean: number; readonly variance: number } {
  const mean = nodes.reduce((sum, x, i) => sum + x * (weights[i] ?? 0), 0)
  return { mean, variance: nodes.reduce((sum, x, i) => sum + (x - mean) ** 2 * (weights[i] ?? 0), 0) }
}

/** Nodes for e^(c x) over an interval of that width: the error (width/4)^2n / (2n)! keeps below 1e-9
 * up to a width of 270. */
export function nodesFor(width: number): number {
  return Math.min(mostNodes, Math.ceil(6 + 0.45 * width))
}
