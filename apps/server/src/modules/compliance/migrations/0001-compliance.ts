import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenant = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`
const stamps = `id uuid not null, version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null`

/** Frameworks with their controls, mappings between them, and the state of each check. */
export const complianceMigration: Migration = {
  id: 'compliance-0001-compliance',
  sql: `
    create table compliance_framework (
      ${tenant}, ${stamps},
      key text not null,
      edition text not null,
      title text not null,
      publisher text,
      source text not null check (source in ('builtin', 'oscal', 'csv', 'json')),
      status text not null check (status in ('draft', 'published', 'archived')),
      sha256 text not null,
      text_policy text not null,
      license text,
      source_url text,
      applies_per text not null,
      mandatory boolean not null,
      soa boolean not null,
      control_count int not null,
      withdrawn_count int not null,
      groups jsonb not null,
      adoption text not null check (adoption in ('not_adopted', 'adopted', 'archived')),
      adopted_at timestamptz(3),
      weight int not null,
      document_id uuid,
      profile_id uuid,
      primary key (tenant_id, id),
      constraint compliance_framework_edition unique (tenant_id, key, edition),
      foreign key (tenant_id, document_id) references blob (tenant_id, id),
      foreign key (tenant_id, profile_id) references blob (tenant_id, id)
    );
    create index compliance_framework_created_at on compliance_framework (tenant_id, created_at, id);
    create index compliance_framework_document on compliance_framework (tenant_id, document_id);
    create index compliance_framework_profile on compliance_framework (tenant_id, profile_id);

    create table compliance_control (
      ${tenant}, ${stamps},
      framework_id uuid not null,
      position int not null,
      ref text not null,
      parent_ref text,
      group_ref text,
      title text not null,
      statement text,
      guidance text,
      withdrawn boolean not null,
      needs_review boolean not null,
      weight int not null check (weight between 1 and 3),
      params jsonb not null,
      applicable boolean not null,
      justification text,
      implementation_status text not null,
      implementation_note text,
      owner_user_id uuid,
      maturity_claimed int,
      result text not null,
      result_share double precision,
      grading text,
      result_at timestamptz(3),
      assessment_id uuid,
      due_at timestamptz(3),
      remediation jsonb not null,
      decisions jsonb not null,
      primary key (tenant_id, id),
      constraint compliance_control_ref unique (tenant_id, framework_id, ref),
      foreign key (tenant_id, framework_id) references compliance_framework (tenant_id, id)
    );
    create index compliance_control_position on compliance_control (tenant_id, position, id);
    create index compliance_control_updated_at on compliance_control (tenant_id, updated_at, id);

    create table compliance_mapping (
      ${tenant}, ${stamps},
      source_key text not null,
      target_key text not null,
      sources text[] not null,
      targets text[] not null,
      relation text not null,
      rationale text,
      reason text,
      strength int,
      coverage double precision,
      confidence double precision not null,
      origin text not null,
      primary key (tenant_id, id)
    );
    create index compliance_mapping_target on compliance_mapping (tenant_id, target_key);
    create index compliance_mapping_source on compliance_mapping (tenant_id, source_key);
  `,
}

/** Evidence with its chain, and the state of the checks. */
export const evidenceMigration: Migration = {
  id: 'compliance-0002-evidence',
  sql: `
    create table compliance_evidence (
      ${tenant}, ${stamps},
      kind text not null,
      title text not null,
      description text,
      status text not null check (status in ('accepted', 'reviewed', 'expired', 'superseded')),
      check_id text,
      source_ref text,
      url text,
      collected_at timestamptz(3) not null,
      valid_from timestamptz(3) not null,
      valid_until timestamptz(3) not null,
      period_start timestamptz(3),
      period_end timestamptz(3),
      versions int not null,
      sha256 text not null,
      created_by uuid,
      reviewed_by uuid,
      reviewed_at timestamptz(3),
      warned_days int,
      primary key (tenant_id, id)
    );
    create index compliance_evidence_created_at on compliance_evidence (tenant_id, created_at, id);
    create index compliance_evidence_valid_until on compliance_evidence (tenant_id, valid_until, id);
    create index compliance_evidence_check on compliance_evidence (tenant_id, check_id, created_at);

    create table compliance_record (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      seq bigint not null,
      evidence_id uuid not null,
      number int not null,
      record jsonb not null,
      document text,
      blob_id uuid,
      kid text not null,
      signature text not null,
      prev_hash text not null,
      hash text not null,
      primary key (tenant_id, id),
      constraint compliance_record_seq unique (tenant_id, seq),
      constraint compliance_record_number unique (tenant_id, evidence_id, number),
      foreign key (tenant_id, evidence_id) references compliance_evidence (tenant_id, id),
      foreign key (tenant_id, blob_id) references blob (tenant_id, id)
    );
    create index compliance_record_blob on compliance_record (tenant_id, blob_id);

    create table compliance_claim (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      evidence_id uuid not null,
      control_id uuid not null,
      part boolean not null,
      note text,
      primary key (tenant_id, id),
      constraint compliance_claim_pair unique (tenant_id, control_id, evidence_id),
      foreign key (tenant_id, evidence_id) references compliance_evidence (tenant_id, id),
      foreign key (tenant_id, control_id) references compliance_control (tenant_id, id)
    );
    create index compliance_claim_evidence on compliance_claim (tenant_id, evidence_id);

    create table compliance_check (
      ${tenant},
      id text not null,
      outcome text not null check (outcome in ('pass', 'fail', 'error', 'not_evaluated')),
      severity text not null,
      population int not null,
      failed int not null,
      run_at timestamptz(3) not null,
      due_at timestamptz(3) not null,
      first_failed_at timestamptz(3),
      evidence_id uuid,
      primary key (tenant_id, id),
      foreign key (tenant_id, evidence_id) references compliance_evidence (tenant_id, id)
    );
    create index compliance_check_due_at on compliance_check (tenant_id, due_at);
    create index compliance_check_evidence on compliance_check (tenant_id, evidence_id);

    create table compliance_chain_break (
      ${tenant},
      id uuid not null,
      found_at timestamptz(3) not null,
      seq bigint not null,
      primary key (tenant_id, id)
    );
  `,
}

/** Assessments with the result of each control. */
export const assessmentsMigration: Migration = {
  id: 'compliance-0003-assessments',
  sql: `
    create table compliance_assessment (
      ${tenant}, ${stamps},
      name text not null,
      type text not null check (type in ('framework', 'automated', 'ai_act_classification')),
      status text not null check (status in
        ('draft', 'in_progress', 'in_review', 'completed', 'superseded', 'cancelled')),
      framework_ids uuid[] not null,
      scope text not null,
      agent_id text,
      period_start timestamptz(3),
      period_end timestamptz(3),
      assessor_ids uuid[] not null,
      approver_id uuid,
      created_by uuid,
      submitted_by uuid,
      submitted_at timestamptz(3),
      timetable text not null,
      answers jsonb not null,
      classification jsonb,
      scores jsonb,
      reason text,
      previous_id uuid,
      snapshot_sha256 text,
      snapshot_id uuid,
      due_at timestamptz(3),
      completed_at timestamptz(3),
      primary key (tenant_id, id),
      foreign key (tenant_id, snapshot_id) references compliance_evidence (tenant_id, id)
    );
    create index compliance_assessment_created_at on compliance_assessment (tenant_id, created_at, id);
    create index compliance_assessment_completed_at on compliance_assessment (tenant_id, completed_at)
      where status = 'completed';
    create index compliance_assessment_snapshot on compliance_assessment (tenant_id, snapshot_id);

    create table compliance_result (
      ${tenant},
      id uuid not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      assessment_id uuid not null,
      control_id uuid not null,
      result text not null,
      share double precision,
      grading text,
      note text,
      source text not null,
      evidence_ids uuid[] not null,
      primary key (tenant_id, id),
      constraint compliance_result_control unique (tenant_id, assessment_id, control_id),
      foreign key (tenant_id, assessment_id) references compliance_assessment (tenant_id, id),
      foreign key (tenant_id, control_id) references compliance_control (tenant_id, id)
    );
    create index compliance_result_of_control on compliance_result (tenant_id, control_id);
  `,
}
