/** Routes as the API shows them and as they are stored. */
import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { fallbackCauses } from '../providers/fault.ts'
import { RouteCache } from '../schemas/cache.ts'
import { Conditions } from '../schemas/conditions.ts'
import { TimeoutsInput } from '../schemas/timeouts.ts'
import { strategies } from './strategy.ts'

const opt = Type.Optional

export const routeStatuses = ['active', 'paused', 'archived'] as const
export type RouteStatus = (typeof routeStatuses)[number]

/** Without a slash, so that it is never taken for `provider/model`. */
export const RouteName = Type.String({ pattern: '^[a-z0-9][a-z0-9._:-]{0,62}$', maxLength: 63 })
const ProviderName = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$', maxLength: 63 })
const ModelName = Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' })
const Weight = Type.Integer({ minimum: 0, maximum: 1000, description: '0 is asked only when nothing else is left.' })
const Priority = Type.Integer({
  minimum: 0,
  maximum: 99,
  description: 'Lower ones are asked first, whatever the strategy.',
})

export const RouteTarget = strictObject({
  provider: ProviderName,
  model: ModelName,
  weight: Weight,
  priority: Priority,
  conditions: nullable(Conditions),
})
export type RouteTarget = Static<typeof RouteTarget>

const TargetInput = strictObject({
  provider: ProviderName,
  model: ModelName,
  weight: opt(Weight),
  priority: opt(Priority),
  conditions: opt(nullable(Conditions)),
})
export type TargetInput = Static<typeof TargetInput>

const retry = {
  max_attempts: Type.Integer({ minimum: 1, maximum: 10, description: 'Over all targets; the policy may allow fewer.' }),
  base_ms: Type.Integer({ minimum: 0, maximum: 10_000 }),
  cap_ms: Type.Integer({ minimum: 0, maximum: 60_000 }),
}
const Retry = strictObject(retry)
export type Retry = Static<typeof Retry>
const RetryInput = strictObject({
  max_attempts: opt(retry.max_attempts),
  base_ms: opt(retry.base_ms),
  cap_ms: opt(retry.cap_ms),
})

/** Full jitter between nothing and a bound that doubles up to the cap. */
export const defaultRetry: Retry = { max_attempts: 3, base_ms: 250, cap_ms: 4000 }

const Hedge = strictObject(
  { after_ms: Type.Integer({ minimum: 10, maximum: 600_000 }) },
  { description: 'Asks the next target too when the first is slow; at most 5 % of calls, and both are paid for.' },
)

const StickyKey = Type.String({
  pattern: '^(?:session|user|key|agent|metadata\\.[A-Za-z0-9_.-]{1,64})$',
  maxLength: 80,
  description:
    'What stays with one target: session, user, key, agent or metadata.<name>. The user where it is missing.',
})

const fields = {
  name: RouteName,
  strategy: oneOf(...strategies),
  fallback_on: Type.Array(oneOf(...fallbackCauses), { maxItems: fallbackCauses.length, uniqueItems: true }),
  retry: Retry,
  hedge: nullable(Hedge),
  timeouts: TimeoutsInput,
  sticky_key: StickyKey,
  cache: nullable(RouteCache),
  status: oneOf(...routeStatuses),
}

export const Route = resource({ ...fields, targets: Type.Array(RouteTarget) })
export type Route = Static<typeof Route>

/** A route has no page of its own, so the list tells its entity tag. */
export const ListedRoute = listed(Route)

const Targets = Type.Array(TargetInput, { minItems: 1, maxItems: 32 })

const optional = {
  fallback_on: opt(fields.fallback_on),
  retry: opt(RetryInput),
  hedge: opt(nullable(Hedge)),
  timeouts: opt(TimeoutsInput),
  sticky_key: opt(StickyKey),
  cache: opt(nullable(RouteCache)),
}

export const CreateRoute = strictObject({
  name: RouteName,
  strategy: opt(fields.strategy),
  targets: Targets,
  status: opt(oneOf('active', 'paused')),
  ...optional,
})
export type CreateRoute = Static<typeof CreateRoute>

export const PatchRoute = strictObject({
  name: opt(RouteName),
  strategy: opt(fields.strategy),
  targets: opt(Targets),
  status: opt(fields.status),
  ...optional,
})
export type PatchRoute = Static<typeof PatchRoute>

export const RouteFilter = strictObject({ name: opt(RouteName), status: opt(fields.status) })
export type RouteFilter = Static<typeof RouteFilter>

/** Names its provider by id, because a provider may be renamed. */
export const StoredTarget = strictObject({ ...RouteTarget.properties, provider_id: Uuid })
export type StoredTarget = Static<typeof StoredTarget>

export const RouteRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  ...fields,
  targets: Type.Array(StoredTarget),
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type RouteRow = Static<typeof RouteRow>
