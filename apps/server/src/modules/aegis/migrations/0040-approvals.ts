import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Tool calls that people decide about. */
export const approvalsMigration: Migration = {
  id: 'aegis-0040-approvals',
  sql: `
    create table aegis_approval (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      agent_id uuid not null,
      session_id uuid,
      user_id uuid,
      server text not null,
      tool text not null,
      args_preview text not null,
      preview_sha256 text not null,
      args_sha256 text not null,
      guardrails jsonb not null,
      pin_sha256 text,
      labels text[] not null,
      risk_tier int not null check (risk_tier between 1 and 4),
      required_approvals int not null check (required_approvals between 1 and 3),
      approver_roles text[] not null,
      decisions jsonb not null,
      wait_form text not null check (wait_form in ('mrtr', 'task', 'sse', 'retry')),
      status text not null
        check (status in ('pending', 'approved', 'denied', 'expired', 'cancelled', 'consumed')),
      expires_at timestamptz(3) not null,
      usable_until timestamptz(3),
      decided_at timestamptz(3),
      consumed_at timestamptz(3),
      call_digest text not null,
      binding text not null,
      due_at timestamptz(3),
      primary key (tenant_id, id),
      foreign key (tenant_id, agent_id) references aegis_agent (tenant_id, id)
    );
    create unique index aegis_approval_one_open on aegis_approval (tenant_id, call_digest)
      where status in ('pending', 'approved');
    create index aegis_approval_call on aegis_approval (tenant_id, call_digest, created_at, id);
    create index aegis_approval_created_at on aegis_approval (tenant_id, created_at, id);
    create index aegis_approval_expires_at on aegis_approval (tenant_id, expires_at, id);
    create index aegis_approval_agent on aegis_approval (tenant_id, agent_id, created_at);
    create index aegis_approval_due on aegis_approval (tenant_id, due_at) where due_at is not null;
  `,
}
