import type { Actor } from '../access/actor.ts'
import { holds } from '../access/permissions.ts'
import { apiErrors, authErrors } from '../errors/errors.ts'
import type { ProblemError } from '../errors/problem.ts'
import type { Route } from '../module/route.ts'
import type { Call } from './call.ts'
import { rateCheck } from './limits.ts'
import type { HttpParts, PlacedRoute } from './parts.ts'

/**
 * Admission of calls: set-up, credential, rate, suspended tenants, permission. Calls without the right run into a limit
 * of their caller's own and take nothing from others'. Synchronous when all is known.
 */
export function admission(placed: PlacedRoute, parts: HttpParts): (call: Call) => undefined | Promise<undefined> {
  const { route } = placed
  const { auth } = parts.kernel
  const limit = rateCheck(parts.kernel, route.rateClass)
  const { gate } = parts.kernel
  const { module, path } = placed
  const allow = (call: Call): undefined => {
    const closed = gate.refuse({ module, method: route.method, path, ip: call.ip })
    if (closed !== null) throw closed
  }
  const enter = (call: Call): undefined | Promise<undefined> => {
    const missing = call.actor === null ? null : missingRights(route, call.actor)
    const counted = limit(call, missing === null ? 'allowed' : 'refused')
    const judge = (): undefined => {
      allow(call)
      if (missing !== null) throw missing
    }
    return counted instanceof Promise ? counted.then(judge) : judge()
  }
  return (call) => {
    if (!route.beforeSetup && !auth.isSetUp())
      throw apiErrors.unavailable({ what: 'This installation has no administrator yet.' })
    if (route.permission === 'public') return enter(call)
    const actor = auth.authenticate({
      authorization: call.header('authorization'),
      apiKey: call.header('x-api-key'),
      tenantHeader: call.header('x-tenant-id'),
      ip: call.ip,
      takesOutsideTokens: route.outsideTokens,
    })
    if (actor instanceof Promise) {
      return actor.then((known) => {
        call.actor = known
        return enter(call)
      })
    }
    call.actor = actor
    return enter(call)
  }
}

/** AUTH-016 or AUTH-004; null where the actor may call the route. */
function missingRights(route: Route, actor: Actor): ProblemError | null {
  if (actor.tenantStatus !== 'active' && !route.whileSuspended) return authErrors.tenantSuspended()
  const { permission } = route
  if (actor.dataPlaneOnly && !isDataPlane(route))
    return authErrors.forbidden({ permission }).withMembers({ permission })
  if (permission === 'authenticated' || permission === 'public') return null
  if (permission === 'agent' ? actor.agentId !== undefined : holds(actor.permissions, permission)) return null
  return authErrors.forbidden({ permission }).withMembers({ permission })
}

/** Model calls, addresses in a vendor's form, and routes for service accounts: all routes of a registered agent. */
const isDataPlane = ({ permission, rateClass, raw }: Route): boolean =>
  permission === 'agent' || rateClass === 'inference' || raw !== null
