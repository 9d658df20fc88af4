import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const schema = strictObject({
  id: Uuid,
  license_id: Type.String({ maxLength: 100 }),
  plan: Type.String({ maxLength: 100 }),
  expires_at: nullable(Timestamp),
})

export const licenseInstalled = defineEvent({
  channel: 'admin.license.installed',
  type: 'LicenseInstalled',
  summary: 'A license was installed and is active from its date on.',
  schema,
  retentionDays: 90,
})

export const licenseExpiryWarned = defineEvent({
  channel: 'admin.license.expiry_warned',
  type: 'LicenseExpiryWarned',
  summary: 'The active license expires within 30 days.',
  schema,
  retentionDays: 90,
})

export const licenseExpired = defineEvent({
  channel: 'admin.license.expired',
  type: 'LicenseExpired',
  summary: 'The active license has expired and its grace is over: new seats are refused, nothing else is.',
  schema,
  retentionDays: 90,
})

export const licenseEvents = [licenseInstalled, licenseExpiryWarned, licenseExpired]
