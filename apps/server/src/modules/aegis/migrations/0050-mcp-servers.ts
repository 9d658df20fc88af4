import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** MCP servers and their tools, each with its approved definition and the one that was seen last. */
export const mcpServersMigration: Migration = {
  id: 'aegis-0050-mcp-servers',
  sql: `
    create table aegis_mcp_server (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      slug text not null,
      name text not null,
      transport text not null check (transport in ('streamable_http')),
      url text not null,
      internal boolean not null,
      auth jsonb not null,
      secret bytea,
      trust text not null check (trust in ('untrusted', 'reviewed', 'verified')),
      default_action text not null check (default_action in ('deny', 'allow')),
      labels text[] not null,
      rate_limit int check (rate_limit > 0),
      timeouts jsonb not null,
      recheck_seconds int not null check (recheck_seconds between 30 and 300),
      era text not null check (era in ('legacy', 'modern', 'unknown')),
      protocol_version text,
      server_info jsonb,
      capabilities jsonb,
      instructions text,
      pins jsonb not null,
      last_scan jsonb,
      checked_at timestamptz(3),
      next_check_at timestamptz(3),
      last_error text,
      status text not null check (status in ('pending', 'active', 'suspended')),
      status_reason text,
      primary key (tenant_id, id),
      constraint aegis_mcp_server_slug unique (tenant_id, slug)
    );
    create index aegis_mcp_server_created_at on aegis_mcp_server (tenant_id, created_at, id);
    create index aegis_mcp_server_name on aegis_mcp_server (tenant_id, name, id);
    create index aegis_mcp_server_next_check_at on aegis_mcp_server (tenant_id, next_check_at);

    create table aegis_mcp_tool (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      server_id uuid not null,
      name text not null,
      definition jsonb,
      candidate jsonb,
      pin_sha256 text,
      candidate_sha256 text,
      labels text[] not null,
      suggested_labels text[] not null,
      findings jsonb not null,
      poison_score double precision not null,
      status text not null check (status in ('pending', 'approved', 'changed', 'denied', 'removed')),
      renamed_from uuid,
      decided_by uuid,
      decided_at timestamptz(3),
      position int not null,
      primary key (tenant_id, id),
      constraint aegis_mcp_tool_name unique (tenant_id, server_id, name),
      foreign key (tenant_id, server_id) references aegis_mcp_server (tenant_id, id) on delete cascade,
      check (status <> 'approved' or (pin_sha256 is not null and definition is not null))
    );
    create index aegis_mcp_tool_created_at on aegis_mcp_tool (tenant_id, created_at, id);
    create index aegis_mcp_tool_by_name on aegis_mcp_tool (tenant_id, name, id);
  `,
}
