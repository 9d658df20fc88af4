/**
 * The sources a caller may read, as a condition on `svc_ai_source`, asked of the database at each use: never kept. A
 * source of the platform's facts asks for the permissions of their owners besides. Tested in sources.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { listPermissions } from '../../../kernel/access/permissions.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'

export function readableBy({ userId, roles, permissions }: Pick<Actor, 'userId' | 'roles' | 'permissions'>): SqlPart {
  return sql`(source.permissions <@ ${[...listPermissions(permissions)]}::text[]
    and (source.visibility = 'tenant'
      or (source.visibility = 'roles' and source.role_names && ${[...roles]}::text[])
      or (source.visibility = 'users' and ${userId}::uuid = any(source.user_ids))))`
}
