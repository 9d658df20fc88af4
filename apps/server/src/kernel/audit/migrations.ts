import type { Migration } from '../db/schema/migration.ts'

const tenantColumn = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const auditMigrations: readonly Migration[] = [
  {
    id: 'kernel-0030-audit-entry',
    sql: `
create table audit_entry (
  ${tenantColumn},
  id uuid not null,
  at timestamptz(3) not null,
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'system')),
  user_id uuid,
  key_id text,
  role text,
  home_tenant_id uuid,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb,
  reason text,
  result text not null check (result in ('success', 'refused', 'failed')),
  ip text,
  user_agent text,
  request_id text,
  traceparent text,
  primary key (tenant_id, id)
);
create index audit_entry_at on audit_entry (tenant_id, at, id);
create table audit_pending (
  ${tenantColumn},
  id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, id)
);
create index audit_pending_order on audit_pending (xid, id);`,
  },
  {
    id: 'kernel-0031-audit-seal',
    sql: `
create table audit_seal (
  ${tenantColumn},
  seq bigint not null check (seq > 0),
  entry_id uuid not null,
  prev_hash text not null,
  hash text not null,
  sealed_at timestamptz(3) not null,
  primary key (tenant_id, seq),
  unique (tenant_id, entry_id)
);
create table audit_checkpoint (
  ${tenantColumn},
  id uuid not null,
  size bigint not null check (size > 0),
  head_hash text not null,
  note text not null,
  at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index audit_checkpoint_size on audit_checkpoint (tenant_id, size);`,
  },
  {
    id: 'kernel-0032-audit-personal',
    sql: `
create table audit_personal (
  ${tenantColumn},
  entry_id uuid not null,
  subject_id uuid not null,
  salt text not null,
  opened jsonb not null,
  primary key (tenant_id, entry_id, subject_id)
);
create index audit_personal_subject on audit_personal (subject_id);`,
  },
  {
    id: 'kernel-0033-audit-delivery',
    sql: `
create table audit_delivery (
  ${tenantColumn},
  place text not null,
  size bigint not null check (size >= 0),
  claimed_until timestamptz(3),
  tried_at timestamptz(3),
  primary key (tenant_id, place)
);`,
  },
  {
    id: 'kernel-0034-audit-cut',
    sql: `
create table audit_cut (
  ${tenantColumn},
  id uuid not null,
  size bigint not null check (size > 0),
  head_hash text not null,
  note text not null,
  at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index audit_cut_size on audit_cut (tenant_id, size);`,
  },
]
