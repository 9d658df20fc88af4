/** Facts that other modules may read of the platform's workflows by name. Tested in modules/compliance/checks/populations.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../kernel/facts/population.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'

const Workflow = strictObject({
  id: Uuid,
  key: Type.String({ maxLength: 100 }),
  trigger: oneOf('event', 'schedule', 'manual'),
  channels: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20, description: 'Patterns that start it' }),
  completed_at: nullable({ ...Timestamp, description: 'End of the newest completed run, dry runs included' }),
})

export const enabledWorkflowsFact = defineFact({
  name: 'platform.enabled_workflows',
  description: 'Enabled workflows with their triggers and their newest completed runs.',
  permission: 'platform:read',
  schema: populationOf(Workflow),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select ((select count(*) from platform_workflow)
          - (select count(*) from platform_workflow where status <> 'enabled'))::int as total`,
      items: sql<Static<typeof Workflow> & { recount: number }>`
        select id, key, definition #>> '{trigger,type}' as trigger, count(*) over ()::int as recount,
          coalesce(definition #> '{trigger,channels}', '[]') as channels,
          (select max(ended_at) from platform_run run where run.tenant_id = workflow.tenant_id
            and run.workflow_id = workflow.id and run.status = 'completed') as completed_at
        from platform_workflow workflow where status = 'enabled' order by id limit ${mostItems}`,
    }),
})
