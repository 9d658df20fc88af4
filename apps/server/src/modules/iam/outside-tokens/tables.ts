import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { boundClaims } from './match.ts'

/** Tokens of outside issuers that stand for a service account. */
export const outsideTokens = table({
  name: 'iam_outside_token',
  noun: 'binding of an outside token',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    /** The service account. */
    user_id: Uuid,
    issuer: Type.String(),
    claim: oneOf(...boundClaims),
    value: Type.String(),
    audience: Type.String(),
    created_by: Uuid,
    created_at: Timestamp,
  }),
  data: {
    category: 'credential',
    subject: ['user_id', 'created_by'],
    basis: 'contract',
    retention: 'tenant',
    erasure: 'delete',
  },
})
