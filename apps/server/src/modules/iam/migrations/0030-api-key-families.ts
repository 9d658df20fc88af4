import type { Migration } from '../../../kernel/db/schema/migration.ts'

/**
 * The key a key was made with, which bounds it and ends it, and the session it was made in. Keys made with keys before have no parent: which one it was
 * stands in no row.
 */
export const apiKeyFamiliesMigration: Migration = {
  id: 'iam-0030-api-key-families',
  sql: `
    alter table iam_api_key
      add column parent_id uuid,
      add column session_id uuid,
      add constraint iam_api_key_parent foreign key (tenant_id, parent_id) references iam_api_key (tenant_id, id)
        on delete cascade;
    create index iam_api_key_by_session on iam_api_key (tenant_id, session_id) where session_id is not null;
    create index iam_api_key_by_parent on iam_api_key (tenant_id, parent_id) where parent_id is not null;
  `,
}
