import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { nullable, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })

const CallLog = strictObject({
  from: Timestamp,
  to: Timestamp,
  calls: { ...Count, description: 'Rows of the request log' },
  counted: { ...Count, description: 'The same as the hourly counts have them, which come from events' },
  audited: { ...Count, description: 'Of the rows, those with an entry in the audit log' },
  unlogged: { ...Count, description: 'Entries of the audit log without a row, of the last 30 days' },
  intact: nullable(Type.Boolean({ description: 'Null where nobody verified the chain of the entries yet' })),
})

const hourMs = 3_600_000
const hours = 24

/** Whole hours that ended more than an hour ago, so that every event of them has been counted. */
export const callLogFact = defineFact({
  name: 'gateway.call_log',
  description:
    'Completeness of the request log over 24 whole hours: rows, hourly counts, and entries of the audit log.',
  permission: 'gateway:read',
  schema: CallLog,
  read: async ({ tx, at }) => {
    const end = (Math.floor(Date.parse(at) / hourMs) - 1) * hourMs
    const [from, to] = [new Date(end - hours * hourMs).toISOString(), new Date(end).toISOString()]
    const row = await tx.first(sql<Omit<Static<typeof CallLog>, 'from' | 'to'>>`
      select rows.calls, rows.audited,
        (select coalesce(sum(requests), 0) from gateway_usage_cell where hour >= ${from} and hour < ${to})::int as counted,
        coalesce((select unlogged from gateway_audit_check), 0)::int as unlogged,
        (select intact and broken_at is null from gateway_audit_check) as intact
      from (
        select count(*)::int as calls, count(entry.id)::int as audited
        from gateway_request call
        left join audit_entry entry on entry.tenant_id = call.tenant_id and entry.id = call.audit_id
        where call.created_at > ${from}::timestamptz - interval '1 day'
          and call.finished_at >= ${from} and call.finished_at < ${to}) rows`)
    return { from, to, ...(row ?? { calls: 0, counted: 0, audited: 0, unlogged: 0, intact: null }) }
  },
})
