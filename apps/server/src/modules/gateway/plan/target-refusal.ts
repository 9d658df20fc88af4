import type { EffectivePolicy } from '../policy/effective.ts'
import type { Target } from '../providers/provider.ts'
import { isOffline } from '../providers/provider.ts'
import { worksThere } from '../route-model/conditions.ts'
import { isAllowed, isModelAllowed } from '../words/globs.ts'

/** Bound of a policy that the call would violate. */
export interface Bound {
  readonly rule: string
  readonly what: string
}

/** Why the policies do not let the target be asked; null when they do. */
export function targetRefusal({ provider, model }: Target, { models, providers }: EffectivePolicy): Bound | null {
  if (!isModelAllowed(models, model, `${provider.name}/${model}`) || !isAllowed(providers, provider.name))
    return { rule: 'model-not-allowed', what: `The policy does not allow the model ${model} of ${provider.name}.` }
  // A call to the built-in provider does not leave this process.
  if (isOffline(provider)) return null
  if (providers.require_zero_retention && provider.zeroRetention !== true) {
    const what = `The policy wants providers that keep nothing, and ${provider.name} has not agreed to that.`
    return { rule: 'zero-retention', what }
  }
  const here = providers.residency.every((regions) => worksThere({ provider, model }, regions))
  return here ? null : { rule: 'residency', what: `The policy does not allow the regions ${provider.name} works in.` }
}
