import type { Migration } from '../db/schema/migration.ts'

export const authMigrations: readonly Migration[] = [
  {
    id: 'kernel-0041-revocation',
    sql: `
create table revocation (
  tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
  id uuid not null,
  scope text not null check (scope in ('session', 'user', 'tenant', 'platform', 'key')),
  subject text not null,
  cutoff_sid uuid not null,
  at timestamptz(3) not null,
  primary key (tenant_id, id)
);

create index revocation_at on revocation (at);
`,
  },
]
