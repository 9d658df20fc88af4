import Type, { type TProperties } from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const actor = { actor_id: nullable(Uuid) }
const reason = { reason: nullable(Type.String({ maxLength: 500 })) }

const userEvent = <P extends TProperties>(past: string, name: string, summary: string, more: P) =>
  defineEvent({
    channel: `iam.user.${past}`,
    type: name,
    summary,
    schema: strictObject({ user_id: Uuid, ...actor, ...more }),
  })

const words = (...values: readonly string[]) => Type.String({ enum: [...values] })

export const userInvited = userEvent('invited', 'UserInvited', 'A person was invited.', {})
export const userActivated = userEvent('activated', 'UserActivated', 'An account became active.', reason)
export const userSuspended = userEvent('suspended', 'UserSuspended', 'An account was suspended.', reason)
export const userDormantWarned = defineEvent({
  channel: 'iam.user.dormant_warned',
  type: 'UserDormantWarned',
  summary: 'Nobody has used an account for as long as its tenant lets pass without a warning.',
  schema: strictObject({
    user_id: Uuid,
    inactive_days: Type.Integer({ minimum: 0 }),
    suspended_from: nullable(Timestamp),
  }),
})
export const userLocked = userEvent('locked', 'UserLocked', 'An account was locked after failed sign-ins.', reason)
export const userDeactivated = userEvent('deactivated', 'UserDeactivated', 'An account was deactivated.', reason)
export const userErased = userEvent('erased', 'UserErased', 'Everything that said who a person was is gone.', {})
export const credentialChanged = defineEvent({
  channel: 'iam.credential.changed',
  type: 'CredentialChanged',
  summary: 'A sign-in credential of a person was added, replaced or removed.',
  schema: strictObject({
    user_id: Uuid,
    ...actor,
    credential: words('password', 'totp', 'passkey', 'recovery_codes'),
    change: words('created', 'updated', 'deleted'),
  }),
})

export const accountEvents = [
  userInvited,
  userActivated,
  userSuspended,
  userDormantWarned,
  userLocked,
  userDeactivated,
  userErased,
  credentialChanged,
] as const
