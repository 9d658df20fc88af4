/** Populations of resilience that checks hold against its objectives. Tested in modules/compliance/checks/populations.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../kernel/facts/population.ts'
import { nullable, oneOf, Slug, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'

const Scenario = strictObject({
  id: Uuid,
  exercised_at: nullable({ ...Timestamp, description: 'End of the newest experiment that was no dry run' }),
})

const critical = ['outage', 'data_loss']

export const exercisesFact = defineFact({
  name: 'resilience.exercises',
  description: 'Approved scenarios of an outage or a loss of data, and when each was exercised last.',
  permission: 'resilience:read',
  schema: populationOf(Scenario),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select coalesce(sum(scenarios), 0)::int as total from (
          select kind, count(*) as scenarios from resilience_scenario where status = 'approved' group by kind) kinds
        where kind = any(${critical}::text[])`,
      items: sql<Static<typeof Scenario> & { recount: number }>`
        select scenario.id, count(*) over ()::int as recount, (
          select max(finished_at) from resilience_experiment done where done.tenant_id = scenario.tenant_id
            and done.scenario_id = scenario.id and done.mode <> 'dry_run'
            and done.status in ('completed', 'failed')) as exercised_at
        from resilience_scenario scenario
        where scenario.status = 'approved' and scenario.kind in ('outage', 'data_loss')
        order by scenario.id limit ${mostItems}`,
    }),
})

const Restore = strictObject({
  id: Uuid,
  service: Slug,
  objective: oneOf('rto', 'rpo'),
  minutes: Type.Number({ minimum: 0 }),
  target_minutes: nullable(Type.Number({ minimum: 0 })),
  measured_at: Timestamp,
})

export const restoresFact = defineFact({
  name: 'resilience.restores',
  description: 'The newest timed restore of each service by objective, beside its target.',
  permission: 'resilience:read',
  schema: populationOf(Restore),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select count(distinct (measured.service_key, measured.objective))::int as total
        from resilience_measurement measured join resilience_service service on service.key = measured.service_key
        where measured.source = 'restore' and measured.minutes is not null`,
      items: sql<Static<typeof Restore> & { recount: number }>`
        select newest.*, count(*) over ()::int as recount from (
          select distinct on (measured.service_key, measured.objective) measured.id, measured.service_key as service,
            measured.objective, measured.minutes, measured.started_at as measured_at,
            (case when measured.objective = 'rto' then service.rto else service.rpo end ->> 'objective_minutes')::float8
              as target_minutes
          from resilience_measurement measured join resilience_service service on service.key = measured.service_key
          where measured.source = 'restore' and measured.minutes is not null
          order by measured.service_key, measured.objective, measured.started_at desc, measured.id desc) newest
        limit ${mostItems}`,
    }),
})
