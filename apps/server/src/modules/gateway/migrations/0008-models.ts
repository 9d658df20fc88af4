import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** An alias has its own row, so that two models can never have the same one. */
export const modelsMigration: Migration = {
  id: 'gateway-0008-models',
  sql: `
    alter table gateway_provider add column settings jsonb not null default '{}';

    alter table gateway_model
      add column enabled boolean,
      add column context_tokens int,
      add column max_output_tokens int,
      add column version int not null default 1;

    create table gateway_model_alias (
      ${tenant},
      alias text not null,
      model_id uuid not null,
      constraint gateway_model_alias_name primary key (tenant_id, alias),
      foreign key (tenant_id, model_id) references gateway_model (tenant_id, id) on delete cascade
    );
    create index gateway_model_alias_model on gateway_model_alias (tenant_id, model_id);
  `,
}
