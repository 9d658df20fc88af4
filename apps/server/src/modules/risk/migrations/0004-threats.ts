import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The threat library: techniques, groups, campaigns, mitigations, tactics and vulnerabilities. */
export const threatsMigration: Migration = {
  id: 'risk-0004-threats',
  sql: `
    create table risk_threat (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      key text not null,
      source text not null check (source in ('attack', 'atlas', 'cve', 'custom')),
      external_id text not null,
      stix_id text,
      type text not null,
      name text not null,
      tactics text[] not null,
      platforms text[] not null,
      parent_id text,
      aliases text[] not null,
      mitigations text[] not null,
      groups text[] not null,
      revoked boolean not null,
      revoked_by text,
      deprecated boolean not null,
      object_version text,
      modified_at timestamptz(3),
      cvss_vector text,
      cvss_score double precision,
      cvss_severity text,
      cvss_macrovector text,
      cvss_nomenclature text,
      epss double precision,
      epss_percentile double precision,
      epss_date text,
      epss_model text,
      kev jsonb,
      ssvc jsonb,
      primary key (tenant_id, id),
      constraint risk_threat_key unique (tenant_id, key)
    );
    create index risk_threat_external_id on risk_threat (tenant_id, external_id, id);
    create index risk_threat_created_at on risk_threat (tenant_id, created_at, id);
    create index risk_threat_stix_id on risk_threat (tenant_id, stix_id) where stix_id is not null;
  `,
}
