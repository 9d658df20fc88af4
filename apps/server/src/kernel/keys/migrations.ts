import type { Migration } from '../db/schema/migration.ts'

export const cryptoMigrations: readonly Migration[] = [
  {
    id: 'kernel-0040-keys',
    sql: `
create table tenant_data_key (
  tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
  id uuid not null,
  version integer not null check (version > 0),
  wrapped bytea not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  unique (tenant_id, version)
);

create table signing_key (
  kid text primary key,
  purpose text not null check (purpose in ('token', 'checkpoint')),
  status text not null check (status in ('next', 'active', 'retiring', 'retired')),
  public_x text not null,
  wrapped bytea,
  created_at timestamptz(3) not null,
  activates_at timestamptz(3),
  retires_at timestamptz(3),
  check (wrapped is not null or status in ('retiring', 'retired'))
);

create unique index signing_key_one_active on signing_key (purpose) where status = 'active';
create unique index signing_key_one_next on signing_key (purpose) where status = 'next';
`,
  },
  {
    id: 'kernel-0041-export-key',
    sql: `
alter table signing_key drop constraint signing_key_purpose_check;
alter table signing_key add constraint signing_key_purpose_check check (purpose in ('token', 'checkpoint', 'export'));`,
  },
  {
    id: 'kernel-0048-key-uses',
    sql: `
create table key_use (
  kid text primary key,
  uses bigint not null check (uses >= 0)
);`,
  },
]
