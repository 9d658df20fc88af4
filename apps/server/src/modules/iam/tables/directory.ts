import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** Where a credential belongs: keyed digests only, so that sign-in finds the tenant without reading any tenant. */
export const directory = table({
  name: 'iam_directory',
  scope: 'platform',
  key: ['kind', 'digest', 'home'],
  row: Type.Object({
    kind: oneOf('email', 'api_key', 'invitation', 'mail_link', 'passkey', 'outside_token'),
    digest: Type.String(),
    home: Uuid,
    subject: Uuid,
    last_used_at: nullable(Timestamp),
  }),
  data: { category: 'credential_index', subject: ['subject'], retention: 'tenant', erasure: 'delete' },
})
