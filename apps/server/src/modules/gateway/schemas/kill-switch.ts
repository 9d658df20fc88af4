import Type, { type Static } from 'typebox'
import { listed, oneOf, resource, strictObject, Timestamp } from '../../../kernel/schema/types.ts'
import { KillSwitchRow, killSwitchScopes, killSwitchStatuses } from '../../aegis/api.ts'

const opt = Type.Optional
const Value = Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })
const Reason = Type.String({ minLength: 10, maxLength: 500 })
const Exempt = Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]+$' }), { maxItems: 50 })

const { id, tenant_id, created_at, updated_at, version, exempt, ...stored } = KillSwitchRow.properties
const facts = { ...stored, except: exempt }

export const KillSwitch = resource(facts)
export type KillSwitchResource = Static<typeof KillSwitch>

/** A switch has no page of its own, so the list tells its entity tag. */
export const ListedKillSwitch = listed(KillSwitch)

export const ActivateKillSwitch = strictObject({
  scope: oneOf(...killSwitchScopes),
  value: opt(Value),
  level: opt(oneOf('block_new', 'hard')),
  reason: Reason,
  except: opt(Exempt),
  expires_at: opt(Timestamp),
})
export type ActivateKillSwitch = Static<typeof ActivateKillSwitch>

export const DeactivateKillSwitch = strictObject({
  reason: Reason,
  confirm_token: opt(Type.String({ minLength: 1, maxLength: 512 })),
})
export type DeactivateKillSwitch = Static<typeof DeactivateKillSwitch>

export const KillSwitchFilter = strictObject({
  scope: opt(oneOf(...killSwitchScopes)),
  value: opt(Value),
  status: opt(oneOf(...killSwitchStatuses, 'any')),
  from: opt(Timestamp),
  to: opt(Timestamp),
})
export type KillSwitchFilter = Static<typeof KillSwitchFilter>
