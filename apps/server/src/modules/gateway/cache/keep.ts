/**
 * Keeps the answer of a call that may be given again. Promises that nothing incomplete, blocked, doubtful or unseen is
 * shared, and that an answer whose content the policy or the caller does not let be kept is not stored. Tested in
 * keep.test.ts.
 */
import type { CallState } from '../pipeline/call-state.ts'
import type { Found } from '../pipeline/findings.ts'
import type { PipelineParts } from '../pipeline/parts.ts'
import { remarksOf } from '../pipeline/remarks.ts'
import { timingsOf } from '../records/row.ts'
import type { CachedAnswer } from './entry.ts'
import { defaultSettings } from './rules.ts'
import type { Kept } from './store.ts'

/** Once the outcome is stored: hands the answer to those who wait, then to those who will ask. */
export function keepAnswer({ cache, kernel }: Pick<PipelineParts, 'cache' | 'kernel'>, state: CallState): void {
  const { fill, served } = state
  if (fill === null || served === null || state.status !== 'completed' || !mayBeShared(state)) return
  // From here on the flight ends here and not with the call.
  state.fill = null
  const answer: CachedAnswer = {
    provider: served.provider.name,
    model: served.model,
    storedAtMs: kernel.clock.now(),
    upstreamMs: timingsOf(state, kernel.clock.monotonic()).upstream_ms,
    events: [...state.inspected],
    remarks: remarksOf(state),
  }
  fill.flight?.land(answer)
  const ttlMs = Math.min(fill.rules.ttlMs, keptDays(state) * dayMs)
  // Until it can be found in the store it can be found in the air.
  const storing =
    ttlMs <= 0 ? Promise.resolve() : cache.store.keep(keptOf(state, { fill, answer, id: kernel.random.uuid(), ttlMs }))
  kernel.background(
    'keep an answer',
    storing.finally(() => fill.flight?.close()),
  )
}

const dayMs = 86_400_000

/** Steps whose remarks say nothing against an answer: values that were hidden or let through, fields left out. */
const harmlessSteps: ReadonlySet<string> = new Set(['sensitive_data', 'upstream_call'])

function mayBeShared({ inspected, found, failOpen, monitored, policy }: CallState): boolean {
  const ends = inspected.filter((event) => event.type === 'finish')
  const whole = ends.length > 0 && ends.every(({ reason }) => reason === 'stop' || reason === 'tool_calls')
  const { entities } = policy.effective.sensitive_data
  // What the policy lets through wherever it stands says nothing against an answer either.
  const isLet = ({ rule, action }: Found): boolean => action === 'flag' && entities[rule]?.action === 'flag'
  const doubted = [...found.values()].some(
    (one) => one.action === 'would_block' || !(harmlessSteps.has(one.step) || isLet(one)),
  )
  return whole && !doubted && failOpen.length === 0 && monitored === null
}

/** Days for which content of the call may be kept. */
function keptDays({ policy, facts }: CallState): number {
  const { level, payload_ttl_days: days } = policy.effective.retention
  return level === 'metadata' || facts.asked.retention === 'metadata' ? 0 : days
}

interface Keeping {
  readonly fill: NonNullable<CallState['fill']>
  readonly answer: CachedAnswer
  readonly id: string
  readonly ttlMs: number
}

function keptOf({ facts, route, policy, snapshot }: CallState, { fill, answer, id, ttlMs }: Keeping): Kept {
  return {
    facts: {
      id,
      tenant_id: facts.tenantId,
      call_id: facts.id,
      request_id: facts.requestId,
      user_id: facts.actor.userId,
      key_id: facts.actor.keyId,
      route: route?.name ?? null,
      policies: policy.sources.map((source) => `${source.id}@${source.version}`),
      key: fill.key,
      expires_at: new Date(answer.storedAtMs + ttlMs).toISOString(),
    },
    answer,
    near: fill.near,
    askedAtMs: Date.parse(facts.startedAt),
    maxBytes: (snapshot.cache ?? defaultSettings).max_bytes,
  }
}
