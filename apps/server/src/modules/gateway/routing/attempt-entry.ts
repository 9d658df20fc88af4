import type { AttemptEnd } from '../attempts/call-attempts.ts'
import { errors } from '../declared/errors.ts'
import { UpstreamFault } from '../providers/fault.ts'
import type { ProviderSecret, Target } from '../providers/provider.ts'
import type { Attempt } from '../schemas/request.ts'

interface AskedTarget {
  readonly target: Target
  readonly secret: ProviderSecret | null
}

/** The line of an attempt in the log. @param ms how long it took */
export function attemptEntry({ target, secret }: AskedTarget, outcome: AttemptEnd, ms: number): Attempt {
  return {
    provider: target.provider.name,
    model: target.model,
    key_id: secret?.id ?? null,
    ok: outcome === null,
    status: outcome instanceof UpstreamFault ? outcome.status : null,
    reason: reasonOf(outcome),
    // The caller is told no more than that the provider was not reached.
    ...(outcome instanceof UpstreamFault && outcome.kind === 'refused_address'
      ? { error_code: errors.addressRefused.code }
      : {}),
    ms: Math.round(ms * 1000) / 1000,
    ...(outcome instanceof UpstreamFault && outcome.evidence !== null ? { answer: outcome.evidence } : {}),
  }
}

function reasonOf(outcome: AttemptEnd): string | null {
  if (outcome === null) return null
  if (outcome === 'outrun') return 'cancelled: another target was quicker'
  if (outcome === 'killed') return 'cancelled: a kill switch stopped this target'
  if (outcome === 'ended') return 'cancelled: the call was ended'
  return `${outcome.kind}: ${outcome.message}`.slice(0, 300).toWellFormed()
}
