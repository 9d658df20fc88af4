import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp } from '../../../kernel/schema/types.ts'

/** One row: whether the installation has its first administrator. */
export const setup = table({
  name: 'iam_setup',
  scope: 'platform',
  row: Type.Object({
    ...{ id: oneOf('first_run'), token_sha256: nullable(Type.String()) },
    ...{ token_expires_at: nullable(Timestamp), completed_at: nullable(Timestamp) },
  }),
  data: { category: 'operation', subject: [], retention: 'tenant', erasure: 'none' },
})
