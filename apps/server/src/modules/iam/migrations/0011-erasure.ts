import type { Migration } from '../../../kernel/db/schema/migration.ts'

/** The end of an account: nothing of the person is in its row, and nothing can come back into it. */
export const erasureMigration: Migration = {
  id: 'iam-0011-erasure',
  sql: `
    alter table iam_user drop constraint iam_user_status_check;
    alter table iam_user add constraint iam_user_status_check
      check (status in ('invited', 'active', 'suspended', 'locked', 'deactivated', 'erased'));
    alter table iam_user drop constraint iam_user_check;
    alter table iam_user add constraint iam_user_address
      check ((type = 'service') = (email is null) or status = 'erased');
    alter table iam_user add constraint iam_user_erased check (status <> 'erased' or (
      display_name = 'Erased user' and email is null and password_hash is null and manager_id is null
      and coalesce(status_reason, locale, time_zone, department, external_id) is null));
  `,
}
