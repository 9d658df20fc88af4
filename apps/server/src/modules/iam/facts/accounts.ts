/** Conditions on an account `u` that more than one fact asks. */
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'

export const hasFactor: SqlPart = sql`
  exists (select from iam_factor f where f.tenant_id = u.tenant_id and f.user_id = u.id and f.status = 'active')`

/** An identity provider said that it saw two factors. */
export const isVouchedFor: SqlPart = sql`
  exists (
    select from iam_session s
    where s.tenant_id = u.tenant_id and s.user_id = u.id and s.created_via like 'sso:%' and 'mfa' = any(s.amr))`

/** Of a list of accounts. */
export const mostListed = 1000
