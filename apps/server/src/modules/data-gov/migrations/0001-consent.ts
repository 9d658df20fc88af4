import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
const stamps = `id uuid not null, version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null`

/** Notices, people by keyed hashes, and the ledger of consents. */
export const consentMigration: Migration = {
  id: 'data-gov-0001-consent',
  sql: `
    create table data_gov_notice (
      ${tenant}, ${stamps},
      key text not null,
      edition int not null,
      title text not null,
      controller text not null,
      purposes jsonb not null,
      withdrawal_method text not null,
      languages text[] not null,
      jurisdictions text[] not null,
      material_change boolean not null,
      effective_from timestamptz(3) not null,
      status text not null check (status in ('current', 'superseded')),
      created_by uuid,
      primary key (tenant_id, id),
      constraint data_gov_notice_edition unique (tenant_id, key, edition)
    );
    create index data_gov_notice_created_at on data_gov_notice (tenant_id, created_at, id);

    create table data_gov_subject (
      ${tenant}, ${stamps},
      status text not null check (status in ('active', 'restricted', 'erased')),
      gpc_at timestamptz(3),
      primary key (tenant_id, id)
    );

    create table data_gov_alias (
      ${tenant},
      hash text not null,
      subject_id uuid not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, hash),
      foreign key (tenant_id, subject_id) references data_gov_subject (tenant_id, id)
    );
    create index data_gov_alias_subject on data_gov_alias (tenant_id, subject_id);

    create table data_gov_consent (
      ${tenant}, ${stamps},
      subject_id uuid not null,
      notice_id uuid,
      notice_key text,
      notice_edition int,
      purpose text not null,
      basis text not null,
      state text not null,
      categories text[] not null,
      recipients text[] not null,
      occurred_at timestamptz(3) not null,
      valid_until timestamptz(3),
      event_id uuid not null,
      primary key (tenant_id, id),
      constraint data_gov_consent_purpose unique (tenant_id, subject_id, purpose),
      foreign key (tenant_id, subject_id) references data_gov_subject (tenant_id, id),
      foreign key (tenant_id, notice_id) references data_gov_notice (tenant_id, id)
    );
    create index data_gov_consent_created_at on data_gov_consent (tenant_id, created_at, id);
    create index data_gov_consent_updated_at on data_gov_consent (tenant_id, updated_at, id);
    create index data_gov_consent_valid_until on data_gov_consent (tenant_id, valid_until, id);
    create index data_gov_consent_notice on data_gov_consent (tenant_id, notice_id);

    create table data_gov_consent_event (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      consent_id uuid not null,
      notice_id uuid,
      recorded_by uuid,
      categories text[] not null,
      recipients text[] not null,
      event text not null,
      basis text not null,
      method text not null,
      evidence_sha256 text,
      locale text,
      occurred_at timestamptz(3) not null,
      valid_until timestamptz(3),
      gpc boolean not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, consent_id) references data_gov_consent (tenant_id, id)
    );
    create index data_gov_consent_event_of on data_gov_consent_event (tenant_id, consent_id, occurred_at);
  `,
}
