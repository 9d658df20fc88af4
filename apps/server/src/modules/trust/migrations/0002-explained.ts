import type { Migration } from '../../../kernel/db/schema/migration.ts'

export const explainedMigration: Migration = {
  id: 'trust-0002-explained',
  sql: `
    alter table trust_snapshot drop constraint trust_snapshot_trigger_check;
    alter table trust_snapshot add constraint trust_snapshot_trigger_check
      check (trigger in ('event', 'schedule', 'forecast', 'manual', 'config'));

    alter table trust_state
      add told_snapshot_id uuid,
      add calls_since int not null default 0,
      add calls_until_look int not null default 1;

    create table trust_extreme (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      snapshot_id uuid not null,
      composite_min int not null,
      composite_max int not null,
      security_min int not null,
      security_max int not null,
      compliance_min int not null,
      compliance_max int not null,
      risk_min int not null,
      risk_max int not null,
      resilience_min int not null,
      resilience_max int not null,
      ai_governance_min int not null,
      ai_governance_max int not null,
      primary key (tenant_id, snapshot_id),
      foreign key (tenant_id, snapshot_id) references trust_snapshot (tenant_id, id)
    );
  `,
}
