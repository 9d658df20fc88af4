import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { type KillSwitchScope, killSwitchScopes } from './ports/enforced-scopes.ts'

export { type KillSwitchScope, killSwitchScopes }

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

const { id, tenant_id, created_at, updated_at, version, exempt, ...stored } = KillSwitchRow.properties

/** A switch as all doors show it. */
export const KillSwitchView = resource({ ...stored, except: exempt })
export type KillSwitchView = Static<typeof KillSwitchView>

/** A switch has no page of its own, so the list tells its entity tag. */
export const ListedKillSwitch = listed(KillSwitchView)

const Value = Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })
const Reason = Type.String({ minLength: 10, maxLength: 500 })
const Exempt = Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]+$' }), { maxItems: 50 })

export const ActivateKillSwitch = strictObject({
  scope: oneOf(...killSwitchScopes),
  value: Type.Optional(Value),
  level: Type.Optional(oneOf('block_new', 'hard')),
  reason: Reason,
  except: Type.Optional(Exempt),
  expires_at: Type.Optional(Timestamp),
})
export type ActivateKillSwitch = Static<typeof ActivateKillSwitch>

export const DeactivateKillSwitch = strictObject({
  reason: Reason,
  confirm_token: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
})
export type DeactivateKillSwitch = Static<typeof DeactivateKillSwitch>

export const KillSwitchQuery = strictObject({
  scope: Type.Optional(oneOf(...killSwitchScopes)),
  value: Type.Optional(Value),
  status: Type.Optional(oneOf(...killSwitchStatuses, 'any')),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
})
export type KillSwitchQuery = Static<typeof KillSwitchQuery>

export function killSwitchView({ exempt: except, version: _version, ...row }: KillSwitch): KillSwitchView {
  return { ...row, except }
}
