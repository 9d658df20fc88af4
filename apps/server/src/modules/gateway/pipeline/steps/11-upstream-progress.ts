import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import { errors } from '../../declared/errors.ts'
import { problemOf, UpstreamFault } from '../../providers/fault.ts'
import type { Attempted } from '../../routing/attempt.ts'
import { restingProblem } from '../../routing/fit-target.ts'

export type Failed = Extract<Attempted, { kind: 'failed' }>
export type Killed = Extract<Attempted, { kind: 'killed' }>
export type Resting = Extract<Attempted, { kind: 'resting' }>

/** Where the call stands between two attempts. */
export interface Progress {
  /** Attempts made. */
  asked: number
  /** The target that is asked next. */
  at: number
  /** It was asked in this call before. */
  again: boolean
  /** Its keys that were refused or limited in this call. */
  spent: Set<string>
  readonly faults: Failed[]
  /** Why the last attempt was stopped, where it was: no fault before it tells more. */
  killed: ProblemError | null
  readonly rests: Resting[]
}

export function finalProblem({ faults, killed, rests }: Progress): ProblemError {
  const last = faults.at(-1)
  if (killed !== null) return killed
  if (last === undefined) return restProblem(rests)
  const { name: provider, secrets } = last.target.provider
  if (last.fault.kind === 'credential' && secrets.length === 0)
    return errors.credentialRejected({ provider, how: 'asks for a key, and none is stored' }).causedBy(last.fault)
  // Nothing was given out yet, so a connection that broke is a provider that did not answer.
  if (last.fault.kind === 'broken')
    return errors.upstreamFailed({ provider, how: 'broke off before it had answered' }).causedBy(last.fault)
  if (last.fault.kind !== 'rate_limited') return problemOf(last.fault, provider)
  const waits = faults.flatMap(({ fault }) => (fault.retryAfterMs === null ? [] : [fault.retryAfterMs]))
  const soonest = waits.length === 0 ? null : Math.min(...waits)
  const limited = { retryAfterMs: soonest, cause: last.fault }
  return problemOf(new UpstreamFault('rate_limited', last.fault.message, limited), provider)
}

/** No provider was asked. A target that waits for the tenant's own limits is not failing. */
export function restProblem(rests: readonly Resting[]): ProblemError {
  const restMs = Math.min(...rests.map((rest) => rest.restMs))
  if (!rests.some(({ limited }) => limited)) return restingProblem(restMs)
  const provider = rests[0]?.target.provider.name ?? ''
  return problemOf(new UpstreamFault('rate_limited', 'its own limits are used up', { retryAfterMs: restMs }), provider)
}
