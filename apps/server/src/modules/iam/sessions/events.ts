import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'

const actor = { actor_id: nullable(Uuid) }
const reason = { reason: nullable(Type.String({ maxLength: 500 })) }
const sessionFields = { session_id: Uuid, user_id: Uuid }

export const sessionCreated = defineEvent({
  channel: 'iam.session.created',
  type: 'SessionCreated',
  summary: 'A person signed in.',
  schema: strictObject(sessionFields),
})
export const sessionRevoked = defineEvent({
  channel: 'iam.session.revoked',
  type: 'SessionRevoked',
  summary: 'A session was ended before its time.',
  schema: strictObject({ ...sessionFields, ...actor, ...reason }),
})
export const refreshReuseDetected = defineEvent({
  channel: 'iam.session.refresh_reuse_detected',
  type: 'RefreshReuseDetected',
  summary: 'A spent refresh token was used again; its session was ended.',
  schema: strictObject(sessionFields),
})

export const sessionEvents = [sessionCreated, sessionRevoked, refreshReuseDetected] as const
