import Type, { type Static } from 'typebox'
import { strictObject } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })
const among = (description: string) => Type.Integer({ minimum: 0, description })

/** Counts of one tenant at one moment; no person is named. */
export const Posture = strictObject({
  people: among('Active accounts of people'),
  people_with_second_factor: Count,
  people_with_passkey: among('With a factor that cannot be phished'),
  people_of_sso: among('Linked to an identity provider'),
  people_dormant: among('Unused for 90 days, or for as long as the tenant lets pass'),
  administrators: among('People who administer any module'),
  administrators_without_second_factor: among('Neither a factor here nor an identity provider'),
  administrators_idle: among('Unused for 30 days, with more than they need'),
  service_accounts: among('Active ones'),
  service_accounts_dormant: Count,
  keys: among('API keys that work'),
  keys_stale: among('Unused for 90 days'),
  keys_old: among('Made more than 90 days ago'),
  keys_without_expiry: among('Without an end'),
  reviews_overdue: among('Access reviews past their date'),
})
export type Posture = Static<typeof Posture>
