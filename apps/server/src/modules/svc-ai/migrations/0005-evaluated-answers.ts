import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** Evaluations may ask the model for each question too. */
export const evaluatedAnswersMigration: Migration = {
  id: 'svc-ai-0005-evaluated-answers',
  sql: 'alter table svc_ai_evaluation add column answers boolean not null default false;',
}
