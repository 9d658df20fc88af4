import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

/** The register, and every score that a risk ever had. */
export const registerMigration: Migration = {
  id: 'risk-0001-register',
  sql: `
    create table risk_register (
      ${tenant},
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      number int not null check (number > 0),
      title text not null,
      description text,
      category text not null,
      cause text,
      event text,
      consequence text,
      owner_id uuid not null,
      inherent jsonb not null,
      residual jsonb,
      target jsonb,
      score double precision not null check (score between 0 and 100),
      rating text not null,
      above_tolerance boolean not null,
      appetite jsonb,
      treatment jsonb,
      acceptance jsonb,
      kris jsonb not null,
      links jsonb not null,
      review_interval_days int not null,
      reviewed_at timestamptz(3) not null,
      review_due_at timestamptz(3) not null,
      acceptance_until timestamptz(3),
      next_deadline_at timestamptz(3),
      measured_at timestamptz(3),
      status text not null check (status in
        ('draft', 'identified', 'analyzed', 'evaluated', 'treating', 'accepted', 'monitoring', 'closed')),
      primary key (tenant_id, id),
      constraint risk_register_number unique (tenant_id, number)
    );
    create index risk_register_created_at on risk_register (tenant_id, created_at, id);
    create index risk_register_score on risk_register (tenant_id, score, id);
    create index risk_register_review_due_at on risk_register (tenant_id, review_due_at) where status = 'monitoring';
    create index risk_register_acceptance on risk_register (tenant_id, acceptance_until) where status = 'accepted';
    create index risk_register_deadline on risk_register (tenant_id, next_deadline_at)
      where next_deadline_at is not null;
    create index risk_register_measured_at on risk_register (tenant_id, measured_at) where measured_at is not null;

    create table risk_score (
      ${tenant},
      id uuid not null,
      risk_id uuid not null,
      created_at timestamptz(3) not null,
      level text not null check (level in ('inherent', 'residual', 'target')),
      previous_score double precision,
      score double precision not null,
      previous_rating text,
      rating text not null,
      var95 double precision,
      cause text not null check (cause in ('analysis', 'qualitative', 'kri', 'threat_update')),
      analysis_id uuid,
      primary key (tenant_id, id),
      foreign key (tenant_id, risk_id) references risk_register (tenant_id, id)
    );
    create index risk_score_risk on risk_score (tenant_id, risk_id, created_at, id);
  `,
}
