import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { strictObject, Uuid } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })

export const loginFailed = defineEvent({
  channel: 'iam.login.failed',
  type: 'LoginFailed',
  summary: 'Failed sign-ins of one account within a minute.',
  schema: strictObject({ user_id: Uuid, attempts: Type.Integer({ minimum: 1 }) }),
})
export const loginSprayingDetected = defineEvent({
  channel: 'iam.login.spraying_detected',
  type: 'LoginSprayingDetected',
  summary: 'Passwords of many accounts were tried in vain, with hardly a sign-in beside; at most one an hour.',
  schema: strictObject({ accounts: Count, attempts: Count, sign_ins: Count, minutes: Count }),
})

export const signInEvents = [loginFailed, loginSprayingDetected] as const
