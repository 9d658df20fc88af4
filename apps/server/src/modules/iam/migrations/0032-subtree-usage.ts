import type { Migration } from '../../../kernel/db/schema/migration.ts'

/**
 * Combined usage of a tenant and all below it, for quotas that cover both. The rows of a tenant are visible only to its
 * own transactions, so the function switches to each tenant in turn and at the end back to the calling one.
 */
export const subtreeUsageMigration: Migration = {
  id: 'iam-0032-subtree-usage',
  sql: `
    create function iam_subtree_usage(top uuid, moment timestamptz)
    returns table (users int, service_accounts int, api_keys int) language plpgsql as $usage$
    declare
      asking text := current_setting('app.tenant_id', true);
      below uuid;
      counted record;
    begin
      users := 0;
      service_accounts := 0;
      api_keys := 0;
      for below in select t.id from iam_tenant t where t.path @> array[top] and t.status <> 'deleted' loop
        perform set_config('app.tenant_id', below::text, true);
        select
          (select count(*) from iam_user u where u.type = 'human' and u.status not in ('deactivated', 'erased')) as people,
          (select count(*) from iam_user u where u.type = 'service' and u.status not in ('deactivated', 'erased')) as services,
          (select count(*) from iam_api_key k where k.revoked_at is null and k.expires_at > moment) as keys
        into counted;
        users := users + counted.people;
        service_accounts := service_accounts + counted.services;
        api_keys := api_keys + counted.keys;
      end loop;
      perform set_config('app.tenant_id', asking, true);
      return next;
    end $usage$;
  `,
}
