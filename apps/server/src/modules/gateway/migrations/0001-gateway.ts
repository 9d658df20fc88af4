import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const gatewayMigration: Migration = {
  id: 'gateway-0001-gateway',
  sql: `
    create table gateway_provider (
      ${tenant},
      id uuid not null,
      name text not null,
      kind text not null check (kind in ('echo', 'openai', 'openai_compatible')),
      base_url text,
      models text[] not null default '{}',
      timeouts jsonb not null,
      status text not null check (status in ('enabled', 'disabled')),
      health_state text not null check (health_state in ('unknown', 'healthy', 'degraded', 'down')),
      health_reason text,
      health_since timestamptz(3),
      tested_ok boolean,
      tested_at timestamptz(3),
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint gateway_provider_name unique (tenant_id, name)
    );
    create index gateway_provider_created_at on gateway_provider (tenant_id, created_at, id);
    create index gateway_provider_by_name on gateway_provider (tenant_id, name, id);

    create table gateway_provider_secret (
      ${tenant},
      id uuid not null,
      provider_id uuid not null,
      name text not null,
      ciphertext bytea not null,
      hint text not null,
      weight int not null,
      version int not null default 1,
      expires_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      unique (tenant_id, provider_id, name),
      foreign key (tenant_id, provider_id) references gateway_provider (tenant_id, id) on delete cascade
    );

    create table gateway_model (
      ${tenant},
      id uuid not null,
      provider_id uuid not null,
      name text not null,
      source text not null check (source in ('builtin', 'declared', 'synced')),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      unique (tenant_id, provider_id, name),
      foreign key (tenant_id, provider_id) references gateway_provider (tenant_id, id) on delete cascade
    );
    create index gateway_model_created_at on gateway_model (tenant_id, created_at, id);
    create index gateway_model_by_name on gateway_model (tenant_id, name, id);

    create table gateway_policy (
      ${tenant},
      id uuid not null,
      name text not null,
      description text,
      status text not null check (status in ('draft', 'published', 'archived')),
      active_version int,
      latest_version int not null,
      bindings jsonb not null default '[]',
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint gateway_policy_name unique (tenant_id, name),
      check ((status = 'published') <= (active_version is not null))
    );
    create index gateway_policy_created_at on gateway_policy (tenant_id, created_at, id);
    create index gateway_policy_by_name on gateway_policy (tenant_id, name, id);

    create table gateway_policy_version (
      ${tenant},
      id uuid not null,
      policy_id uuid not null,
      number int not null,
      document jsonb not null,
      sha256 text not null,
      note text,
      author_id uuid,
      published_at timestamptz(3),
      published_by uuid,
      replaced_at timestamptz(3),
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      unique (tenant_id, policy_id, number),
      foreign key (tenant_id, policy_id) references gateway_policy (tenant_id, id)
    );

    create table gateway_request_intent (
      ${tenant},
      id uuid not null,
      request_id text not null,
      trace_id text,
      user_id uuid not null,
      key_id text,
      requested_model text,
      policies jsonb not null,
      policy_mode text not null,
      prompt_sha256 text not null,
      offline boolean not null,
      stream boolean not null,
      created_at timestamptz(3) not null,
      deadline_at timestamptz(3) not null,
      xid xid8 not null default pg_current_xact_id(),
      primary key (tenant_id, id)
    );
    create index gateway_request_intent_deadline on gateway_request_intent (tenant_id, deadline_at);
    create index gateway_request_intent_request_id on gateway_request_intent (tenant_id, request_id);

    create table gateway_request (
      ${tenant},
      id uuid not null,
      request_id text not null,
      trace_id text,
      user_id uuid not null,
      key_id text,
      agent_id text,
      dialect text not null,
      operation text not null,
      requested_model text,
      provider text,
      model text,
      policies jsonb not null,
      policy_mode text not null,
      decision text not null check (decision in ('allowed', 'flagged', 'redacted', 'blocked')),
      status text not null check (status in ('completed', 'blocked', 'failed', 'incomplete', 'client_closed')),
      error_code text,
      blocked_step text,
      usage jsonb,
      cost jsonb not null,
      security jsonb not null,
      patterns text[] not null default '{}',
      entities jsonb not null,
      steps jsonb not null,
      timings jsonb not null,
      attempts jsonb not null,
      cache text not null,
      fail_open text[] not null default '{}',
      stream boolean not null,
      offline boolean not null,
      retention text not null,
      prompt_sha256 text,
      recovered boolean not null,
      audit_id uuid,
      payload bytea,
      created_at timestamptz(3) not null,
      finished_at timestamptz(3) not null,
      xid xid8 not null default pg_current_xact_id(),
      primary key (tenant_id, id)
    );
    create index gateway_request_created_at on gateway_request (tenant_id, created_at, id);
    create index gateway_request_by_user on gateway_request (tenant_id, user_id, id);
    create index gateway_request_by_request_id on gateway_request (tenant_id, request_id);

    create table gateway_sweep (
      ${tenant},
      swept_to timestamptz(3) not null,
      primary key (tenant_id)
    );

    create table gateway_audit_check (
      ${tenant},
      checked_at timestamptz(3) not null,
      intact boolean not null,
      primary key (tenant_id)
    );

    create table gateway_usage_hour (
      ${tenant},
      hour timestamptz(3) not null,
      offline boolean not null,
      calls bigint not null,
      blocked bigint not null,
      enforced bigint not null,
      fail_open bigint not null,
      with_entities bigint not null,
      leaked bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      last_at timestamptz(3) not null,
      primary key (tenant_id, hour, offline)
    );
  `,
}
