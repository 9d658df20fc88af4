/** Bounds of a simulation. Tested in simulations.test.ts. */
import { errors } from '../errors/errors.ts'
import { checkControls } from '../fair/plan.ts'
import type { AnalysisRow } from '../fair/schema.ts'
import { mostChosenControls } from './decision-tasks.ts'
import type { Inputs, NewSimulation } from './schema.ts'

export const defaultIterations = 100_000
/** Years times analyses, whose losses are held in memory: 80 MB. */
const mostLosses = 10_000_000
const mostSamples = 262_144
/** Analyses whose exact laws a thread makes before the first block. */
const mostCorrelatedLosses = 50

/** Whether it holds, and what is wrong and where when it does not. */
type Rule = readonly [holds: boolean, detail: string, pointer: string]

interface Judged {
  readonly body: NewSimulation
  readonly inputs: Inputs
  readonly found: readonly Pick<AnalysisRow, 'currency' | 'model'>[]
}

/** @throws RISK-006, RISK-007 */
export function refuseBeyondLimits(judged: Judged): void {
  const rules = [...ofAnalyses(judged), ...ofCorrelation(judged), ...ofControls(judged), ...ofAmounts(judged)]
  const broken = rules.find(([holds]) => !holds)
  if (broken !== undefined) {
    const [, detail, pointer] = broken
    throw errors.limitExceeded({ what: detail }).at([{ detail, pointer }])
  }
  const [first] = judged.found
  if (judged.inputs.kind === 'control_roi' && first !== undefined)
    checkControls(first.model, judged.inputs.controls, '/controls')
}

function ofAnalyses({ inputs: { kind }, found }: Judged): readonly Rule[] {
  const currencies = [...new Set(found.map(({ currency }) => currency))]
  return [
    [currencies.length < 2, `The analyses are in ${currencies.join(' and ')}: one currency adds up.`, '/analysis_ids'],
    [kind === 'portfolio' || found.length === 1, `The kind ${kind} takes one analysis.`, '/analysis_ids'],
  ]
}

function ofCorrelation({ inputs: { kind, correlation, sampling }, found }: Judged): readonly Rule[] {
  if (correlation === null) return []
  const { spearman, variables } = correlation
  return [
    [kind === 'portfolio', 'Only a portfolio is correlated.', '/correlation'],
    [
      spearman.length === (variables ?? found).length,
      'The matrix has one row for each variable, or for each analysis.',
      '/correlation/spearman',
    ],
    [
      variables !== null || found.length <= mostCorrelatedLosses,
      `Annual losses of at most ${mostCorrelatedLosses} analyses are correlated; name variables of more.`,
      '/analysis_ids',
    ],
    [sampling === 'pseudo', 'A correlated portfolio is sampled by pseudo.', '/sampling'],
  ]
}

function ofControls({ body, inputs: { kind, controls, sampling } }: Judged): readonly Rule[] {
  const isOfControls = kind === 'control_roi'
  return [
    [!isOfControls || controls.length > 0, 'There is no control to value.', '/controls'],
    [isOfControls || body.controls === undefined, 'Only control_roi takes controls.', '/controls'],
    [isOfControls || body.budget === undefined, 'Only control_roi takes a budget.', '/budget'],
    [
      body.budget === undefined || controls.length <= mostChosenControls,
      `A budget is searched over at most ${mostChosenControls} controls.`,
      '/controls',
    ],
    [!isOfControls || sampling === 'pseudo', 'Controls are sampled by pseudo.', '/sampling'],
  ]
}

function ofAmounts({ body, inputs: { kind, target }, found }: Judged): readonly Rule[] {
  const iterations = body.iterations ?? defaultIterations
  const isOfSamples = kind === 'sensitivity'
  return [
    [!isOfSamples || target === null, 'A sensitivity has no target.', '/target'],
    [!isOfSamples || iterations <= mostSamples, `A sensitivity takes at most ${mostSamples} samples.`, '/iterations'],
    [iterations * found.length <= mostLosses, `Iterations times analyses are at most ${mostLosses}.`, '/iterations'],
  ]
}
