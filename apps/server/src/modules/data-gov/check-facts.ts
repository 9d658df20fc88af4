/** Populations of data governance that checks hold against its rules. Tested in modules/compliance/checks/populations.test.ts. */
import Type, { type Static } from 'typebox'
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact, type FactContext } from '../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../kernel/facts/population.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import type { PolicyRow } from './declared/retention-schema.ts'
import { planPolicy } from './retention/purge.ts'
import type { DataGovServices } from './services/data-gov-services.ts'
import { levels } from './taxonomy/taxonomy.ts'

const Asset = strictObject({
  id: Uuid,
  confirmed: Type.Boolean({ description: 'Has a level, and no proposed label waits for a decision' }),
})

export const assetLabelsFact = defineFact({
  name: 'data_gov.asset_labels',
  description: 'Data assets, and whether their classification is confirmed.',
  permission: 'data-gov:read',
  schema: populationOf(Asset),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select coalesce(sum(assets), 0)::int as total
        from (select count(*) as assets from data_gov_asset group by kind) kinds`,
      items: sql<Static<typeof Asset> & { recount: number }>`
        select id, level is not null and not labels @> '[{"state":"proposed"}]'::jsonb as confirmed,
          count(*) over ()::int as recount
        from data_gov_asset order by id limit ${mostItems}`,
    }),
})

const Request = strictObject({
  id: Uuid,
  due_at: Timestamp,
  completed_at: nullable(Timestamp),
})

export const requestDeadlinesFact = defineFact({
  name: 'data_gov.request_deadlines',
  description: 'Requests of data subjects that are open or were completed in the last 90 days, with their due times.',
  permission: 'data-gov:read',
  schema: populationOf(Request),
  read: ({ tx, at }) =>
    readPopulation(tx, {
      count: sql`
        select ((select count(*) from data_gov_run
            where kind = 'subject_request' and not dry_run and status <> 'withdrawn' and completed_at is null)
          + (select count(*) from data_gov_run where kind = 'subject_request' and not dry_run
            and status <> 'withdrawn' and completed_at > ${at}::timestamptz - interval '90 days'))::int as total`,
      items: sql<Static<typeof Request> & { recount: number }>`
        select id, due_at, completed_at, count(*) over ()::int as recount from data_gov_run
        where kind = 'subject_request' and not dry_run and status <> 'withdrawn'
          and (completed_at is null or completed_at > ${at}::timestamptz - interval '90 days')
        order by id limit ${mostItems}`,
    }),
})

const Schedule = strictObject({
  id: Uuid,
  past: Type.Integer({ minimum: 0, description: 'Rows past their maximum age that no legal hold keeps' }),
  held: Type.Integer({ minimum: 0, description: 'Rows past their maximum age under a legal hold' }),
  next_run_at: nullable(Timestamp),
})

interface ActiveSchedule extends Pick<PolicyRow, 'id' | 'categories' | 'maximum' | 'next_run_at'> {
  readonly recount: number
}

const mostSchedules = 100

export const retentionBacklogFact = defineFact({
  name: 'data_gov.retention_backlog',
  description: 'Active retention schedules with the rows that are past their maximum age.',
  permission: 'data-gov:read',
  schema: populationOf(Schedule),
  read: async ({ services, tx }: FactContext<DataGovServices>) => {
    const found = await readPopulation(tx, {
      count: sql`
        select coalesce(sum(policies), 0)::int as total from (
          select kind, count(*) as policies from data_gov_policy where status = 'active' group by kind) kinds
        where kind = 'schedule'`,
      items: sql<ActiveSchedule>`
        select id, categories, maximum, next_run_at, count(*) over ()::int as recount from data_gov_policy
        where status = 'active' and kind = 'schedule' order by id limit ${mostSchedules}`,
    })
    const items = []
    for (const schedule of found.items) items.push(await backlog(services, tx, schedule))
    return { ...found, items }
  },
})

async function backlog(
  { kernel }: DataGovServices,
  tx: Tx,
  schedule: Omit<ActiveSchedule, 'recount'>,
): Promise<Static<typeof Schedule>> {
  const lines = await planPolicy(kernel, tx, schedule)
  const past = lines.reduce((sum, line) => sum + line.to_erase, 0)
  const matched = lines.reduce((sum, line) => sum + line.matched, 0)
  return { id: schedule.id, past, held: matched - past, next_run_at: schedule.next_run_at }
}

const Flow = strictObject({
  id: Uuid,
  dataset: Type.String({ maxLength: 1_000 }),
  level: nullable(oneOf(...levels)),
  provider: Type.String({ maxLength: 500, description: 'Of the model that took the data' }),
  model: Type.String({ maxLength: 500 }),
})

export const modelFlowsFact = defineFact({
  name: 'data_gov.model_flows',
  description: 'Datasets that model calls name, with their level and the provider that takes them.',
  permission: 'data-gov:read',
  schema: populationOf(Flow),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select count(*)::int as total from data_gov_edge edge
        where edge.valid_to is null
          and edge.to_id in (select id from data_gov_node where kind = 'model')
          and edge.from_id in (select id from data_gov_node where kind = 'dataset')`,
      items: sql<Static<typeof Flow> & { recount: number }>`
        select edge.id, source.namespace || '|' || source.name as dataset, asset.level, target.namespace as provider,
          target.name as model, count(*) over ()::int as recount
        from data_gov_edge edge
        join data_gov_node target on target.id = edge.to_id and target.kind = 'model'
        join data_gov_node source on source.id = edge.from_id and source.kind = 'dataset'
        left join data_gov_asset asset on asset.key = source.key
        where edge.valid_to is null
        order by edge.id limit ${mostItems}`,
    }),
})

export const dataGovCheckFacts = [...[assetLabelsFact, requestDeadlinesFact, retentionBacklogFact, modelFlowsFact]]
