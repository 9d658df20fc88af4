import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Messages of agents to MCP servers, and the labels that their conversations carry. */
export const mcpCallsMigration: Migration = {
  id: 'aegis-0051-mcp-calls',
  sql: `
    create table aegis_mcp_call (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      created_at timestamptz(3) not null,
      agent_id uuid not null,
      server_id uuid not null,
      server text not null,
      method text not null,
      tool text,
      conversation text not null,
      trace_id text,
      protocol_version text,
      client_info text,
      decision text not null check (decision in ('allowed', 'denied', 'held', 'redacted')),
      outcome text not null,
      error_code text,
      pin_sha256 text,
      args_sha256 text,
      result_sha256 text,
      labels_before text[] not null,
      labels_after text[] not null,
      detections text[] not null,
      guardrail_hits jsonb not null,
      bytes_in int not null,
      bytes_out int not null,
      latency_ms jsonb not null,
      request_id text not null,
      primary key (tenant_id, id)
    );
    create index aegis_mcp_call_created_at on aegis_mcp_call (tenant_id, created_at);
    create index aegis_mcp_call_conversation on aegis_mcp_call (tenant_id, agent_id, conversation, created_at);
    create index aegis_mcp_call_tool on aegis_mcp_call (tenant_id, server_id, tool, created_at);

    create table aegis_mcp_taint (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      agent_id uuid not null,
      key text not null,
      labels text[] not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, agent_id, key),
      foreign key (tenant_id, agent_id) references aegis_agent (tenant_id, id)
    );
    create index aegis_mcp_taint_updated_at on aegis_mcp_taint (tenant_id, updated_at);
  `,
}
