import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const AuditChain = strictObject({
  sealed: Type.Integer({ minimum: 0, description: 'Entries with a place in the chain' }),
  pending: Type.Integer({ minimum: 0, description: 'Entries that have no place yet' }),
  checkpoint_at: nullable(Timestamp),
  verified_at: nullable({ ...Timestamp, description: 'Of the last verification of the whole chain' }),
  verified: nullable(Type.Boolean({ description: 'Null where nobody verified the whole chain yet' })),
  reason: nullable(Type.String({ maxLength: 32, description: 'Fault that the verification found' })),
})

const nothing = { sealed: 0, pending: 0, checkpoint_at: null, verified_at: null, verified: null, reason: null }

export const auditChainFact = defineFact({
  name: 'admin.audit_chain',
  description: 'How the audit log of the tenant stands: its length, and the last verification of its hash chain.',
  permission: 'admin:read',
  schema: AuditChain,
  /** Index of the verdicts: (tenant_id, at, id) from its end; the whole chain is verified once a day. */
  read: async ({ tx }) =>
    (await tx.first(sql<Static<typeof AuditChain>>`
      select coalesce((select max(seq) from audit_seal), 0)::int as sealed,
        (select count(*)::int from audit_pending) as pending,
        (select max(at) from audit_checkpoint) as checkpoint_at,
        last.at as verified_at, (last.after ->> 'verified')::boolean as verified, last.after ->> 'reason' as reason
      from (values (1)) as one
      left join lateral (
        select at, after from audit_entry
        where action = 'admin.audit.verify' and target = ${`audit_log:${tx.tenantId}`}
          and coalesce(after ->> 'from_seq', '1') = '1' and after ->> 'to_seq' is null
        order by at desc, id desc limit 1) last on true`)) ?? nothing,
})
