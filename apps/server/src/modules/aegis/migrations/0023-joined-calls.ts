import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The ids by which an agent's report of a model call and the gateway's record of it are found to be one. */
export const joinedCallsMigration: Migration = {
  id: 'aegis-0023-joined-calls',
  sql: `
    alter table aegis_activity
      add call_id text,
      add gateway_log_id uuid;
    update aegis_activity set gateway_log_id = substring(event_id from 9)::uuid where source = 'gateway';
    -- It is the beginning of aegis_activity_recorded. Being smaller than the primary key, it was taken to look for an event
    -- by its id while the table had no statistics, and all events of the agent were read for each.
    drop index aegis_activity_time;
    create index aegis_activity_call on aegis_activity (tenant_id, call_id) where call_id is not null;
    create index aegis_activity_call_trace on aegis_activity (tenant_id, trace_id) where type = 'llm.call';
  `,
}
