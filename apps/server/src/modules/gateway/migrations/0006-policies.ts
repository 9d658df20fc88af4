import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const policiesMigration: Migration = {
  id: 'gateway-0006-policies',
  sql: `
    alter table gateway_provider
      add column residency text[] not null default '{}',
      add column zero_retention boolean not null default false;

    create table gateway_simulation (
      ${tenant},
      id uuid not null,
      policy_id uuid not null,
      policy_version int,
      sha256 text not null,
      summary jsonb not null,
      user_id uuid not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, policy_id) references gateway_policy (tenant_id, id)
    );
    create index gateway_simulation_of_document on gateway_simulation (tenant_id, policy_id, sha256, created_at);
  `,
}
