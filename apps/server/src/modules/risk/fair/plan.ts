/** Checks of models, with the errors of the module. Pure. Tested in plan.test.ts. */
import { type FairModel, lawOf, ModelError, planOf, type ScenarioPlan } from '@parapet/quant'
import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { errors } from '../errors/errors.ts'
import type { ControlBody, FairModelBody } from './model-schema.ts'
import type { NodeValue } from './schema.ts'

/** The plan of a model. @param pointer where the model stands in the body @throws RISK-005, RISK-006 */
export function checkedPlan(model: FairModelBody, pointer: string): ScenarioPlan {
  return translated(() => planOf(fairModel(model), pointer))
}

const rarely = 1e-6
/** Loss events of a year, in all but the rarest years. */
const mostEvents = 10_000
/** Range of the yearly rate that the nodes of the exact engine reach. */
const exactRange = 130

/** Loss events a year, from the lowest to the highest rate but for the rarest. */
function rateRange({ rateFactors, rateScale, yearlyResistance }: ScenarioPlan): { low: number; high: number } {
  const laws = rateFactors.map(({ distribution }) => lawOf(distribution))
  const high = laws.reduce((rate, law) => rate * law.upperQuantile(rarely), rateScale)
  const low = laws.reduce((rate, law) => rate * law.quantile(rarely), rateScale)
  return { low: yearlyResistance === null ? low : 0, high }
}

/** Whether the exact engine keeps its accuracy for the model. */
export function isWithinExact(plan: ScenarioPlan): boolean {
  const { low, high } = rateRange(plan)
  return high - low <= exactRange
}

/** @throws RISK-007 for more events than can be simulated, or rates that range too widely for the exact engine */
export function refuseBeyondEngine(plan: ScenarioPlan, isExact: boolean): void {
  if (rateRange(plan).high > mostEvents) {
    const what = `A model has at most ${mostEvents} loss events a year.`
    throw errors.limitExceeded({ what }).at([{ detail: what, pointer: '/model/nodes' }])
  }
  if (!isExact || isWithinExact(plan)) return
  const what = `Rates that range over more than ${exactRange} events a year are simulated: use monte_carlo.`
  throw errors.limitExceeded({ what }).at([{ detail: what, pointer: '/engine' }])
}

/** A control's shares are probabilities, and the model has the node it acts on. @throws RISK-006 */
export function checkControls(model: FairModelBody, controls: readonly ControlBody[], pointer: string): void {
  controls.forEach((control, i) => {
    for (const name of ['efficacy', 'coverage', 'reliability'] as const)
      translated(() => {
        const at = `${pointer}/${i}/${name}`
        const law = lawOf(control[name], at)
        if (law.low < 0 || law.high > 1) throw new ModelError(at, `${name} is a share of 0 to 1.`)
      })
    translated(() => {
      if (model.nodes[control.node] === undefined)
        throw new ModelError(`${pointer}/${i}/node`, `The model does not give ${control.node}.`)
    })
  })
}

/** Runs what throws the errors of the engine, and throws those of the module. */
export function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof ModelError ? problemOf(error) : error
  }
}

/** Over- and underdetermined trees are told apart from invalid parameters by how the engine begins its sentence. */
function problemOf(error: ModelError): ProblemError {
  const { message, pointer } = error
  const isStructure = /^(Over|Under)determined: /.test(message)
  const problem = isStructure ? errors.modelStructure({ what: message }) : errors.distributionInvalid({ what: message })
  return problem.at([{ detail: message, pointer }]).causedBy(error)
}

/** The engine and the schema describe the same JSON. */
const fairModel = (model: FairModelBody): FairModel => model as FairModel

/** Mean, spread and quantiles of every input of a plan. */
export function nodeValues(plan: ScenarioPlan): NodeValue[] {
  const yearly = plan.yearlyResistance
  const inputs = [
    ...plan.rateFactors,
    ...(yearly === null
      ? []
      : [
          { pointer: '/nodes/threat_capability', distribution: yearly.capability },
          { pointer: '/nodes/resistance_strength', distribution: yearly.resistance },
        ]),
    ...plan.losses,
    ...(plan.secondary === null ? [] : [plan.secondary.probability, ...plan.secondary.losses]),
  ]
  return inputs.map(({ pointer, distribution }) => {
    const law = lawOf(distribution)
    const sd = Math.sqrt(law.variance)
    return {
      pointer,
      mean: law.mean,
      sd: Number.isFinite(sd) ? sd : null,
      p10: law.quantile(0.1),
      p50: law.quantile(0.5),
      p90: law.upperQuantile(0.1),
    }
  })
}
