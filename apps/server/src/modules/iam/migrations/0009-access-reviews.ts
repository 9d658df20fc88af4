import type { Migration } from '../../../kernel/db/schema/migration.ts'

const tenantId = `tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid`

export const accessReviewsMigration: Migration = {
  id: 'iam-0009-access-reviews',
  sql: `
    create table iam_access_review (
      ${tenantId},
      id uuid not null,
      name text not null,
      scope jsonb not null,
      reviewer_rule text not null,
      due_at timestamptz(3) not null,
      on_no_answer text not null check (on_no_answer in ('revoke', 'keep', 'suspend')),
      status text not null check (status in ('open', 'closed', 'cancelled')),
      opened_by uuid not null,
      opened_by_tenant uuid not null,
      closed_at timestamptz(3),
      closed_by uuid,
      result_digest text,
      result_kid text,
      result_signature text,
      version int not null default 1,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id)
    );
    create index iam_access_review_created_at on iam_access_review (tenant_id, created_at, id);
    create index iam_access_review_due_at on iam_access_review (tenant_id, due_at, id);

    create table iam_access_review_item (
      ${tenantId},
      id uuid not null,
      review_id uuid not null,
      user_id uuid not null,
      role_id uuid,
      key_id uuid,
      grant_name text not null,
      granted_at timestamptz(3) not null,
      granted_by uuid,
      last_used_at timestamptz(3),
      recommendation text not null check (recommendation in ('keep', 'revoke')),
      recommended_because text not null,
      reviewer_id uuid,
      decision text check (decision in ('keep', 'revoke', 'suspend')),
      decided_by uuid,
      decided_at timestamptz(3),
      reason text,
      outcome text,
      primary key (tenant_id, id),
      foreign key (tenant_id, review_id) references iam_access_review (tenant_id, id) on delete cascade,
      check ((role_id is null) <> (key_id is null))
    );
    create index iam_access_review_item_review on iam_access_review_item (tenant_id, review_id, id);
    create index iam_access_review_item_reviewer on iam_access_review_item (tenant_id, reviewer_id, review_id);
    create index iam_access_review_item_user on iam_access_review_item (tenant_id, user_id);
  `,
}
