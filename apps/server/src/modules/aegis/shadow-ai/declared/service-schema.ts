import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { categories, Facts, kinds } from '../catalog/schema.ts'
import { evidenceKinds } from '../formats/record.ts'
import { serviceStatuses, serviceTypes } from './service-states.ts'

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Score = Type.Number({ minimum: 0, maximum: 100 })
const Department = Type.String({ minLength: 1, maxLength: 100 })
const Reason = Type.String({ minLength: 1, maxLength: 2_000 })

export const RiskReason = strictObject({
  part: oneOf('inherent', 'exposure'),
  term: Type.String({ maxLength: 60 }),
  points: Score,
  fact: Type.String({ maxLength: 300 }),
  source_url: nullable(Type.String({ maxLength: 500 })),
})
export type RiskReason = Static<typeof RiskReason>

export const Decision = strictObject({
  by: Uuid,
  at: Timestamp,
  reason: Reason,
  conditions: nullable(Reason),
  until: nullable(Timestamp),
})

const stored = {
  type: oneOf(...serviceTypes),
  catalog_slug: nullable(Type.String({ maxLength: 63 })),
  name: Type.String({ maxLength: 253 }),
  hosts_seen: Type.Array(Type.String({ maxLength: 253 }), { maxItems: 100 }),
  first_seen: Timestamp,
  last_seen: Timestamp,
  users: Count,
  departments: Type.Array(Department, { maxItems: 50 }),
  requests: Count,
  bytes_up: Count,
  bytes_down: Count,
  evidence_sources: Type.Array(oneOf(...evidenceKinds), { maxItems: 4 }),
  inherent: Score,
  exposure: Score,
  risk_score: Score,
  risk_reasons: Type.Array(RiskReason, { maxItems: 20 }),
  status: oneOf(...serviceStatuses),
  decision: nullable(Decision),
  owner_user_id: nullable(Uuid),
}

export const ServiceRow = strictObject({
  ...resource(stored).properties,
  version: Type.Integer({ minimum: 1 }),
  /** Tells a service from others of the tenant. */
  key: Type.String({ maxLength: 300 }),
  tolerated_until: nullable(Timestamp),
})
export type ServiceRow = Static<typeof ServiceRow>

export const Service = resource(stored)
export type Service = Static<typeof Service>
export const ListedService = listed(Service)

export const ServiceUser = strictObject({
  user_id: nullable(Uuid),
  name: nullable(Type.String({ maxLength: 200, description: 'As the log has it, or a pseudonym' })),
  department: nullable(Department),
  requests: Count,
  bytes_up: Count,
  last_day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10 }),
})

export const ServiceDay = strictObject({
  day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10 }),
  users: Count,
  requests: Count,
  bytes_up: Count,
  bytes_down: Count,
})

export const ServiceDetail = resource({
  ...stored,
  allowed_transitions: Type.Array(oneOf(...serviceStatuses)),
  vendor: nullable(Type.String({ maxLength: 120 })),
  vendor_country: nullable(Type.String({ maxLength: 2 })),
  category: nullable(oneOf(...categories)),
  kind: nullable(oneOf(...kinds)),
  terms_url: nullable(Type.String({ maxLength: 500 })),
  facts: Facts,
  unchecked_facts: {
    ...Count,
    description:
      'Facts that were not held against their source (`checked_at` is null), as all of the shipped catalog; read the source before you decide',
  },
  top_users: Type.Array(ServiceUser, { maxItems: 100, description: 'The 100 with the most requests' }),
  by_department: Type.Array(
    strictObject({ department: nullable(Department), users: Count, requests: Count, bytes_up: Count }),
    { maxItems: 100 },
  ),
  series: Type.Array(ServiceDay, { maxItems: 181 }),
  unattributed_ratio: nullable(Type.Number({ minimum: 0, maximum: 1 })),
})
export type ServiceDetail = Static<typeof ServiceDetail>

export const ServiceFilter = strictObject({
  status: Type.Optional(oneOf(...serviceStatuses)),
  type: Type.Optional(oneOf(...serviceTypes)),
  risk_min: Type.Optional(Score),
  department: Type.Optional(Department),
  user: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Id of a user, or a name in the logs' }),
  ),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the name or of a host' })),
  format: Type.Optional(oneOf('hosts', 'pac', 'rpz')),
})
export type ServiceFilter = Static<typeof ServiceFilter>

export const PatchService = strictObject({
  status: Type.Optional(oneOf(...serviceStatuses)),
  reason: Type.Optional(Reason),
  conditions: Type.Optional(nullable(Reason)),
  until: Type.Optional(Timestamp),
  owner_user_id: Type.Optional(nullable(Uuid)),
})
export type PatchService = Static<typeof PatchService>
