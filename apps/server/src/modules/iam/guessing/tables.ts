import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, Timestamp } from '../../../kernel/schema/types.ts'

/**
 * Failed sign-ins by keyed digest: recent ones of an address, and those in a row of an address in a tenant. Unknown
 * addresses are counted like any others, so that a failure costs the same.
 */
export const loginGuards = table({
  name: 'iam_login_guard',
  scope: 'platform',
  key: ['digest'],
  row: Type.Object({
    digest: Type.String(),
    /** Unix milliseconds of the failures still in the window. */
    failures: Type.Array(Type.Integer(), { jsonb: true }),
    blocked_until: nullable(Timestamp),
    /** Of one account in one tenant: failures since the last success. */
    consecutive: Type.Integer(),
    updated_at: Timestamp,
  }),
  data: { category: 'sign_in_defense', subject: [], retention: 'P90D', erasure: 'none' },
})
