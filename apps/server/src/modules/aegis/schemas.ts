import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'

export const killSwitchScopes = ['platform', 'tenant', 'provider', 'model', 'agent', 'user', 'key', 'route'] as const
export type KillSwitchScope = (typeof killSwitchScopes)[number]

export const killSwitchStatuses = ['active', 'deactivated', 'expired'] as const
export const killSwitchSources = ['gateway', 'aegis', 'resilience', 'platform'] as const

/**
 * How far an activation got: instances that could let calls through, instances that enforce it, how long that took
 * there by the database's clock, and the running calls all of them aborted. An event tells what was known when it was
 * written; the switch itself is brought up to date by each instance.
 */
export const Propagation = strictObject({
  nodes_total: Type.Integer({ minimum: 0 }),
  nodes_acked: Type.Integer({ minimum: 0 }),
  p50_ms: Type.Number({ minimum: 0 }),
  max_ms: Type.Number({ minimum: 0 }),
  inflight_aborted: Type.Integer({ minimum: 0 }),
})
export type Propagation = Static<typeof Propagation>

export const KillSwitchRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  scope: oneOf(...killSwitchScopes),
  value: nullable(Type.String({ maxLength: 200 })),
  level: oneOf('block_new', 'hard'),
  reason: Type.String({ minLength: 10, maxLength: 500 }),
  exempt: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 }),
  source: oneOf(...killSwitchSources),
  status: oneOf(...killSwitchStatuses),
  activated_by: Uuid,
  activated_at: Timestamp,
  deactivated_by: nullable(Uuid),
  deactivated_at: nullable(Timestamp),
  deactivation_reason: nullable(Type.String({ maxLength: 500 })),
  expires_at: nullable(Timestamp),
  propagation: Propagation,
  version: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type KillSwitch = Static<typeof KillSwitchRow>
