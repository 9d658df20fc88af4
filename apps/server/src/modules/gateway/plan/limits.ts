/** Keeps a call within the tenant's output limit for a model. Pure. Tested in models.test.ts. */

import type { CanonicalCall } from '../call/call.ts'
import type { Target } from '../providers/provider.ts'

/** The call with no more tokens asked for than the target may write, where the tenant said so. */
export function withinLimits(call: CanonicalCall, { provider, model }: Target): CanonicalCall {
  const most = provider.ownModels?.get(model)?.maxOutputTokens ?? null
  if (most === null || call.embed !== null || (call.maxTokens ?? Number.POSITIVE_INFINITY) <= most) return call
  return { ...call, maxTokens: most }
}
