import { type Distribution, ModelError } from './specification.ts'

const maximumSample = 100_000

/** Parameters that must be above zero, by family. */
const positive: Readonly<Record<string, readonly string[]>> = {
  beta: ['alpha', 'beta'],
  truncated_normal: ['sd'],
  lognormal: ['mean', 'sd'],
  lognormal_interval: ['p05'],
  gamma: ['shape', 'scale'],
  exponential: ['mean'],
  weibull: ['shape', 'scale'],
  pareto: ['minimum', 'shape'],
  generalized_pareto: ['scale'],
}

/** Parameters in the order they must rise in, by family; strictly where the ends must differ. */
const rising: Readonly<Record<string, readonly string[]>> = {
  uniform: ['low', 'high'],
  triangular: ['low', 'mode', 'high'],
  pert: ['low', 'mode', 'high'],
  beta: ['low', 'high'],
  truncated_normal: ['low', 'high'],
  lognormal_interval: ['p05', 'p95'],
}

/** @throws ModelError for parameters without a distribution; `pointer` leads to the distribution. */
export function validateDistribution(distribution: Distribution, pointer: string): void {
  const fields = new Map<string, unknown>(Object.entries(distribution))
  for (const [name, value] of fields)
    if (typeof value === 'number' && !Number.isFinite(value)) throw new ModelError(`${pointer}/${name}`, 'Not finite.')
  const field = (name: string): number | undefined => {
    const value = fields.get(name)
    return typeof value === 'number' ? value : undefined
  }
  for (const name of positive[distribution.type] ?? [])
    if (!((field(name) ?? 0) > 0)) throw new ModelError(`${pointer}/${name}`, `${name} must be above 0.`)
  checkOrder(rising[distribution.type] ?? [], field, pointer)
  if (distribution.type === 'pert') checkPert(distribution, pointer)
  if (distribution.type === 'generalized_pareto' && distribution.shape >= 1)
    throw new ModelError(`${pointer}/shape`, 'The shape must be below 1: the mean is infinite.')
  if (distribution.type === 'pareto' && distribution.shape <= 1)
    throw new ModelError(`${pointer}/shape`, 'The shape must be above 1: the mean is infinite.')
  if (distribution.type === 'empirical') checkSample(distribution.sample, `${pointer}/sample`)
  if (distribution.type === 'discrete') checkDiscrete(distribution, pointer)
}

function checkOrder(names: readonly string[], field: (name: string) => number | undefined, pointer: string): void {
  const given = names.flatMap((name) => {
    const value = field(name)
    return value === undefined ? [] : [{ name, value }]
  })
  given.forEach(({ name, value }, i) => {
    const before = given[i - 1]
    if (before !== undefined && value < before.value)
      throw new ModelError(`${pointer}/${before.name}`, `${before.name} must not be above ${name}.`)
  })
  const [first, last] = [given[0], given.at(-1)]
  if (given.length > 1 && first?.value === last?.value)
    throw new ModelError(`${pointer}/${last?.name}`, `${first?.name} and ${last?.name} must differ.`)
}

function checkPert(pert: Extract<Distribution, { readonly type: 'pert' }>, pointer: string): void {
  const shape = pert.shape ?? 4
  if (!(shape > 0 && shape <= 1_000)) throw new ModelError(`${pointer}/shape`, 'shape must be above 0, at most 1,000.')
}

function checkSample(sample: readonly number[], pointer: string): void {
  if (sample.length === 0 || sample.length > maximumSample)
    throw new ModelError(pointer, `A sample has 1 to ${maximumSample} values.`)
  const wrong = sample.findIndex((value) => !Number.isFinite(value))
  if (wrong >= 0) throw new ModelError(`${pointer}/${wrong}`, 'Not finite.')
}

function checkDiscrete(
  { values, probabilities }: Extract<Distribution, { readonly type: 'discrete' }>,
  pointer: string,
): void {
  checkSample(values, `${pointer}/values`)
  checkSample(probabilities, `${pointer}/probabilities`)
  if (values.length !== probabilities.length)
    throw new ModelError(`${pointer}/probabilities`, 'There must be one probability for each value.')
  const wrong = probabilities.findIndex((p) => !(p >= 0 && p <= 1))
  if (wrong >= 0) throw new ModelError(`${pointer}/probabilities/${wrong}`, 'A probability is 0 to 1.')
  const sum = probabilities.reduce((total, p) => total + p, 0)
  if (Math.abs(sum - 1) > 1e-9) throw new ModelError(`${pointer}/probabilities`, 'The probabilities must add up to 1.')
}
