import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'

export const scimSyncFailed = defineEvent({
  channel: 'iam.scim.sync_failed',
  type: 'ScimSyncFailed',
  summary: 'Writes of a directory that were refused within a minute.',
  schema: strictObject({
    api_key_id: Uuid,
    sso_connection_id: nullable(Uuid),
    failures: Type.Integer({ minimum: 1 }),
    error_codes: Type.Array(Type.String({ maxLength: 20 }), { maxItems: 100 }),
  }),
})
