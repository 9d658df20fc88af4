import { type SqlPart, sql } from '../../../kernel/db/sql.ts'

/**
 * The last use of an account `u`: by its person, by any key it has or had, or else its creation or last
 * activation. A service account is used through its keys only.
 */
export const lastUse: SqlPart = sql`
  greatest(u.last_active_at, u.active_since, u.created_at, (
    select max(k.last_used_at) from iam_api_key k where k.tenant_id = u.tenant_id and k.owner_id = u.id))`

/** Emergency accounts, which are meant to be unused. */
export const breakGlass: SqlPart = sql`
  exists (select 1 from iam_sso_connection c where c.tenant_id = u.tenant_id and u.id = any(c.break_glass_user_ids))`
