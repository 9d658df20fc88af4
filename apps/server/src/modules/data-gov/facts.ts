/** Facts that other modules may read of data governance by name. Tested in signals.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { strictObject } from '../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })

const Assets = strictObject({
  total: Count,
  unconfirmed: Type.Integer({ minimum: 0, description: 'With a label that nobody has decided on' }),
  restricted: Count,
  confidential: Count,
})
export const assetsFact = defineFact({
  name: 'data_gov.assets',
  description: 'Data assets by level, and those with open proposals.',
  permission: 'data-gov:read',
  schema: Assets,
  read: async ({ tx }) =>
    (await tx.first(sql<Static<typeof Assets>>`
      select count(*)::int as total, count(*) filter (where level = 'restricted')::int as restricted,
        count(*) filter (where level = 'confidential')::int as confidential,
        count(*) filter (where labels @> '[{"state":"proposed"}]'::jsonb)::int as unconfirmed
      from data_gov_asset`)) ?? { total: 0, unconfirmed: 0, restricted: 0, confidential: 0 },
})

const Requests = strictObject({ open: Count, overdue: Count, done_in_time: Count, done_late: Count })
export const requestsFact = defineFact({
  name: 'data_gov.requests',
  description: 'Requests of data subjects: open, overdue, and done within or after their time in the last 90 days.',
  permission: 'data-gov:read',
  schema: Requests,
  read: async ({ tx, at }) =>
    (await tx.first(sql<Static<typeof Requests>>`
      select count(*) filter (where completed_at is null)::int as open,
        count(*) filter (where completed_at is null and due_at < ${at})::int as overdue,
        count(*) filter (where completed_at <= due_at)::int as done_in_time,
        count(*) filter (where completed_at > due_at)::int as done_late
      from data_gov_run
      where kind = 'subject_request'
        and (completed_at is null or completed_at > ${at}::timestamptz - interval '90 days')`)) ?? {
      ...{ open: 0, overdue: 0, done_in_time: 0, done_late: 0 },
    },
})

const Consents = strictObject({ records: Count, given: Count, withdrawn: Count, expired: Count })
export const consentsFact = defineFact({
  name: 'data_gov.consents',
  description: 'Consent records by state; a consent past its validity is expired.',
  permission: 'data-gov:read',
  schema: Consents,
  read: async ({ tx, at }) =>
    (await tx.first(sql<Static<typeof Consents>>`
      select count(*)::int as records,
        count(*) filter (where state = 'given' and (valid_until is null or valid_until > ${at}))::int as given,
        count(*) filter (where state in ('withdrawn', 'objected'))::int as withdrawn,
        count(*) filter (where state = 'expired' or (state = 'given' and valid_until <= ${at}))::int as expired
      from data_gov_consent`)) ?? { records: 0, given: 0, withdrawn: 0, expired: 0 },
})

const Retention = strictObject({ schedules: Count, holds: Count, awaiting_approval: Count, failed: Count })
export const retentionFact = defineFact({
  name: 'data_gov.retention',
  description: 'Active retention schedules and legal holds, and retention runs that wait or failed.',
  permission: 'data-gov:read',
  schema: Retention,
  read: async ({ tx }) =>
    (await tx.first(sql<Static<typeof Retention>>`
      select
        (select count(*) from data_gov_policy where status = 'active' and kind = 'schedule')::int as schedules,
        (select count(*) from data_gov_policy where status = 'active' and kind = 'legal_hold')::int as holds,
        (select count(*) from data_gov_run where status = 'awaiting_approval')::int as awaiting_approval,
        (select count(*) from data_gov_run where status = 'failed')::int as failed`)) ?? {
      ...{ schedules: 0, holds: 0, awaiting_approval: 0, failed: 0 },
    },
})

const Lineage = strictObject({ datasets: Count, columns: Count, edges: Count, models: Count })
export const lineageFact = defineFact({
  name: 'data_gov.lineage',
  description: 'Size of the lineage graph, and models that take data by it.',
  permission: 'data-gov:read',
  schema: Lineage,
  read: async ({ tx }) =>
    (await tx.first(sql<Static<typeof Lineage>>`
      select count(*) filter (where kind = 'dataset')::int as datasets,
        count(*) filter (where kind = 'column')::int as columns,
        count(*) filter (where kind = 'model')::int as models,
        (select count(*) from data_gov_edge where valid_to is null)::int as edges
      from data_gov_node`)) ?? { datasets: 0, columns: 0, edges: 0, models: 0 },
})

export const dataGovFacts = [assetsFact, requestsFact, consentsFact, retentionFact, lineageFact]
