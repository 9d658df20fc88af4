import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const killSwitchMigration: Migration = {
  id: 'aegis-0001-kill-switches',
  sql: `
    create table aegis_kill_switch (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      scope text not null check (scope in ('platform', 'tenant', 'provider', 'model', 'agent', 'user', 'key', 'route')),
      value text,
      level text not null check (level in ('block_new', 'hard')),
      reason text not null,
      exempt text[] not null default '{}',
      source text not null check (source in ('gateway', 'aegis', 'resilience', 'platform')),
      status text not null check (status in ('active', 'deactivated', 'expired')),
      activated_by uuid not null,
      activated_at timestamptz(3) not null,
      deactivated_by uuid,
      deactivated_at timestamptz(3),
      deactivation_reason text,
      expires_at timestamptz(3),
      propagation jsonb not null,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      check ((scope in ('platform', 'tenant')) = (value is null))
    );
    create unique index aegis_kill_switch_one_active
      on aegis_kill_switch (tenant_id, scope, coalesce(value, '')) where status = 'active';
    create index aegis_kill_switch_created_at on aegis_kill_switch (tenant_id, created_at, id);
    create index aegis_kill_switch_active on aegis_kill_switch (status) where status = 'active';
  `,
}
