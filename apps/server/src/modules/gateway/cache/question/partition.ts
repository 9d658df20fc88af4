/**
 * Lookup keys of a kept answer. The partition is part of every hash: another tenant, caller, set of policies, data
 * class or target results in another key, so nothing can be found across partitions. Pure. Tested in partition.test.ts.
 */
import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import type { Turn } from '../../call/call.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { dataClassOf } from '../../inspection/data-class.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import { guardOf } from './guard.ts'
import type { CacheRules } from './rules.ts'

type Asking = WithFacts & WithPlan & WithFindings

/** Equal for calls that are equal except for metadata. */
export function keyOf(state: Asking, rules: Pick<CacheRules, 'scope'>): string {
  // The turns are most of a call, and their hash is known: the log stores it as the hash of the prompt.
  const turns = state.plan.promptSha256 ?? canonicalHash(state.plan.call.turns)
  return canonicalHash({ partition: partitionOf(state, rules), asked: { ...askedOf(state), turns } })
}

/** The last question, and the parts that must be equal for an answer to a similar question. */
export interface Likeness {
  readonly context: string
  readonly text: string
}

/** Null for a call that can only share the answer of an equal one. */
export function likenessOf(state: Asking, rules: CacheRules): Likeness | null {
  const last = state.plan.call.turns.at(-1)
  const text = last === undefined ? null : questionIn(last)
  const guard = text === null ? null : guardOf(text)
  if (text === null || guard === null) return null
  const asked = { ...askedOf(state), turns: state.plan.call.turns.slice(0, -1) }
  const { scope, embeddingModel } = rules
  return { context: canonicalHash({ partition: partitionOf(state, { scope }), asked, embeddingModel, guard }), text }
}

/** Only a user's plain text can be similar to another. */
export function questionIn({ role, parts, toolCalls, name }: Turn): string | null {
  if (role !== 'user' || toolCalls.length > 0 || name !== null) return null
  const [part, ...more] = parts
  return part?.type === 'text' && part.cacheControl === undefined && more.length === 0 ? part.text : null
}

/** Metadata is not sent to a provider: it says where the call is counted, not what is asked. */
function askedOf({ plan: { call } }: Asking) {
  const { metadata: _, ...asked } = call
  return asked
}

function partitionOf(state: Asking, { scope }: Pick<CacheRules, 'scope'>) {
  const {
    facts,
    plan: { policy, targets },
    findings: { entities },
  } = state
  const { tenantId, actor, asked } = facts
  const who = {
    tenant: [],
    role: [...actor.roles].sort(),
    user: [actor.userId],
    key: [actor.keyId ?? actor.userId, asked.agentId],
  }[scope]
  return {
    tenantId,
    scope,
    who,
    // With the hash alone, policies with equal rules would share answers. With the version in the key, withdrawing a
    // version also withdraws its answers.
    policies: policy.sources.map(({ id, version }) => `${id}@${version}`).sort(),
    rules: policy.sha256,
    // Kinds of personal data that were found, hidden or not.
    data: [...entities.keys()].sort(),
    // The caller's declared class counts as much as the findings in the call.
    dataClass: dataClassOf(state),
    places: targets.map(({ provider, model }) => `${provider.id}/${model}`),
  }
}
