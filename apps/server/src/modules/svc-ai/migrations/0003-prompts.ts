import type { Migration } from '../../../kernel/db/schema/migration.ts'
import { made, stamps, tenant } from './columns.ts'

/** Prompt templates by version, the labels on them, and evaluations. */
export const promptsMigration: Migration = {
  id: 'svc-ai-0003-prompts',
  sql: `
    create table svc_ai_prompt (
      ${tenant}, ${made},
      name text not null,
      number int not null,
      template text not null,
      variables jsonb not null,
      description text,
      sha256 text not null,
      created_by uuid,
      primary key (tenant_id, id),
      constraint svc_ai_prompt_version unique (tenant_id, name, number)
    );
    create index svc_ai_prompt_created_at on svc_ai_prompt (tenant_id, created_at, id);
    create index svc_ai_prompt_name on svc_ai_prompt (tenant_id, name, id);

    create table svc_ai_prompt_label (
      ${tenant}, ${made},
      name text not null,
      label text not null,
      number int not null,
      primary key (tenant_id, id),
      constraint svc_ai_prompt_label_one unique (tenant_id, name, label),
      foreign key (tenant_id, name, number) references svc_ai_prompt (tenant_id, name, number)
    );
    create index svc_ai_prompt_label_version on svc_ai_prompt_label (tenant_id, name, number);

    create table svc_ai_evaluation (
      ${tenant}, ${stamps},
      name text not null,
      dataset_name text not null,
      items jsonb not null,
      source_ids uuid[] not null,
      baseline jsonb not null,
      candidate jsonb,
      k int not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed')),
      progress double precision not null,
      results jsonb,
      per_item jsonb,
      error text,
      completed_at timestamptz(3),
      created_by uuid not null,
      primary key (tenant_id, id)
    );
    create index svc_ai_evaluation_created_at on svc_ai_evaluation (tenant_id, created_at, id);
    create index svc_ai_evaluation_created_by on svc_ai_evaluation (tenant_id, created_by);
  `,
}
