/**
 * The tenant's own limits for a provider: concurrent calls in this process, calls and tokens per minute over all
 * processes. Promises that no provider is asked beyond them and that a call of another provider never waits for them.
 * Tokens of the answer are counted when it is over, so the last calls of a minute may overrun it. Tested in
 * upstream-limits.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { once } from '../../../kernel/base/once.ts'
import type { LimitRule } from '../../../kernel/limits/port.ts'
import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { CanonicalCall } from '../call/call.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import { takeWhatFits } from '../money/limits.ts'
import { usageOf } from '../money/usage.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { Provider, Target } from '../providers/provider.ts'
import type { ProviderLimits } from '../schemas/provider-limits.ts'
import { countInput } from '../tokens/bounds.ts'
import type { AskingParts } from './asking-parts.ts'

type Parts = Pick<AskingParts, 'kernel' | 'concurrency'>

/** Releases the place, or the time until one may be free. */
export type Place = { readonly leave: () => void } | { readonly restMs: number }

const free: Place = { leave: () => {} }
/** A running call ends at an unknown time. */
const untilOneEnds = 1000
const minuteMs = 60_000

/** A request to a provider: the call itself, or a question asked on its behalf. */
export interface Asking {
  readonly tenantId: TenantId
  readonly call: CanonicalCall
}

export function takePlace(parts: Parts, asking: Asking, { provider }: Target): Place | Promise<Place> {
  const { limits } = provider
  if (limits === undefined || (limits.max_concurrency ?? limits.rpm ?? limits.tpm) === null) return free
  return takeAll(parts, asking, { provider, limits })
}

interface Braked {
  readonly provider: Provider
  readonly limits: ProviderLimits
}

async function takeAll(
  { kernel, concurrency }: Parts,
  { tenantId, call }: Asking,
  { provider, limits: { max_concurrency: atOnce, rpm, tpm } }: Braked,
): Promise<Place> {
  const tokens = tpm === null ? 0 : Math.min(countInput(call).about, tpm)
  const counted = [
    ...(tpm === null ? [] : [{ ...counterOf(tenantId, provider, { unit: 'tpm', limit: tpm }), cost: tokens }]),
    ...(rpm === null ? [] : [{ ...counterOf(tenantId, provider, { unit: 'rpm', limit: rpm }), cost: 1 }]),
  ]
  const wanted = atOnce === null ? [] : [{ key: provider.id, max: atOnce }]
  const leave = concurrency.enter(wanted)
  if (typeof leave !== 'function') return { restMs: untilOneEnds }
  for (const step of ['peek', 'take'] as const) {
    for (const { key, rule, cost } of counted) {
      const decision = await kernel.limits[step](key, rule, cost)
      if (decision.allowed) continue
      leave()
      return { restMs: decision.retryAfterMs }
    }
  }
  return { leave: once(leave) }
}

interface Counted {
  readonly unit: 'rpm' | 'tpm'
  readonly limit: number
}

function counterOf(tenantId: TenantId, { id }: Provider, { unit, limit }: Counted) {
  const rule: LimitRule = { limit, windowMs: minuteMs }
  return { key: `{${tenantId}}:gateway:provider:${id}:${unit}:${limit}`, rule }
}

/** Counts the tokens of an answer. Nobody waits for it. */
export function countAnswer(
  { kernel }: Pick<Parts, 'kernel'>,
  state: WithFacts & WithPlan & WithAttempts & WithAnswer,
): void {
  const tpm = state.attempts.served?.provider.limits?.tpm ?? null
  const used = usageOf(state)?.completion_tokens ?? 0
  if (state.attempts.served === null || tpm === null || used === 0) return
  const { key, rule } = counterOf(state.facts.tenantId, state.attempts.served.provider, { unit: 'tpm', limit: tpm })
  kernel.background('count an answer for its provider', takeWhatFits(kernel, { key, rule, used }))
}
