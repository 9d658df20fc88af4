import type { Migration } from '../../../kernel/db/schema/migration.ts'

/**
 * How many accounts a tenant has, kept as they come and go: counting a hundred thousand takes longer than the page they
 * are counted for. A tenant's number is the sum of sixteen rows, so that transactions which add accounts rarely wait for
 * each other. Rows that the owner writes come from a backup, which holds the counts as well. Where the counts are gone
 * already, as in the middle of a tenant's deletion, removed accounts bring none back.
 */
export const userCountsMigration: Migration = {
  id: 'iam-0027-user-counts',
  sql: `
    create table iam_user_count (
      tenant_id uuid not null default nullif(current_setting('app.tenant_id', true), '')::uuid,
      spread smallint not null check (spread between 0 and 15),
      accounts bigint not null,
      primary key (tenant_id, spread)
    );
    insert into iam_user_count (tenant_id, spread, accounts) select tenant_id, 0, count(*) from iam_user group by tenant_id;
    create function iam_count_users() returns trigger language plpgsql as $count$
    begin
      if current_user <> 'parapet_app' then
        return null;
      elsif tg_op = 'INSERT' then
        insert into iam_user_count as c (tenant_id, spread, accounts)
        select tenant_id, pg_backend_pid() % 16, count(*) from moved group by tenant_id
        on conflict (tenant_id, spread) do update set accounts = c.accounts + excluded.accounts;
      else
        insert into iam_user_count as c (tenant_id, spread, accounts)
        select m.tenant_id, pg_backend_pid() % 16, -count(*) from moved m
        where exists (select from iam_user_count k where k.tenant_id = m.tenant_id) group by m.tenant_id
        on conflict (tenant_id, spread) do update set accounts = c.accounts + excluded.accounts;
      end if;
      return null;
    end $count$;
    create trigger iam_user_added after insert on iam_user referencing new table as moved
      for each statement execute function iam_count_users();
    create trigger iam_user_removed after delete on iam_user referencing old table as moved
      for each statement execute function iam_count_users();
    drop index iam_user_tenant;
  `,
}
