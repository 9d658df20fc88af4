/** The law of a service's own recovery: its steps, and restores that fail and are repeated. Pure. Tested in exact.test.ts. */
import { type DurationLaw as Duration, type Law, mixtureOfDurations, sumOfDurations } from '@parapet/quant'
import type { ServiceBody } from '../declared/model-schema.ts'
import { preparingSteps } from '../declared/words.ts'
import { declaredLaw } from './plan.ts'

/** Laws are dear, and services share their steps. */
const recoveries = new Map<string, Duration>()

/** The time from a failure of the service itself to its return; null where no steps are declared. */
export function ownRecovery({ recovery_steps: steps = [], data }: ServiceBody, i: number): Duration | null {
  if (steps.length === 0) return null
  const success = data?.restore_success ?? 1
  const key = JSON.stringify([
    success,
    steps.map(({ step, distribution }) => [preparingSteps.includes(step), distribution]),
  ])
  const known = recoveries.get(key)
  if (known !== undefined) return known
  const laws = (isPreparing: boolean): readonly Law[] =>
    steps.flatMap(({ step, distribution }, j) =>
      preparingSteps.includes(step) === isPreparing
        ? [declaredLaw(distribution, `/services/${i}/recovery_steps/${j}/distribution`)]
        : [],
    )
  if (recoveries.size > 500) recoveries.clear()
  const law = withRepeats({ prepare: laws(true), restore: laws(false), success })
  recoveries.set(key, law)
  return law
}

/** Restores after which the rest of the probability counts as good: below a thousandth for a success of a half. */
const mostRestores = 10

interface Repeating {
  readonly prepare: readonly Law[]
  readonly restore: readonly Law[]
  readonly success: number
}

/** A failed restore repeats its steps with an older copy: the number of restores is geometric. */
function withRepeats({ prepare, restore, success }: Repeating): Duration {
  const parts: { weight: number; law: Duration }[] = []
  let left = 1
  let laws = [...prepare]
  for (let restores = 1; restores <= mostRestores && left > 1e-6; restores += 1) {
    laws = [...laws, ...restore]
    const weight = restores === mostRestores ? left : left * success
    parts.push({ weight, law: sumOfDurations(laws) })
    left -= weight
  }
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only.law : mixtureOfDurations(parts)
}
