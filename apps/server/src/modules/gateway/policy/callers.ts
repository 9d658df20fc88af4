import type { Actor } from '../../../kernel/access/actor.ts'
import { isOfKeyFamily } from '../../../kernel/access/actor.ts'
import { errors } from '../declared/errors.ts'
import type { Dialect, Operation } from '../words/operations.ts'
import { type CompiledPolicy, compilePolicies } from './compile.ts'
import type { PublishedPolicy } from './published.ts'
import type { TenantSnapshot } from './snapshot.ts'

/** The caller as bindings see it. */
export type Principal = Pick<Actor, 'userId' | 'keyId' | 'keyAncestors' | 'roles' | 'agentId'> & {
  /** The route the call names as its model; `anyRoute` where that is not known. */
  readonly routeId?: string | null
}

/** Matches the bindings to every route, so that an unknown route makes the result stricter. */
export const anyRoute = '*'

/** The call as a policy's `applies_to` sees it. */
export interface CallScope {
  readonly operation: Operation
  readonly dialect: Dialect
}

/** Merged policies held per tenant; a tenant with more combinations recompiles some. */
const mostCompiled = 500

/**
 * The policies bound to the caller and the one it names, merged; without a scope also those for other kinds of calls,
 * so that an unknown scope makes the result stricter.
 * @throws GW-002 when the named one cannot be used
 */
export function callerPolicies(
  snapshot: TenantSnapshot,
  principal: Principal,
  named: string | null,
  scope: CallScope | null = null,
): CompiledPolicy {
  const bound = snapshot.policies.flatMap((policy) => {
    const priority = appliesTo(policy, scope) ? priorityOf(policy, principal, snapshot) : null
    return priority === null ? [] : [{ policy, priority }]
  })
  const one = named === null ? null : namedPolicy(snapshot, named, scope)
  const isNew = one !== null && !bound.some(({ policy }) => policy === one)
  const applied = isNew ? [...bound, { policy: one, priority: 0 }] : bound
  const key = applied
    .map(({ policy, priority }) => (priority === 0 ? policy.id : `${policy.id} ${priority}`))
    .sort()
    .join()
  const known = snapshot.compiled.get(key)
  if (known !== undefined) return known
  const policies = applied.map(({ policy, priority }) => ({ ...policy, priority }))
  const compiled = compilePolicies(policies, snapshot.residency)
  if (snapshot.compiled.size >= mostCompiled) snapshot.compiled.clear()
  snapshot.compiled.set(key, compiled)
  return compiled
}

export function appliesTo({ document }: Pick<PublishedPolicy, 'document'>, scope: CallScope | null): boolean {
  const { operations, dialects } = document.applies_to
  return scope === null || (operations.includes(scope.operation) && dialects.includes(scope.dialect))
}

/** The highest of the bindings that meet the caller; null where none does. */
function priorityOf(
  { bindings }: PublishedPolicy,
  principal: Principal,
  snapshot: Pick<TenantSnapshot, 'groups'>,
): number | null {
  let highest: number | null = null
  for (const binding of bindings)
    if (isBoundTo(binding, principal, snapshot)) highest = Math.max(highest ?? 0, binding.priority ?? 0)
  return highest
}

function isBoundTo(
  { kind, value }: PublishedPolicy['bindings'][number],
  principal: Principal,
  { groups }: Pick<TenantSnapshot, 'groups'>,
): boolean {
  switch (kind) {
    case 'tenant':
      return true
    case 'role':
      return value !== undefined && principal.roles.includes(value)
    case 'group':
      return value !== undefined && (groups?.get(value)?.has(principal.userId) ?? false)
    case 'user':
      return value === principal.userId
    case 'key':
      return isOfKeyFamily(value, principal)
    case 'agent':
      return value !== undefined && value === principal.agentId
    case 'route':
      return principal.routeId === anyRoute || value === principal.routeId
    default:
      return kind satisfies never
  }
}

function namedPolicy(snapshot: TenantSnapshot, named: string, scope: CallScope | null): PublishedPolicy {
  const policy = snapshot.policies.find(({ id, name }) => id === named || name === named)
  // A caller that names a policy relies on it; a call outside its scope must not go on without it.
  if (policy === undefined || !appliesTo(policy, scope)) throw errors.policyNotUsable({ policy: named })
  return policy
}
