import type { Actor } from '../../../kernel/access/actor.ts'
import type { KillSubject, KillSwitch } from '../../aegis/api.ts'
import type { CanonicalCall } from '../call/call.ts'
import type { WithFacts } from '../call/facts.ts'
import { namedModels } from '../call/named-models.ts'
import { isServer, toolsBeside } from '../call/tools-beside.ts'
import { errors } from '../declared/errors.ts'
import type { Target } from '../providers/provider.ts'
import type { WithPlan } from './call-plan.ts'

/**
 * The target and the other models that the call has its provider ask: a kill switch on one of them stops the whole
 * call.
 */
export function askedOf(state: WithFacts & WithPlan, target: Target | null): readonly KillSubject[] {
  const subject = subjectOf(state, target)
  return [subject, ...namedModels(state.plan.call).map(({ model }) => ({ ...subject, model }))]
}

/** The switch that stops the first of those that are stopped; null when none is. */
export function firstMatch(
  subjects: readonly KillSubject[],
  match: (subject: KillSubject) => KillSwitch | null,
): KillSwitch | null {
  for (const subject of subjects) {
    const found = match(subject)
    if (found !== null) return found
  }
  return null
}

export function subjectOf({ facts, plan: { route, call } }: WithFacts & WithPlan, target: Target | null): KillSubject {
  return killSubject(facts.actor, {
    provider: target?.provider.name ?? null,
    model: target?.model ?? null,
    route: route?.name ?? null,
    tools: offeredTools(call),
  })
}

const noTools: readonly string[] = []

/** Names of the tools that a model may call, in a list or beside it. */
export function offeredTools(call: CanonicalCall): readonly string[] {
  if (call.tools.length === 0 && call.extra.length === 0) return noTools
  const beside = toolsBeside(call).filter((tool) => !isServer(tool))
  return [...call.tools, ...beside].map(({ name }) => name)
}

/** Names of the target that would answer or did. */
export type KillTarget = Pick<KillSubject, 'provider' | 'model'> & Partial<Pick<KillSubject, 'route' | 'tools'>>

export function killSubject(actor: Actor, target: KillTarget): KillSubject {
  const { tenantId, tenantsAbove = [], userId, keyId, keyAncestors = [], agentId } = actor
  return { tenantId, tenantsAbove, userId, keyId, keyAncestors, agentId: agentId ?? null, route: null, ...target }
}

export function staleListProblem() {
  return killed('This instance cannot tell whether calls are stopped.')
}

/** A switch of the platform or of a tenant above keeps its reason to itself: it may name another tenant. */
export function killSwitchProblem(
  { scope, value, reason, tenant_id }: KillSwitch,
  stopped: { readonly tenantId: string },
) {
  if (scope === 'platform') return killed('Model calls are stopped on the whole platform.')
  if (tenant_id !== stopped.tenantId) return killed('Model calls are stopped for a tenant above this one.')
  return killed(`Model calls are stopped for this ${scope}${value === null ? '' : ` (${value})`}: ${reason}`)
}

function killed(what: string) {
  return errors.killSwitch({ what })
}
