import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Sessions of agents and the events in them. */
export const activityMigration: Migration = {
  id: 'aegis-0021-activity',
  sql: `
    create table aegis_session (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      agent_id uuid not null,
      key text not null,
      source text not null check (source in ('otel', 'native', 'gateway', 'mcp')),
      conversation_id text,
      trace_id text,
      user_id uuid,
      labels text[] not null,
      label_scope text not null check (label_scope in ('conversation', 'agent_window')),
      status text not null check (status in ('open', 'closed')),
      calls int not null,
      denied int not null,
      errors int not null,
      tokens_in bigint not null,
      tokens_out bigint not null,
      cost double precision not null,
      next_seq int not null,
      started_at timestamptz(3) not null,
      last_event_at timestamptz(3) not null,
      ended_at timestamptz(3),
      primary key (tenant_id, id),
      foreign key (tenant_id, agent_id) references aegis_agent (tenant_id, id)
    );
    create unique index aegis_session_open on aegis_session (tenant_id, agent_id, key) where status = 'open';
    create index aegis_session_open_trace on aegis_session (tenant_id, agent_id, trace_id) where status = 'open';
    create index aegis_session_idle on aegis_session (tenant_id, status, last_event_at);
    create index aegis_session_started_at on aegis_session (tenant_id, started_at, id);
    create index aegis_session_last_event_at on aegis_session (tenant_id, last_event_at, id);
    create index aegis_session_agent on aegis_session (tenant_id, agent_id, started_at);

    create table aegis_activity (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      agent_id uuid not null,
      event_id text not null,
      session_id uuid not null,
      seq int not null,
      source text not null,
      time timestamptz(3) not null,
      type text not null,
      conversation_id text,
      trace_id text,
      span_id text,
      parent_id text,
      model text,
      provider text,
      tool text,
      server text,
      destination text,
      tokens_in bigint,
      tokens_out bigint,
      cost double precision,
      duration_ms double precision,
      bytes_out bigint,
      outcome text not null,
      error_type text,
      labels text[] not null,
      attributes jsonb not null,
      primary key (tenant_id, agent_id, event_id),
      foreign key (tenant_id, session_id) references aegis_session (tenant_id, id) on delete cascade
    );
    create index aegis_activity_session on aegis_activity (tenant_id, session_id, seq);
    -- The agent stands last: beside an index that begins as the primary key does, a planner without statistics took this one
    -- to look for an event by its id, and read all events of the agent.
    create index aegis_activity_time on aegis_activity (tenant_id, time, agent_id);
  `,
}
