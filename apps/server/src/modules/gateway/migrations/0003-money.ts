import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const moneyMigration: Migration = {
  id: 'gateway-0003-money',
  sql: `
    create table gateway_price (
      ${tenant},
      id uuid not null,
      provider_id uuid not null,
      model text not null,
      sheet jsonb,
      valid_from timestamptz(3) not null,
      set_by uuid not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );

    create table gateway_budget (
      ${tenant},
      id uuid not null,
      name text not null,
      scope jsonb not null,
      amount_nano numeric(38) not null check (amount_nano >= 0),
      currency text not null,
      window_kind text not null check (window_kind in ('day', 'week', 'month', 'rolling')),
      window_hours int check ((window_hours is not null) = (window_kind = 'rolling')),
      time_zone text not null,
      kind text not null check (kind in ('hard', 'soft')),
      alert_at int[] not null,
      on_unpriced text not null check (on_unpriced in ('block', 'flag')),
      status text not null check (status in ('active', 'paused', 'archived')),
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      constraint gateway_budget_name unique (tenant_id, name)
    );
    create index gateway_budget_created_at on gateway_budget (tenant_id, created_at, id);
    create index gateway_budget_by_name on gateway_budget (tenant_id, name, id);

    create table gateway_budget_balance (
      ${tenant},
      budget_id uuid not null,
      bucket timestamptz(3) not null,
      spent_nano numeric(38) not null default 0,
      reserved_nano numeric(38) not null default 0,
      primary key (tenant_id, budget_id, bucket),
      foreign key (tenant_id, budget_id) references gateway_budget (tenant_id, id)
    );

    create table gateway_budget_hold (
      ${tenant},
      id uuid not null,
      budget_id uuid not null,
      call_id uuid not null,
      bucket timestamptz(3) not null,
      amount_nano numeric(38) not null check (amount_nano >= 0),
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, budget_id) references gateway_budget (tenant_id, id)
    );
    create index gateway_budget_hold_expiry on gateway_budget_hold (tenant_id, expires_at);

    create table gateway_budget_spend (
      ${tenant},
      id uuid not null,
      budget_id uuid not null,
      call_id uuid,
      source text not null check (source in ('call', 'sweep', 'adjustment')),
      bucket timestamptz(3) not null,
      amount_nano numeric(38) not null,
      estimated boolean not null,
      reason text,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create index gateway_budget_spend_call on gateway_budget_spend (tenant_id, call_id);

    create table gateway_budget_settled (
      ${tenant},
      id uuid not null,
      budget_id uuid not null,
      amount_nano numeric(38) not null,
      primary key (tenant_id, id)
    );
    create index gateway_budget_settled_budget on gateway_budget_settled (tenant_id, budget_id);

    create table gateway_budget_alert (
      ${tenant},
      budget_id uuid not null,
      bucket timestamptz(3) not null,
      level int not null,
      at timestamptz(3) not null,
      primary key (tenant_id, budget_id, bucket, level),
      foreign key (tenant_id, budget_id) references gateway_budget (tenant_id, id)
    );

    create table gateway_usage_cell (
      ${tenant},
      hour timestamptz(3) not null,
      key text not null,
      offline boolean not null,
      provider text,
      model text,
      route text,
      user_id uuid not null,
      key_id text,
      agent_id text,
      decision text not null,
      code text,
      tags text[] not null default '{}',
      policies text[] not null default '{}',
      currency text,
      requests bigint not null,
      input_tokens bigint not null,
      cached_tokens bigint not null,
      output_tokens bigint not null,
      cost_nano numeric(38) not null,
      saved_nano numeric(38) not null,
      budgeted_nano numeric(38) not null,
      unpriced_requests bigint not null,
      fail_open bigint not null,
      cache_hits bigint not null,
      tallies jsonb not null,
      primary key (tenant_id, hour, key)
    );
    create index gateway_usage_cell_user on gateway_usage_cell (tenant_id, user_id, hour);
  `,
}
