import Type from 'typebox'
import { defineEvent } from '../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { killSwitchScopes, killSwitchSources, Propagation } from './schemas.ts'

/** The payload both doors use, so that their events never differ. */
export const KillSwitchEventData = strictObject({
  kill_switch_id: Uuid,
  scope: oneOf(...killSwitchScopes),
  value: nullable(Type.String({ maxLength: 200 })),
  level: oneOf('block_new', 'hard'),
  reason: Type.String({ maxLength: 500 }),
  by: nullable(Uuid),
  source: oneOf(...killSwitchSources),
  propagation: Propagation,
})

const ActivatedData = strictObject({
  ...KillSwitchEventData.properties,
  activated_by: nullable(Uuid),
  activated_at: Timestamp,
  expires_at: nullable(Timestamp),
})

const DeactivatedData = strictObject({
  ...KillSwitchEventData.properties,
  deactivated_by: nullable(Uuid),
  active_seconds: Type.Number({ minimum: 0 }),
})

export const killSwitchActivated = defineEvent({
  channel: 'aegis.kill_switch.activated',
  type: 'KillSwitchActivated',
  summary: 'A kill switch was activated, through whichever door.',
  schema: ActivatedData,
  retentionDays: 90,
  readers: ['aegis', 'gateway'],
})

export const killSwitchDeactivated = defineEvent({
  channel: 'aegis.kill_switch.deactivated',
  type: 'KillSwitchDeactivated',
  summary: 'A kill switch was ended by a person or by its expiry.',
  schema: DeactivatedData,
  retentionDays: 90,
  readers: ['aegis', 'gateway'],
})
