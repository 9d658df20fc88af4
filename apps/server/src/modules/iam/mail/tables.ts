import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** Links sent by mail that are still good. */
export const mailLinks = table({
  name: 'iam_mail_link',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    user_id: Uuid,
    purpose: oneOf('password_reset', 'email_change'),
    /** The address the link proves. */
    email: Type.String(),
    expires_at: Timestamp,
    created_at: Timestamp,
  }),
  data: {
    category: 'identity',
    subject: ['user_id'],
    aliases: [{ column: 'email', kind: 'email' }],
    basis: 'contract',
    retention: 'P1D',
    erasure: 'delete',
  },
})
